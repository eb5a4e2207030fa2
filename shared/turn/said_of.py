"""Who said what of a topic: the messages that stand in a session's window, in the tail, and in the archive.

They are read as they are kept: secrets masked, without what was forgotten before.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Final

from shared.extraction.bound_names import with_names
from shared.extraction.spoken import Topic
from shared.language.terms import query_terms
from shared.model.base import Value
from shared.model.memory import Episode
from shared.model.message import Message, TailMessage
from shared.ports.ltm import LtmReader
from shared.text import cut_texts

MOST_ROWS: Final = 500
"""So many archived messages are looked at for a noun, and again for names: those with most of the words."""
_LOOKED_AHEAD: Final = 4
"""The user's next message is looked for among so many archived ones."""
_ROLES: Final = frozenset({"user", "assistant"})


@dataclass(frozen=True, slots=True)
class Heard:
    """What a turn has at hand of what was said: its session's window, and the tail."""

    session_id: str
    window: Sequence[Message] = ()
    tail: Sequence[TailMessage] = ()


@dataclass(frozen=True, slots=True)
class Utterance:
    """One message of the past, as much of it as is not forgotten.

    `epoch` is that of its session, None for the newest; `goes_on` says that the user's message before ended
    with the topic.
    """

    message_id: str
    session_id: str
    text: str
    is_user: bool
    at_ms: int
    seq: int
    epoch: int | None = None
    goes_on: bool = False


class Redaction(Value):
    """What is to leave the sessions: what speaks of a topic, in these messages (none named: in all).

    Those of `following` go on with "she" from the message before.
    """

    topic: Topic
    session_ids: tuple[str, ...] = ()
    message_ids: tuple[str, ...] = ()
    following: tuple[str, ...] = ()


def find_said(
    reader: LtmReader, topic: Topic, *, heard: Heard, mask_text: Callable[[str], str]
) -> tuple[Topic, list[Utterance]]:
    """Return the topic with the names that the user gave it, and what was said of it, oldest first."""
    fresh = _fresh(reader, heard, mask_text=mask_text)
    found = {each.message_id: each for each in (*_archived(reader, [topic.noun, *topic.names]), *fresh)}
    stated = [sentence for each in found.values() if each.is_user for sentence in topic.states(each.text)]
    named = with_names(topic, stated)
    new = [name for name in named.names if name not in topic.names]
    if new:
        found = {each.message_id: each for each in _archived(reader, new)} | found
        named = with_names(topic, [each.text for each in found.values() if each.is_user])
    told = _with_following(reader, named, found=found)
    return named, sorted(told, key=lambda each: (each.at_ms, each.seq, each.message_id))


def spans_of(topic: Topic, said: Utterance) -> list[str]:
    """Return the sentences of a message that speak of a topic."""
    return topic.spans(said.text, is_user=said.is_user, goes_on=said.goes_on)


def _with_following(reader: LtmReader, topic: Topic, *, found: dict[str, Utterance]) -> list[Utterance]:
    """Return what speaks of the topic, and messages of the user right after it that go on with "she"."""
    told = {name: each for name, each in found.items() if spans_of(topic, each)}
    waiting = [each for each in told.values() if each.is_user]
    for said in islice(waiting, MOST_ROWS):  # it grows on the way
        if not topic.ends_with_it(said.text, goes_on=said.goes_on):
            continue
        following = _next_of_user(reader, said, found=found)
        if following is None or following.message_id in told:
            continue
        following = replace(following, goes_on=True)
        if spans_of(topic, following):
            told[following.message_id] = following
            waiting.append(following)
    return list(told.values())


def _next_of_user(reader: LtmReader, said: Utterance, *, found: dict[str, Utterance]) -> Utterance | None:
    """Return the user's next message in the same session, archived or not."""
    archived = reader.episodes(said.session_id, epoch=said.epoch, after_seq=said.seq, limit=_LOOKED_AHEAD)
    for episode in archived:
        if episode.message.role == "user":
            return _of_episodes(reader, [episode])[0]
    later = [
        each
        for each in found.values()
        if each.is_user and each.session_id == said.session_id and each.seq > said.seq
    ]
    return min(later, key=lambda each: each.seq, default=None)


def _fresh(reader: LtmReader, heard: Heard, *, mask_text: Callable[[str], str]) -> list[Utterance]:
    own = [(heard.session_id, message) for message in heard.window if message.role in _ROLES]
    others = [(each.session_id, each.message) for each in heard.tail]
    forgotten = reader.forgotten_spans([message.id for _, message in (*own, *others)])
    return [
        _utterance(session_id, message, text=mask_text(message.text), forgotten=forgotten.get(message.id, ()))
        for session_id, message in (*others, *own)
    ]


def _archived(reader: LtmReader, words: Iterable[str]) -> list[Utterance]:
    ids = _rows_with(reader, " ".join(words))
    return _of_episodes(reader, [row for row in reader.rows(ids).values() if isinstance(row, Episode)])


def _of_episodes(reader: LtmReader, rows: Sequence[Episode]) -> list[Utterance]:
    forgotten = reader.forgotten_spans([row.message.id for row in rows])
    said = [
        _utterance(
            row.session_id, row.message, text=row.message.text, forgotten=forgotten.get(row.message.id, ())
        )
        for row in rows
        if row.message.role in _ROLES
    ]
    epochs = {row.message.id: row.epoch for row in rows}
    return [replace(each, epoch=epochs[each.message_id]) for each in said]


def _rows_with(reader: LtmReader, words: str) -> list[int]:
    """Return ids of the rows that hold most of the words, the newest first among equals."""
    terms = query_terms(words)
    wanted = {term.term for term in terms if not term.single_character}
    if not wanted:
        lone = [term.term for term in terms][:1]
        return [row_id for character in lone for row_id in reader.rows_with_character(character)][-MOST_ROWS:]
    row_ids = reader.scope_rows().row_ids
    counts = Counter(
        int(row_ids[position])
        for each in reader.postings(wanted).values()
        for position in each.positions.tolist()
    )
    return sorted(counts, key=lambda row_id: (counts[row_id], row_id), reverse=True)[:MOST_ROWS]


def _utterance(session_id: str, message: Message, *, text: str, forgotten: Sequence[str]) -> Utterance:
    return Utterance(
        message_id=message.id,
        session_id=session_id,
        text=cut_texts(text, forgotten),
        is_user=message.role == "user",
        at_ms=message.created_at_ms,
        seq=message.seq,
    )
