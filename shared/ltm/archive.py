"""Archiving: messages become episodes, once each, in order. The promise of P1 and P8.

Long texts are described before the transaction, which holds the lock of all who write, and a batch of them is
small. Redis lets go of a message only after the commit here has reached the disk (`durable`), so a power
loss cannot take what nobody else holds. Running it twice is harmless: episodes are keyed by message.
A session that is deleted between the reading and the writing leaves nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from zoneinfo import ZoneInfo

from shared.ltm.index import describe_row
from shared.model.base import Value
from shared.model.extraction import ExtractionStep
from shared.model.memory import Episode
from shared.model.message import Message, Session
from shared.model.moment import from_ms
from shared.model.recall import RowRecord
from shared.model.scope import Scope
from shared.ports.ltm import LongTermMemory, LtmWriter
from shared.ports.stm import ShortTermMemory
from shared.text import cut_texts

BATCH_MESSAGES = 200


class ArchiveReport(Value):
    """What one run archived: `messages` were new, `to_seq` is the last one taken (0: none).

    `unreadable` messages do not open with the key that opens their session: they are spoilt, and passed over.
    """

    messages: int = 0
    to_seq: int = 0
    unreadable: int = 0


async def archive_session(
    scope: Scope,
    session_key: str,
    *,
    window_tokens: int,
    mask: Callable[[str], str],
    stm: ShortTermMemory,
    ltm: LongTermMemory,
) -> ArchiveReport:
    """Archive all unarchived messages of a session; `window_tokens` is what stays in the window.

    `mask` masks the secrets in a text: no original of one reaches long-term memory, and no model's reasoning.
    What is off the record comes without its words.
    """
    archived = unreadable = to_seq = 0
    while True:
        session, messages = await stm.read_unarchived(scope, session_key, limit=BATCH_MESSAGES)
        if session is None or session.archived_to >= session.last_seq:
            return ArchiveReport(messages=archived, to_seq=to_seq, unreadable=unreadable)
        # Of a batch in which nothing opens only the first message is passed over: it says not how long it is.
        to_seq = messages[-1].seq if messages else session.archived_to + 1
        unreadable += to_seq - session.archived_to - len(messages)
        kept = [
            message.model_copy(update={"body": message.body.with_reasoning(None, "never").masked(mask)})
            for message in messages
        ]
        kept = [each.without_words() if session.notes.is_quiet_at(each.seq) else each for each in kept]
        archived += await add_messages(scope, session, messages=kept, ltm=ltm) if kept else 0
        await stm.mark_archived(
            scope, session_key, epoch=session.epoch, to_seq=to_seq, window_tokens=window_tokens
        )


@dataclass(frozen=True, slots=True)
class _Described:
    message: Message
    forgotten: tuple[str, ...]
    record: RowRecord


async def add_messages(
    scope: Scope, session: Session, *, messages: Sequence[Message], ltm: LongTermMemory
) -> int:
    """Archive messages in one durable transaction; return how many were new."""
    ids = [message.id for message in messages]
    forgotten = await ltm.read(scope, lambda reader: reader.forgotten_spans(ids))
    batch = [
        _Described(message, spans, describe_message(session, message, forgotten=spans))
        for message in messages
        for spans in (forgotten.get(message.id, ()),)
    ]
    return await ltm.write(scope, partial(_add_batch, session=session, batch=batch), durable=True)


def _add_batch(writer: LtmWriter, session: Session, *, batch: Sequence[_Described]) -> int:
    """Add what was described; what was forgotten since then is described anew."""
    key = session.key.partition("~")[0]
    if writer.is_deleted(key, session.epoch):  # since it was read
        return 0
    messages = [each.message for each in batch]
    forgotten = writer.forgotten_spans([message.id for message in messages])
    fresh = [message for message in messages if writer.episode(message.id) is None]
    if fresh:
        writer.note_archived(
            ExtractionStep(
                session_key=key,
                epoch=session.epoch,
                from_seq=fresh[0].seq,
                to_seq=fresh[-1].seq,
                tokens=sum(message.tokens for message in fresh),
                oldest_at_ms=fresh[0].received_at_ms,
            )
        )
    return writer.add_episodes(
        [
            (
                Episode(
                    session_id=session.id, session_key=session.key, epoch=session.epoch, message=each.message
                ),
                each.record
                if spans == each.forgotten
                else describe_message(session, each.message, forgotten=spans),
            )
            for each in batch
            for spans in (forgotten.get(each.message.id, ()),)
        ]
    )


def describe_message(session: Session, message: Message, *, forgotten: tuple[str, ...]) -> RowRecord:
    """Return the index record of a message, dated in the session's zone, its forgotten spans left out."""
    zone = ZoneInfo(session.notes.timezone) if session.notes.timezone else UTC
    said_at = from_ms(message.created_at_ms).astimezone(zone)
    return describe_said(message, said_at=said_at, forgotten=forgotten)


def describe_said(message: Message, *, said_at: datetime, forgotten: tuple[str, ...]) -> RowRecord:
    """Return the index record of a message that was said at a time in the user's zone.

    A reply that was made from memory alone has no words in the index, nor has what our code added to one:
    recalled, it would echo for ever.
    """
    return describe_row(
        cut_texts(message.said, forgotten),
        speaker=message.body.name or message.role,
        said_at=said_at,
    )
