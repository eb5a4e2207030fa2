"""Embeddings over HTTP: any upstream that speaks OpenAI's `POST …/embeddings`.

One attempt a call: who waits for a question's vector cannot wait for a second, and the job comes again.
Logs carry statuses and reasons; never text, never a key.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Sequence
from http import HTTPStatus
from typing import Any

import httpx

from shared.clock import Clock
from shared.engines.embeddings.vectors import no_vectors, unit_vectors
from shared.engines.llm_http.breaker import CircuitBreaker
from shared.engines.llm_http.opening import ClientBounds, endpoint, open_client
from shared.engines.llm_http.sending import RequestSender
from shared.errors import Rejected, Unavailable
from shared.log import get_logger
from shared.model.meaning import FloatMatrix
from shared.ports.embedder import MOST_CHARACTERS, MOST_TEXTS
from shared.settings import Settings

_PREFIX = "http:"
_REFUSED = frozenset(
    {HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNPROCESSABLE_ENTITY}
)


class EmbeddingBounds(ClientBounds):
    """What one batch may cost us beside connections: seconds, and bytes of the answer."""

    answer_seconds: float = 30.0
    answer_bytes: int = 16_000_000
    connections: int = 32
    idle_connections: int = 8


class HttpEmbedder:
    """An embedding upstream behind its breaker. One per process, made after any fork."""

    def __init__(self, settings: Settings, clock: Clock, *, bounds: EmbeddingBounds | None = None) -> None:
        self._bounds = bounds or EmbeddingBounds()
        self._clock = clock
        self.model = f"{_PREFIX}{settings.embeddings_model}"
        self.is_for_turns = settings.embeddings_on_turns
        self.wait_seconds = settings.embeddings_wait_seconds
        address = settings.embeddings_base_url or ""
        self._url = endpoint(address, "/embeddings", setting="BILAYER_EMBEDDINGS_BASE_URL")
        key = settings.embeddings_api_key
        self._client = open_client(key, self._bounds, setting="BILAYER_EMBEDDINGS_API_KEY")
        self._sender = RequestSender(self._client)
        self._breaker = CircuitBreaker()

    async def embed(self, texts: Sequence[str], *, model: str) -> FloatMatrix:
        """Return a vector for each text, by the model in use or a former one of the same upstream."""
        if not model.startswith(_PREFIX):
            raise Unavailable("That model is not of this upstream.", code="embeddings_unavailable")
        permit = self._breaker.admit(self._now())
        if permit is None:
            raise self._unavailable(wait=self._breaker.remaining_seconds(self._now()))
        is_settled = False
        try:
            async with asyncio.timeout(self._bounds.answer_seconds):
                status, content = await self._ask(texts, model.removeprefix(_PREFIX))
            if status in _REFUSED:
                raise Rejected("The embedding model refuses these texts.", code="embedding_refused")
            vectors = _read_vectors(status, content, count=len(texts))
            self._breaker.succeeded(permit)
            is_settled = True
        except (httpx.HTTPError, TimeoutError, Unavailable) as error:
            self._breaker.failed(permit, self._now())
            is_settled = True
            get_logger().warning("embeddings_failed", reason=type(error).__name__)
            raise self._unavailable() from None
        else:
            return vectors
        finally:
            if not is_settled:
                self._breaker.released(permit)

    async def aclose(self) -> None:
        """Close all connections."""
        await self._sender.aclose()

    async def _ask(self, texts: Sequence[str], model: str) -> tuple[int, bytes]:
        """Return the answer's status and body; too long a body is cut off."""
        body = {
            "model": model,
            "input": [text[:MOST_CHARACTERS] or " " for text in texts[:MOST_TEXTS]],
            "encoding_format": "float",
        }
        request = self._client.build_request("POST", self._url, content=json.dumps(body).encode())
        response = await self._sender.send(request)
        content = bytearray()
        try:
            async for chunk in response.aiter_bytes():
                content += chunk
                if len(content) > self._bounds.answer_bytes:
                    break
        finally:
            await response.aclose()
        return response.status_code, bytes(content)

    def _now(self) -> float:
        return self._clock.now_ms() / 1000

    def _unavailable(self, *, wait: float = 1.0) -> Unavailable:
        return Unavailable(
            "The embedding model does not answer now.",
            code="embeddings_unavailable",
            retry_after_seconds=max(1, math.ceil(wait)),
        )


def _read_vectors(status: int, content: bytes, *, count: int) -> FloatMatrix:
    """Return the vectors in the order of their texts. Raises `Unavailable` where there are none."""
    try:
        answer: Any = json.loads(content) if status == HTTPStatus.OK else None
        items = sorted(answer["data"], key=lambda item: item["index"])
        raw = [item["embedding"] for item in items]
    except (ValueError, TypeError, KeyError, RecursionError):
        raise no_vectors() from None
    return unit_vectors(raw, count=count)
