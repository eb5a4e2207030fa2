"""What a session may not tell any more: forgotten spans of its messages, and all that is gone. Pure.

What is made of messages (a summary, a digest, key facts) is made without the spans that were forgotten or off
the record, so that nothing has to be recognised by its words where the message it came from is known.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

from shared.ids import made_at_ms
from shared.model.message import Message, Session, SessionNotes
from shared.model.pending import Tombstone
from shared.model.session_state import KeyFact
from shared.ports.ltm import LtmReader
from shared.stm.gone import Gone, gone_of, leave_out_gone, tells_gone
from shared.text import cut_texts

Spans = Mapping[str, Sequence[str]]
"""Forgotten spans of messages, by the messages' ids."""

NO_SPANS: Final[Spans] = MappingProxyType({})


class Withheld(NamedTuple):
    """Forgotten spans by message, and everything that is gone, these spans included."""

    spans: Spans
    gone: tuple[Gone, ...]


NOTHING_WITHHELD: Final = Withheld(NO_SPANS, ())


def read_withheld(reader: LtmReader, message_ids: Iterable[str], *, with_rejected: bool = True) -> Withheld:
    """Return what is withheld of these messages; a rejected proposal is gone for some readers only."""
    spans = reader.forgotten_spans(frozenset(message_ids))
    stones = [stone for stone in reader.tombstones() if with_rejected or stone.cause != "rejected"]
    return Withheld(spans, gone_of(stones, spans=(span for found in spans.values() for span in found)))


def read_spans_of(reader: LtmReader, notes: SessionNotes, *, tombstones: Sequence[Tombstone]) -> Spans:
    """Return the forgotten spans of the messages that key facts and results come from.

    Nothing is looked up for a user who never had anything forgotten.
    """
    if not tombstones:
        return NO_SPANS
    message_ids = {each.message_id for each in notes.key_facts} | {each.message_id for each in notes.results}
    return reader.forgotten_spans(message_ids) if message_ids else NO_SPANS


def without_spans(messages: Sequence[Message], spans: Spans) -> tuple[Message, ...]:
    """Return messages without their forgotten spans."""
    return tuple(
        [_cut(message, spans[message.id]) if message.id in spans else message for message in messages]
    )


def _cut(message: Message, spans: Sequence[str]) -> Message:
    return message.model_copy(update={"body": message.body.masked(lambda text: cut_texts(text, spans))})


def notes_outside(notes: SessionNotes, spans: Spans) -> SessionNotes:
    """Return notes without the key facts and results that come from forgotten spans."""
    facts = [fact for fact in notes.key_facts if not _lies_in(fact.text, spans.get(fact.message_id, ()))]
    results = [each for each in notes.results if not _lies_in(each.quote, spans.get(each.message_id, ()))]
    return notes.model_copy(update={"key_facts": tuple(facts), "results": tuple(results)})


def _lies_in(words: str, spans: Sequence[str]) -> bool:
    """Whether a slice of a message lies in a forgotten span of it, or holds one."""
    return any(words in span or span in words for span in spans)


def without_withheld(session: Session, withheld: Withheld) -> Session:
    """Return a session whose summary and key facts tell nothing that is withheld."""
    notes = notes_outside(session.notes, withheld.spans)
    facts = [fact for fact in notes.key_facts if not _is_gone(fact, withheld.gone)]
    made = session.summary
    if made is not None:
        made = made.model_copy(update={"summary": leave_out_gone(made.summary, withheld.gone)})
    return session.model_copy(
        update={"notes": notes.model_copy(update={"key_facts": tuple(facts)}), "summary": made}
    )


def _is_gone(fact: KeyFact, gone: Sequence[Gone]) -> bool:
    return tells_gone(fact.text, gone, said_at_ms=made_at_ms(fact.message_id) or 0)
