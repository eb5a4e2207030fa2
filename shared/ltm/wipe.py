"""Emptying a user's memory, in slices short enough that no other write waits long."""

from __future__ import annotations

from typing import Final

from shared.ltm.edit import Why, remove_memory
from shared.model.scope import Scope
from shared.ports.ltm import LongTermMemory, LtmReader, LtmWriter, MemoryFilter, PendingFilter

SLICE: Final = 20
MOST_COUNTED: Final = 10_000


def count_memories(reader: LtmReader) -> int:
    """Return how many memories a wipe would delete."""
    return len(reader.memories(MemoryFilter(status=None, limit=MOST_COUNTED)))


async def wipe_memories(scope: Scope, *, why: Why, ltm: LongTermMemory) -> int:
    """Delete all memories and open proposals; fields stay. Returns how many memories went."""

    def work(writer: LtmWriter) -> int:
        for update in writer.pending_updates(PendingFilter(limit=SLICE)):
            writer.close_update(update.id, status="rejected")
        found = writer.memories(MemoryFilter(status=None, limit=SLICE))
        for memory in found:
            remove_memory(writer, memory, why=why)
        return len(found)

    wiped = 0
    while True:
        gone = await ltm.write(scope, work)
        wiped += gone
        if gone < SLICE:
            return wiped
