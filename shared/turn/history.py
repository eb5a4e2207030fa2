"""A conversation as a whole: its messages over both layers, and its end."""

from __future__ import annotations

from shared.errors import Missing
from shared.ltm.proposals import MAX_OPEN
from shared.model.message import Message, applied_keys
from shared.model.scope import Scope
from shared.ports.ltm import LongTermMemory, LtmReader, LtmWriter, PendingFilter
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
    """Return messages after `after_seq`, oldest first, archived ones included, without what was forgotten.

    Raises `Missing` where the session does not live (its episodes stay searchable).
    """
    session = await stm.read_session(scope, session_id, window_tokens=0)
    held = await stm.read_messages(scope, session_id, after_seq=after_seq, limit=limit)

    def work(reader: LtmReader) -> dict[int, Message]:
        archived = reader.episodes(session_id, epoch=session.epoch, after_seq=after_seq, limit=limit)
        found = {message.seq: message for message in (*held, *(episode.message for episode in archived))}
        forgotten = reader.forgotten_spans([message.id for message in found.values()])
        return {seq: message.without(forgotten.get(message.id, ())) for seq, message in found.items()}

    messages = await ltm.read(scope, work)
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
