"""An embedding upstream on loopback."""

from __future__ import annotations

import json
from typing import Any

import numpy as np

from tests.engines.json_server import JsonServer
from tests.fakes.embedder import FakeEmbedder


class EmbeddingUpstream(JsonServer):
    """Answers with the fake's vectors, last text first."""

    async def answer_to(self, request: dict[str, Any]) -> bytes:
        """Return the vectors, three times as long as a unit."""
        found = await FakeEmbedder("m").embed(request["input"], model="m")
        data = [
            {"index": place, "embedding": (3 * vector).tolist()}
            for place, vector in enumerate(np.array(found))
        ]
        return json.dumps({"object": "list", "data": data[::-1]}).encode()
