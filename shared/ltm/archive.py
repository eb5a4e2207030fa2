"""Archiving: messages become episodes, once each, in order. The promise of P1 and P8.

Redis lets go of a message only after the commit here has reached the disk (`durable`), so a power
loss cannot take what nobody else holds. Running it twice is harmless: episodes are keyed by message.
A session that is deleted between the reading and the writing leaves nothing.
"""

from __future__ import annotations

from collections.abc import Callable
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
    """
    archived = unreadable = to_seq = 0
    while True:
        session, messages = await stm.read_unarchived(scope, session_key, limit=BATCH_MESSAGES)
        if session is None or session.archived_to >= session.last_seq:
            return ArchiveReport(messages=archived, to_seq=to_seq, unreadable=unreadable)
        to_seq = min(session.archived_to + BATCH_MESSAGES, session.last_seq)
        unreadable += to_seq - session.archived_to - len(messages)
        kept = [
            message.model_copy(update={"body": message.body.with_reasoning(None, "never").masked(mask)})
            for message in messages
        ]
        work = partial(_add_batch, session=session, messages=kept)
        archived += await ltm.write(scope, work, durable=True)
        await stm.mark_archived(
            scope, session_key, epoch=session.epoch, to_seq=to_seq, window_tokens=window_tokens
        )


def _add_batch(writer: LtmWriter, session: Session, *, messages: list[Message]) -> int:
    key = session.key.partition("~")[0]
    if writer.is_deleted(key, session.epoch):  # since it was read
        return 0
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
                Episode(session_id=session.id, session_key=session.key, epoch=session.epoch, message=message),
                describe_message(session, message, forgotten=forgotten.get(message.id, ())),
            )
            for message in messages
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
