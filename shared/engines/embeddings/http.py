"""Embeddings over HTTP: any upstream that speaks OpenAI's `POST …/embeddings`.

One attempt a call: who waits for a question's vector cannot wait for a second, and the job comes again.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Final

from shared.clock import Clock
from shared.engines.embeddings.vectors import no_vectors, unit_vectors
from shared.engines.llm_http.asking import AskBounds, AskedModel, JsonUpstream
from shared.errors import Unavailable
from shared.model.meaning import FloatMatrix
from shared.ports.embedder import MOST_CHARACTERS, MOST_TEXTS
from shared.settings import Settings

_PREFIX: Final = "http:"
_MODEL: Final = AskedModel(
    name="embedding model",
    path="/embeddings",
    setting="BILAYER_EMBEDDINGS",
    unavailable_code="embeddings_unavailable",
    refused_code="embedding_refused",
)


class HttpEmbedder:
    """An embedding upstream behind its breaker. One per process, made after any fork."""

    def __init__(self, settings: Settings, clock: Clock, *, bounds: AskBounds | None = None) -> None:
        self.model = f"{_PREFIX}{settings.embeddings_model}"
        self.is_for_turns = settings.embeddings_on_turns
        self.wait_seconds = settings.embeddings_wait_seconds
        self._upstream = JsonUpstream(
            _MODEL,
            settings.embeddings_base_url or "",
            key=settings.embeddings_api_key,
            clock=clock,
            bounds=bounds or AskBounds(),
        )

    async def embed(self, texts: Sequence[str], *, model: str) -> FloatMatrix:
        """Return a vector for each text, by the model in use or a former one of the same upstream."""
        if not model.startswith(_PREFIX):
            raise Unavailable("That model is not of this upstream.", code="embeddings_unavailable")
        body = {
            "model": model.removeprefix(_PREFIX),
            "input": [text[:MOST_CHARACTERS] or " " for text in texts[:MOST_TEXTS]],
            "encoding_format": "float",
        }
        return await self._upstream.ask(body, partial(_read_vectors, count=len(texts)))

    async def aclose(self) -> None:
        """Close all connections."""
        await self._upstream.aclose()


def _read_vectors(answer: Any, *, count: int) -> FloatMatrix:
    """Return the vectors in the order of their texts. Raises `Unavailable` where there are none."""
    try:
        items = sorted(answer["data"], key=lambda item: item["index"])
        raw = [item["embedding"] for item in items]
    except (TypeError, KeyError):
        raise no_vectors() from None
    return unit_vectors(raw, count=count)
