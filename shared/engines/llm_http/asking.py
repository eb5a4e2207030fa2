"""Asking a small model over HTTP: one attempt, a bounded answer read as a whole, behind a breaker.

For what somebody waits for and can do without (a vector, an order): a second attempt would come too late.
Logs carry reasons; never text, never a key.
"""

from __future__ import annotations

import asyncio
import json
import math
from collections.abc import Callable, Mapping
from http import HTTPStatus
from typing import Any, NamedTuple, TypeVar

import httpx
from pydantic import SecretStr

from shared.clock import Clock
from shared.engines.llm_http.breaker import CircuitBreaker
from shared.engines.llm_http.opening import ClientBounds, endpoint, open_client
from shared.engines.llm_http.sending import RequestSender
from shared.errors import Rejected, Unavailable
from shared.log import get_logger

REFUSED = frozenset(
    {HTTPStatus.BAD_REQUEST, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, HTTPStatus.UNPROCESSABLE_ENTITY}
)
"""Statuses that speak of the request and not of the upstream's health."""

Answer = TypeVar("Answer")


class AskBounds(ClientBounds):
    """What one question may cost us beside connections: seconds, and bytes of the answer."""

    answer_seconds: float = 30.0
    answer_bytes: int = 16_000_000
    connections: int = 32
    idle_connections: int = 8


class AskedModel(NamedTuple):
    """Which model is asked: what people call it, its path and settings, and the codes of its failures."""

    name: str
    path: str
    setting: str
    unavailable_code: str
    refused_code: str


class JsonUpstream:
    """An upstream that is asked by JSON and answers by JSON. One per process, made after any fork.

    Raises:
        StartupProblem: the address or the key is none.
    """

    def __init__(
        self, asked: AskedModel, address: str, *, key: SecretStr | None, clock: Clock, bounds: AskBounds
    ) -> None:
        self._asked = asked
        self._bounds = bounds
        self._clock = clock
        self._url = endpoint(address, asked.path, setting=f"{asked.setting}_BASE_URL")
        self._client = open_client(key, bounds, setting=f"{asked.setting}_API_KEY")
        self._sender = RequestSender(self._client)
        self._breaker = CircuitBreaker()

    async def ask(self, body: Mapping[str, Any], read: Callable[[Any], Answer]) -> Answer:
        """Return what `read` makes of the answer's JSON.

        Raises:
            Unavailable: no answer in time, the breaker is open, or `read` raised `Unavailable`.
            Rejected: the upstream refuses this very request.
        """
        permit = self._breaker.admit(self._now())
        if permit is None:
            raise self._unavailable(wait=self._breaker.remaining_seconds(self._now()))
        is_settled = False
        try:
            async with asyncio.timeout(self._bounds.answer_seconds):
                status, content = await self._send(body)
            if status in REFUSED:
                raise Rejected(f"The {self._asked.name} refuses these texts.", code=self._asked.refused_code)
            answer = read(self._parse(status, content))
            self._breaker.succeeded(permit)
            is_settled = True
        except (httpx.HTTPError, TimeoutError, Unavailable) as error:
            self._breaker.failed(permit, self._now())
            is_settled = True
            get_logger().warning("model_failed", model=self._asked.name, reason=type(error).__name__)
            raise self._unavailable() from None
        else:
            return answer
        finally:
            if not is_settled:
                self._breaker.released(permit)

    async def aclose(self) -> None:
        """Close all connections."""
        await self._sender.aclose()

    async def _send(self, body: Mapping[str, Any]) -> tuple[int, bytes]:
        """Return the answer's status and body; too long a body is cut off."""
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

    def _parse(self, status: int, content: bytes) -> Any:
        try:
            return json.loads(content) if status == HTTPStatus.OK else None
        except (ValueError, RecursionError):
            raise self._unavailable() from None

    def _now(self) -> float:
        return self._clock.now_ms() / 1000

    def _unavailable(self, *, wait: float = 1.0) -> Unavailable:
        return Unavailable(
            f"The {self._asked.name} does not answer now.",
            code=self._asked.unavailable_code,
            retry_after_seconds=max(1, math.ceil(wait)),
        )
