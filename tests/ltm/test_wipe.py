"""A wipe takes all of it, however much there is of either kind."""

from __future__ import annotations

import pytest

from shared.ltm.edit import StatedMemory, write_memory
from shared.ltm.proposals import propose_update
from shared.ltm.wipe import SLICE, wipe_memories
from shared.ports.ltm import LtmWriter, MemoryFilter, PendingFilter
from tests.fakes.memory_ltm import MemoryLtm
from tests.ltm.test_proposals import SCOPE, ltm, proposal, why

__all__ = ["ltm"]


@pytest.mark.parametrize(("memories", "proposals"), [(3, 2 * SLICE + 5), (2 * SLICE + 5, 3), (SLICE, SLICE)])
async def test_no_memory_and_no_open_proposal_is_left(ltm: MemoryLtm, memories: int, proposals: int) -> None:
    def fill(writer: LtmWriter) -> None:
        for number in range(memories):
            write_memory(writer, StatedMemory(text=f"I like tea {number}"), why=why())
        for number in range(proposals):
            text = f"我喜欢第{number}种茶"
            made = proposal(text, path=None, op="remember", text=text)
            propose_update(writer, made, why=why(), keep_days=7)

    await ltm.write(SCOPE, fill)
    assert await wipe_memories(SCOPE, why=why(), ltm=ltm) == memories
    left = await ltm.read(
        SCOPE, lambda r: (r.memories(MemoryFilter(status=None)), r.pending_updates(PendingFilter()))
    )
    assert left == ([], [])
