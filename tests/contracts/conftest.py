"""One deployment's short-term memory and due store: on a real Redis, and in memory."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import cast

import pytest

from shared.clock import Clock
from shared.engines.redis_stm.due import RedisDueStore
from shared.engines.redis_stm.limits import StmLimits
from shared.engines.redis_stm.link import RedisLink
from shared.engines.redis_stm.store import RedisShortTermMemory
from shared.ids import new_id
from shared.model.message import MessageBody, NewMessage, Role
from shared.model.scope import Scope
from shared.ports.stm import Claim, DueStore, ShortTermMemory, TurnEnd, TurnStart
from tests.conftest import RedisServer
from tests.fakes.memory_due import MemoryDueStore
from tests.fakes.memory_state import MemoryState, Place
from tests.fakes.memory_stm import MemoryShortTermMemory
from tests.fakes.plain_vault import PlainVault

WIDE = 100_000
LIMITS = StmLimits(
    session_ttl_seconds=600,
    idle_flush_seconds=30,
    archive_messages=10,
    archive_tokens=1_000,
    session_wait_seconds=0.3,
    lease_seconds=0.25,
    request_lease_seconds=0.25,
)


@dataclass
class Deployment:
    """The engines of two processes over one store, and a clock that a test may move."""

    stm: ShortTermMemory
    other: ShortTermMemory
    due: DueStore
    clock: Clock
    scope: Scope
    end_scope: Callable[[Scope], None]
    patient: tuple[ShortTermMemory, ShortTermMemory]

    def advance(self, seconds: float) -> None:
        self.clock.offset += timedelta(seconds=seconds)


def say(text: str, *, role: Role = "user", tokens: int = 10, client_id: str | None = None) -> NewMessage:
    """Return a new message."""
    body = MessageBody(content=text, client_id=client_id)
    return NewMessage(id=new_id("msg"), role=role, body=body, tokens=tokens)


async def take_turn(
    stm: ShortTermMemory, scope: Scope, session_id: str, text: str, *, claim: Claim | None = None
) -> TurnStart:
    """Take a turn from its beginning to its end."""
    start = await stm.begin_turn(scope, session_id, message=say(text), claim=claim, window_tokens=WIDE)
    reply = say(f"re: {text}", role="assistant")
    end = TurnEnd(session_id=session_id, fence=start.fence, reply=reply, claim=claim, result_json='{"a":1}')
    await stm.finish_turn(scope, end)
    return start


async def read_texts(stm: ShortTermMemory, scope: Scope, session_id: str) -> list[str]:
    """Return the words of a session, oldest first."""
    session = await stm.read_session(scope, session_id, window_tokens=WIDE)
    return [message.text for message in session.window]


@pytest.fixture(params=["redis", "memory"])
async def place(request: pytest.FixtureRequest) -> AsyncIterator[Deployment]:
    clock = Clock()
    scope = Scope(tenant_id="ten_1", scope_id=new_id("scp"))
    patience = LIMITS.model_copy(update={"session_wait_seconds": 20.0, "lease_seconds": 10.0})
    if request.param == "memory":
        state = MemoryState()
        stms = [
            MemoryShortTermMemory(state, clock=clock, limits=limits)
            for limits in (LIMITS, LIMITS, patience, patience)
        ]

        def end(ended: Scope) -> None:
            place = state.places.setdefault(ended.scope_id, Place(ended.tenant_id))
            place.generation = ended.generation + 1

        due = MemoryDueStore(state, clock=clock, limits=LIMITS)
        yield Deployment(stms[0], stms[1], due, clock, scope, end, (stms[2], stms[3]))
        return
    server = cast("RedisServer", request.getfixturevalue("redis_server"))
    links = [RedisLink(url) for url in (server.url, server.tcp_url, server.url, server.tcp_url)]
    vault = PlainVault()
    redis_stms = [
        RedisShortTermMemory(link, vault=vault, clock=clock, limits=limits)
        for link, limits in zip(links, (LIMITS, LIMITS, patience, patience), strict=True)
    ]

    def end_redis(ended: Scope) -> None:
        server.command("SET", f"{{{ended.scope_id}}}:g", ended.generation + 1)

    redis_due = RedisDueStore(links[0], clock=clock, limits=LIMITS)
    yield Deployment(
        redis_stms[0], redis_stms[1], redis_due, clock, scope, end_redis, (redis_stms[2], redis_stms[3])
    )
    for link in links:
        await link.close()
