"""Leaving out of memory what the user says off the record, or takes off it right after.

The session it was said in goes on with it. Its words are in no index, no proposal, no digest and no prompt
of another session: they are forgotten spans of their message before the archive takes it, and a tombstone
keeps them away from what was said before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Final

from shared.extraction.command import NOT_KEPT, QUIET, QUIET_ENDED
from shared.ltm.edit import Why, bury_text, forget_quotes, remove_memory
from shared.ltm.index import normal_text
from shared.model.memory import Source
from shared.model.message import Message
from shared.model.turn import CommandOutcome
from shared.ports.ltm import LtmReader, LtmWriter, MemoryFilter, PendingFilter
from shared.turn.applying import Applying
from shared.turn.forgetting import MOST_COMPARED, Forgotten
from shared.turn.reading import Reading
from shared.turn.taking_back import has_changed, keep_again, memories_of, take_fields_back

ONLY_SAID: Final = "only_said"
"""Why a request is refused: it is about messages that are not there yet."""

_PAUSE_MS: Final = 1_800_000


def is_off_record(outcomes: Iterable[CommandOutcome]) -> bool:
    """Whether a message said what is not to be kept: its reply may echo it, and is not recalled either."""
    return any(outcome.reason in {NOT_KEPT, QUIET, QUIET_ENDED} for outcome in outcomes)


def leave_off_record(writer: LtmWriter, reading: Reading, *, applying: Applying) -> list[Forgotten]:
    """Leave out what a message asks not to keep; nothing where it asks for nothing that there is.

    An agent's key (`may_resolve` is False) may leave out what it says itself, and takes nothing away.
    """
    why, mask_text, may_resolve = applying.why, applying.mask_text, applying.may_resolve
    taken: list[str] = []
    restored: list[CommandOutcome] = []
    named: list[str] = []
    for each in reading.off_record:
        if each.words or each.announces:
            said = mask_text(reading.text[each.start : each.end])
            words = mask_text(each.words)
            buried = (words or said) if may_resolve else ""
            message_id = leave_out(writer, why.source.message_ids[0], said=said, words=buried, why=why)
            taken += [message_id] if words else ()
            standing = writer.memory_with_text(normal_text(words)) if may_resolve and words else None
            taken += remove_memory(writer, standing, why=why) if standing is not None else ()
        elif may_resolve and reading.exchange:
            meant = _meant(writer, reading.exchange, back=each.back)
            if each.is_of_kept and not _was_taken_up(writer, reading):
                continue
            named += [mask_text(message.text) for message in meant if message.role == "user"]
            restored += _restore(writer, meant, applying=applying)
            taken += _leave_out_exchange(writer, meant, why=why, mask_text=mask_text)
    kept_out = CommandOutcome(kind="forget", reason=NOT_KEPT, old=named if len(named) > 1 else None)
    left_out = [Forgotten(kept_out, taken)] if taken else []
    return [
        *left_out,
        *map(Forgotten, [*restored, *_refused(reading)]),
        *_turned(writer, reading, applying=applying),
    ]


def _turned(writer: LtmWriter, reading: Reading, *, applying: Applying) -> list[Forgotten]:
    """Tell that the session is off the record, or back on it; the words that take it off are left out."""
    if not reading.turns:
        return []
    if reading.turns == "off":
        return [Forgotten(CommandOutcome(kind="forget", reason=QUIET_ENDED))]
    why, said = applying.why, applying.mask_text(reading.text)
    message_id = leave_out(writer, why.source.message_ids[0], said=said, words="", why=why)
    return [Forgotten(CommandOutcome(kind="forget", reason=QUIET), [message_id])]


def _refused(reading: Reading) -> list[CommandOutcome]:
    """What nobody can promise: that messages to come are not kept."""
    if not any(each.announces for each in reading.off_record):
        return []
    return [CommandOutcome(kind="forget", outcome="refused", reason=ONLY_SAID)]


def _meant(reader: LtmReader, exchange: Sequence[Message], *, back: int) -> Sequence[Message]:
    """Return the user's last `back` messages, with what was replied to them.

    They are one run: a pause of half an hour ends it, and so does a message that memory has carried
    something out of; the last message is meant in any case.
    """
    start, found = len(exchange), 0
    for place in reversed(range(len(exchange))):
        message = exchange[place]
        if message.role != "user":
            continue
        if found and (
            exchange[start].received_at_ms - message.received_at_ms > _PAUSE_MS
            or has_changed(reader, message.id)
        ):
            break
        start, found = place, found + 1
        if found == back:
            break
    return exchange[start:]


def _was_taken_up(reader: LtmReader, reading: Reading) -> bool:
    """Whether memory has carried out something of the user's message before, or has asked about it."""
    return bool(reading.asked) or has_changed(reader, reading.former_id)


def _restore(writer: LtmWriter, messages: Sequence[Message], *, applying: Applying) -> list[CommandOutcome]:
    """Bring back what messages set or replaced; what they kept is there still, and goes after that."""
    ids = [message.id for message in reversed(messages) if message.role == "user"]
    outcomes = [each for name in ids for each in take_fields_back(writer, name, applying=applying)]
    replaced = [
        memory
        for name in ids
        for memory in memories_of(writer, name, action="memory.supersede", status="superseded")
    ]
    for memory in replaced:
        keep_again(writer, memory, why=applying.why)
    texts = [memory.text for memory in replaced]
    return [*outcomes, CommandOutcome(kind="undo", new=texts)] if texts else outcomes


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
    """Leave out the user's messages before and their replies, and what was remembered or proposed of them."""
    ids = {message.id for message in exchange}
    taken = []
    for message in exchange:
        text = mask_text(message.text)
        if text:
            words = text if message.role == "user" else ""
            taken.append(leave_out(writer, message.id, said=text, words=words, why=why))
    for memory in writer.memories(MemoryFilter(limit=MOST_COMPARED)):
        if not ids.isdisjoint(memory.source.message_ids):
            taken += remove_memory(writer, memory, why=why)
    for update in writer.pending_updates(PendingFilter(limit=MOST_COMPARED)):
        if update.message_id in ids:
            writer.close_update(update.id, status="rejected")
    return taken
