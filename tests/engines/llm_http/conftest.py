"""A model and its scripted upstream for each test."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest
from pydantic import SecretStr

from shared.clock import Clock
from shared.engines.llm_http.client import HttpChatModel, UpstreamBounds
from shared.ports.llm import ChatPiece, ChatRequest, LlmUse
from shared.settings import Settings
from tests.fakes.upstream import Upstream

REQUEST = ChatRequest(messages=({"role": "user", "content": "预算控制在五十万以内"},), max_tokens=64)
QUICK = UpstreamBounds(idle_seconds=0.3, tail_seconds=0.1, refused_pause_seconds=0.01)


@dataclass
class Rig:
    """A model under test, the upstream it talks to, its clock, and what it reported."""

    model: HttpChatModel
    upstream: Upstream
    clock: Clock
    reports: list[LlmUse] = field(default_factory=list)

    async def ask(self, *, into: list[str] | None = None) -> list[ChatPiece]:
        """Return all pieces of one reply; their texts go `into` a list as they come."""
        pieces: list[ChatPiece] = []
        async for piece in self.model.stream(REQUEST):
            pieces.append(piece)
            if into is not None:
                into.append(piece.text)
        return pieces

    async def text(self) -> str:
        """Return the text of one reply."""
        return "".join(piece.text for piece in await self.ask())

    @property
    def outcomes(self) -> list[str]:
        """The outcomes reported so far."""
        return [use.outcome for use in self.reports]

    @property
    def connections(self) -> list[Any]:
        """The connections in the client's pool."""
        transport: Any = self.model._client._transport
        return list(transport._pool.connections)


async def settle(claim: Callable[[], bool]) -> None:
    """Wait until `claim` holds, two seconds at most."""
    async with asyncio.timeout(2):
        while not claim():  # noqa: ASYNC110 - the claim is about another connection's end
            await asyncio.sleep(0.005)


@asynccontextmanager
async def open_rig(*, bounds: UpstreamBounds = QUICK, **settings: Any) -> AsyncIterator[Rig]:
    """Yield a model on a fresh upstream, with short waits."""
    reports: list[LlmUse] = []
    clock = Clock()
    async with AsyncExitStack() as stack:
        upstream = await stack.enter_async_context(Upstream())
        given = {
            "llm_base_url": upstream.base_url,
            "llm_api_key": SecretStr("sk-secret"),
            "llm_model": "scripted",
            "llm_first_token_timeout_seconds": 0.4,
        }
        model = HttpChatModel(
            Settings(**{**given, **settings}),
            clock,
            observe=reports.append,
            bounds=bounds,
        )
        stack.push_async_callback(model.aclose)
        yield Rig(model, upstream, clock, reports)


@pytest.fixture
async def rig() -> AsyncIterator[Rig]:
    async with open_rig() as opened:
        yield opened
