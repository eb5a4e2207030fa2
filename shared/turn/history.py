"""A conversation as a whole: its messages over both layers, and its end."""

from __future__ import annotations

from shared.errors import Missing
from shared.ltm.proposals import MAX_OPEN
from shared.model.message import Message, applied_keys
from shared.model.scope import Scope
from shared.ports.ltm import LongTermMemory, LtmWriter, PendingFilter
from shared.ports.stm import ShortTermMemory


async def read_history(
    scope: Scope,
    session_id: str,
    *,
    after_seq: int,
    limit: int,
    stm: ShortTermMemory,
    ltm: LongTermMemory,
) -> list[Message]:
    """Return messages after `after_seq`, oldest first, archived ones included.

    Raises `Missing` where the session does not live (its episodes stay searchable).
    """
    session = await stm.read_session(scope, session_id, window_tokens=0)
    episodes = await ltm.read(
        scope,
        lambda reader: reader.episodes(session_id, epoch=session.epoch, after_seq=after_seq, limit=limit),
    )
    messages = {episode.message.seq: episode.message for episode in episodes}
    for message in await stm.read_messages(scope, session_id, after_seq=after_seq, limit=limit):
        messages.setdefault(message.seq, message)
    return [messages[seq] for seq in sorted(messages)][:limit]


async def delete_session(
    scope: Scope, session_id: str, *, actor: str, request_id: str, stm: ShortTermMemory, ltm: LongTermMemory
) -> dict[str, int]:
    """Delete a session's messages in both layers, its digest and open proposals; returns how many of each.

    Short-term memory goes first; a job that has read the session before finds it noted as deleted when it
    writes. Raises `Missing` where neither layer knows the session.
    """
    deleted = await stm.delete_session(scope, session_id)

    def work(writer: LtmWriter) -> dict[str, int]:
        writer.note_deleted(deleted.epochs)
        writer.drop_applied([key for name in deleted.unarchived_ids for key in applied_keys(name)])
        proposals = len(writer.pending_updates(PendingFilter(session_id=session_id, limit=MAX_OPEN)))
        counts = {
            "messages": deleted.messages,
            "episodes": writer.delete_session(session_id),
            "proposals": proposals,
            "digests": int(writer.delete_digest(session_id)),
        }
        if any(counts.values()):
            writer.note_deleted_session(session_id)
            writer.add_audit("session.delete", path=None, details=counts, actor=actor, request_id=request_id)
        return counts

    counts = await ltm.write(scope, work)
    if not any(counts.values()):
        raise Missing("There is no such session.")
    return counts
