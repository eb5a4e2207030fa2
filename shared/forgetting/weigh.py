"""Setting the importance of memories by the rule of the day; what a caller gave is never touched."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shared.model.memory import Memory
from shared.model.scope import Scope
from shared.ports.ltm import LongTermMemory, LtmWriter

SLICE: Final = 100


async def weigh_memories(
    scope: Scope, *, weigh: Callable[[Memory], float], version: int, ltm: LongTermMemory
) -> int:
    """Weigh all memories that no rule of this version has weighed; returns how many."""

    def work(writer: LtmWriter) -> int:
        found: list[Memory] = writer.unscored(version=version, limit=SLICE)
        for memory in found:
            writer.weigh_memory(memory.id, importance=weigh(memory), version=version)
        return len(found)

    weighed = 0
    while True:
        count = await ltm.write(scope, work)
        weighed += count
        if count < SLICE:
            return weighed
