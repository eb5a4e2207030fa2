"""Archiving describes before it takes the lock, and what was forgotten in between stays out of the index."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import pytest

from shared.clock import Clock
from shared.engines.redis_stm.limits import StmLimits
from shared.ltm import archive
from shared.ltm.archive import archive_session
from shared.ltm.index import describe_row
from shared.model.recall import RowRecord
from shared.model.scope import Scope
from shared.ports.ltm import LtmWriter
from tests.contracts.conftest import say
from tests.fakes.memory_ltm import MemoryLtm
from tests.fakes.memory_state import MemoryState
from tests.fakes.memory_stm import MemoryShortTermMemory
from tests.ltm.test_proposals import SCOPE, ltm

__all__ = ["ltm"]
T = TypeVar("T")


class _ForgettingFirst:
    """A store in which somebody else forgets a span right before each transaction."""

    def __init__(self, ltm: MemoryLtm, forget: Callable[[LtmWriter], None]) -> None:
        self.ltm, self.forget = ltm, forget
        self.is_writing = False

    async def read(self, scope: Scope, work: Callable[[Any], T]) -> T:
        return await self.ltm.read(scope, work)

    async def write(self, scope: Scope, work: Callable[[Any], T], *, durable: bool = False) -> T:
        await self.ltm.write(scope, self.forget)
        self.is_writing = True
        try:
            return await self.ltm.write(scope, work, durable=durable)
        finally:
            self.is_writing = False


async def _archive(ltm: MemoryLtm, *, forget: str) -> list[bool]:
    """Archive two messages; return of each description whether it was made within the transaction."""
    stm = MemoryShortTermMemory(MemoryState(), clock=Clock(), limits=StmLimits())
    said = [say("my cat is called Pebble"), say("the deadline is Friday")]
    done = await stm.append_messages(SCOPE, "room", messages=said)
    store = _ForgettingFirst(
        ltm, lambda w: w.forget_span(said[0].id, span=forget, record=None) if forget else None
    )
    described: list[bool] = []

    def describe(*args: Any, **named: Any) -> RowRecord:
        described.append(store.is_writing)
        return describe_row(*args, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(archive, "describe_row", describe)
        await archive_session(
            SCOPE, done.session.key, window_tokens=100, mask=lambda text: text, stm=stm, ltm=store
        )
    return described


async def _found(ltm: MemoryLtm) -> set[str]:
    postings = await ltm.read(SCOPE, lambda r: r.postings(["pebbl", "friday"]))
    return {term for term, posting in postings.items() if len(posting.positions)}


async def test_messages_are_described_before_the_transaction(ltm: MemoryLtm) -> None:
    assert await _archive(ltm, forget="") == [False, False]
    assert await _found(ltm) == {"pebbl", "friday"}


async def test_what_was_forgotten_meanwhile_is_left_out(ltm: MemoryLtm) -> None:
    assert await _archive(ltm, forget="Pebble") == [False, False, True]
    assert await _found(ltm) == {"friday"}
