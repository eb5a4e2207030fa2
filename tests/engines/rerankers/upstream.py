"""A reranking upstream on loopback, of either kind: `documents` as Jina's, or `texts` as Hugging Face's."""

from __future__ import annotations

import json
from typing import Any

from tests.engines.json_server import JsonServer
from tests.fakes.reranker import FakeReranker


class RerankUpstream(JsonServer):
    """Answers with the fake's scores, best first; `takes_texts` makes it of the second kind.

    Either kind refuses what is asked in the other's way (422).
    """

    takes_texts = False

    async def answer_to(self, request: dict[str, Any]) -> bytes:
        """Return the scores, or what a server says of a field that is missing."""
        wanted = {"query", "texts"} if self.takes_texts else {"model", "query", "documents"}
        self.status = self.status if wanted <= request.keys() or self.status != 200 else 422
        if self.status != 200:
            return b'{"error": "missing field"}'
        texts = request["texts" if self.takes_texts else "documents"]
        scores = await FakeReranker().score(request["query"], texts)
        order = sorted(range(len(texts)), key=lambda place: -scores[place])
        if self.takes_texts:
            return json.dumps([{"index": place, "score": scores[place]} for place in order]).encode()
        results = [
            {"index": place, "relevance_score": scores[place], "document": {"text": texts[place]}}
            for place in order[: request.get("top_n")]
        ]
        return json.dumps({"model": request["model"], "results": results}).encode()
