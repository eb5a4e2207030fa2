"""Emptying a user's memory, in slices short enough that no other write waits long."""

from __future__ import annotations

from typing import Final

from shared.ltm.edit import Why, remove_memory
from shared.ltm.field_edit import bury
from shared.model.base import Value
from shared.model.scope import Scope
from shared.ports.ltm import LongTermMemory, LtmReader, LtmWriter, MemoryFilter, PendingFilter
from shared.ports.stm import ShortTermMemory

SLICE: Final = 20
MOST_COUNTED: Final = 10_000


def count_memories(reader: LtmReader) -> int:
    """Return how many memories a wipe would delete."""
    return len(reader.memories(MemoryFilter(status=None, limit=MOST_COUNTED)))


async def wipe_memories(scope: Scope, *, why: Why, ltm: LongTermMemory) -> int:
    """Delete all memories and open proposals; fields stay. Returns how many memories went."""

    def work(writer: LtmWriter) -> tuple[int, bool]:
        waiting = writer.pending_updates(PendingFilter(limit=SLICE))
        for update in waiting:
            writer.close_update(update.id, status="rejected")
            bury(writer, update.path, value=update.new, cause="forgotten", why=why)
        writer.delete_digests()
        found = writer.memories(MemoryFilter(status=None, limit=SLICE))
        for memory in found:
            remove_memory(writer, memory, why=why)
        for row in [] if found else writer.aging():  # what no list shows, since it does not open
            writer.delete_memory(row.id)
        return len(found), bool(waiting or found)

    wiped, is_more = 0, True
    while is_more:
        gone, is_more = await ltm.write(scope, work)
        wiped += gone
    return wiped


class Wiped(Value):
    """What a wipe of everything took."""

    memories: int
    episodes: int
    messages: int


async def wipe_all(scope: Scope, *, why: Why, ltm: LongTermMemory, stm: ShortTermMemory) -> Wiped:
    """Delete a user's sessions, episodes, digests, memories and open proposals; fields stay.

    Short-term memory goes first, and its sessions are noted as deleted: a job that has read them writes none.
    """
    deleted = await stm.forget_sessions(scope)
    await ltm.write(scope, lambda writer: writer.note_deleted(deleted.epochs))
    episodes = 0
    while gone := await ltm.write(scope, _wipe_episodes):
        episodes += gone
    await ltm.write(scope, lambda writer: writer.delete_bare_extractions())
    memories = await wipe_memories(scope, why=why, ltm=ltm)
    counts = {"memories": memories, "episodes": episodes, "messages": deleted.messages}
    details = {**counts, **why.marks}

    def note(writer: LtmWriter) -> None:
        writer.delete_digests()
        writer.delete_habits()
        writer.drop_applied(None)
        writer.note_deleted_session(None)
        writer.add_audit(
            "memory.wipe",
            path=None,
            details=details,
            actor=why.actor,
            request_id=why.request_id,
        )

    await ltm.write(scope, note)
    return Wiped(**counts)


def _wipe_episodes(writer: LtmWriter) -> int:
    return writer.delete_episodes(writer.oldest_episodes(before_ms=None, limit=SLICE))
