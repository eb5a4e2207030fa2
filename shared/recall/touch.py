"""Access counts: gathered with the turns, written once a minute, each buffer exactly once."""

from __future__ import annotations

from collections.abc import Mapping

from shared.model.scope import Scope
from shared.ports.ltm import LongTermMemory, LtmWriter
from shared.ports.stm import ShortTermMemory


async def touch_memories(scope: Scope, *, now_ms: int, stm: ShortTermMemory, ltm: LongTermMemory) -> int:
    """Write the gathered access counts of a scope; returns how many rows they touched."""
    touched = 0
    while (taken := await stm.take_accesses(scope)) is not None:
        buffer_id, counts = taken

        def work(
            writer: LtmWriter, buffer_id: str = buffer_id, *, counts: Mapping[int, int] = counts
        ) -> None:
            key = f"touch:{buffer_id}"
            if writer.applied(key) is None:
                writer.count_accesses(counts, at_ms=now_ms)
                writer.mark_applied(key, len(counts))

        await ltm.write(scope, work)
        await stm.drop_accesses(scope, buffer_id)
        touched += len(counts)
    return touched
