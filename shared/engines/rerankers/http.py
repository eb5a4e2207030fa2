"""Reranking over HTTP: `POST …/rerank` with a model, a query, documents and `top_n`.

Jina, Cohere (v2), vLLM, llama.cpp and others read that and answer `results` of `index` and
`relevance_score`. Hugging Face's text-embeddings-inference reads `texts` instead and answers a list of
`index` and `score`. Which of the two an upstream speaks is learnt from what it refuses: a question is sent
once, and the one after a refusal goes the other way, until one of them was answered.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from shared.clock import Clock
from shared.engines.llm_http.asking import AskBounds, AskedModel, JsonUpstream
from shared.errors import Rejected, Unavailable
from shared.ports.reranker import MOST_CHARACTERS, MOST_TEXTS
from shared.settings import Settings

_ANSWER_BYTES: Final = 2_000_000
"""Room for an upstream that gives all documents back."""

_MOST: Final = 1e12
"""No model's score is as large: what is, is no number to compare with (nor is one that is none)."""

_MODEL: Final = AskedModel(
    name="reranker",
    path="/rerank",
    setting="BILAYER_RERANKER",
    unavailable_code="reranker_unavailable",
    refused_code="reranker_refused",
)


class HttpReranker:
    """A reranking upstream behind its breaker. One per process, made after any fork."""

    def __init__(self, settings: Settings, clock: Clock, *, bounds: AskBounds | None = None) -> None:
        self.model = settings.reranker_model
        self._takes_texts = False
        self._is_known = False
        own = AskBounds(answer_seconds=settings.reranker_wait_seconds, answer_bytes=_ANSWER_BYTES)
        self._upstream = JsonUpstream(
            _MODEL,
            settings.reranker_base_url or "",
            key=settings.reranker_api_key,
            clock=clock,
            bounds=bounds or own,
        )

    async def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """Return the upstream's score of each text; it is asked once."""
        read = [text[:MOST_CHARACTERS] or " " for text in texts[:MOST_TEXTS]]
        takes_texts = self._takes_texts
        body = self._body(query[:MOST_CHARACTERS], read, takes_texts=takes_texts)
        try:
            scores = await self._upstream.ask(body, partial(_read_scores, count=len(read)))
        except Rejected:
            if not self._is_known:
                self._takes_texts = not takes_texts
            raise
        self._is_known = True
        return scores

    async def aclose(self) -> None:
        """Close all connections."""
        await self._upstream.aclose()

    def _body(self, query: str, texts: list[str], *, takes_texts: bool) -> dict[str, Any]:
        if takes_texts:
            return {"query": query, "texts": texts, "truncate": True}
        return {"model": self.model, "query": query, "documents": texts, "top_n": len(texts)}


def _read_scores(answer: Any, *, count: int) -> tuple[float, ...]:
    """Return the scores in the order of their texts. Raises `Unavailable` where one is missing or none."""
    scores: dict[int, float] = {}
    try:
        for item in answer if isinstance(answer, list) else answer["results"]:
            score = item["relevance_score"] if "relevance_score" in item else item["score"]
            place = item["index"]
            if type(place) is not int or place in scores or isinstance(score, bool):
                raise _no_scores()
            scores[place] = score + 0.0
    except (TypeError, KeyError, OverflowError):
        raise _no_scores() from None
    if sorted(scores) != list(range(count)) or not all(abs(score) < _MOST for score in scores.values()):
        raise _no_scores()
    return tuple(scores[place] for place in range(count))


def _no_scores() -> Unavailable:
    return Unavailable("The reranker's answer holds no whole order.", code="reranker_unavailable")
