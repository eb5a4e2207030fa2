"""Leaving out of memory what the user says off the record, or takes off it right after.

The session it was said in goes on with it. Its words are in no index, no proposal, no digest and no prompt
of another session: they are forgotten spans of their message before the archive takes it, and a tombstone
keeps them away from what was said before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from shared.extraction.command import NOT_KEPT
from shared.ltm.edit import Why, bury_text, forget_quotes, remove_memory
from shared.ltm.index import normal_text
from shared.model.memory import Source
from shared.model.message import Message
from shared.model.turn import CommandOutcome
from shared.ports.ltm import LtmWriter, MemoryFilter, PendingFilter
from shared.turn.forgetting import MOST_COMPARED, Forgotten
from shared.turn.reading import Reading


def is_off_record(outcomes: Iterable[CommandOutcome]) -> bool:
    """Whether a message said what is not to be kept: its reply may echo it, and is not recalled either."""
    return any(outcome.reason == NOT_KEPT for outcome in outcomes)


def leave_off_record(
    writer: LtmWriter, reading: Reading, *, why: Why, mask_text: Callable[[str], str], may_resolve: bool
) -> list[Forgotten]:
    """Leave out what a message asks not to keep; nothing where it asks for nothing that there is.

    An agent's key (`may_resolve` is False) may leave out what it says itself, and takes nothing away.
    """
    taken: list[str] = []
    for each in reading.off_record:
        if each.words:
            said = mask_text(reading.text[each.start : each.end])
            words = mask_text(each.words)
            taken.append(leave_out(writer, why.source.message_ids[0], said=said, words=words, why=why))
            standing = writer.memory_with_text(normal_text(words)) if may_resolve else None
            taken += remove_memory(writer, standing, why=why) if standing is not None else ()
        elif may_resolve:
            taken += _leave_out_exchange(writer, reading.exchange, why=why, mask_text=mask_text)
    return [Forgotten(CommandOutcome(kind="forget", reason=NOT_KEPT), taken)] if taken else []


def leave_out(writer: LtmWriter, message_id: str, *, said: str, words: str, why: Why) -> str:
    """Take what was said out of all that is searched, and bury its words; returns the message's id.

    `said` is a stretch of the message as it is kept, secrets masked; empty `words` bury nothing.
    """
    forget_quotes(writer, [Source(message_ids=(message_id,), quote=said)], why=why)
    if words:
        bury_text(writer, words, why=why)
    session_id = why.source.session_id
    details = {"message_id": message_id, "kind": "episode", "session_id": session_id, **why.marks}
    writer.add_audit("memory.delete", path=None, details=details, actor=why.actor, request_id=why.request_id)
    return message_id


def _leave_out_exchange(
    writer: LtmWriter, exchange: Sequence[Message], *, why: Why, mask_text: Callable[[str], str]
) -> list[str]:
    """Leave out the user's message before and its replies, and what was remembered or proposed of it."""
    taken = []
    for message in exchange:
        text = mask_text(message.text)
        if text:
            words = text if message.role == "user" else ""
            taken.append(leave_out(writer, message.id, said=text, words=words, why=why))
    if exchange:
        for memory in writer.memories(MemoryFilter(limit=MOST_COMPARED)):
            if exchange[0].id in memory.source.message_ids:
                taken += remove_memory(writer, memory, why=why)
        for update in writer.pending_updates(PendingFilter(limit=MOST_COMPARED)):
            if update.message_id == exchange[0].id:
                writer.close_update(update.id, status="rejected")
    return taken
