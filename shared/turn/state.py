"""Applying what a user said: one transaction for everything that one message changes.

A wipe that the user has confirmed in so many words runs first, in slices, and is safe to run again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Final

from shared.errors import Unavailable
from shared.extraction.assignments import Reader
from shared.ltm.edit import Why
from shared.ltm.wipe import wipe_memories
from shared.model.memory import Source
from shared.model.message import Message
from shared.model.scope import Scope
from shared.ports.ltm import LongTermMemory
from shared.turn.apply import Applied, apply_message
from shared.turn.applying import Applying
from shared.turn.correcting import find_corrected
from shared.turn.kept_former import with_former
from shared.turn.reading import Reading, read_message
from shared.turn.request import TurnRules
from shared.turn.said_of import Heard


@dataclass(frozen=True, slots=True)
class Speaking:
    """Who says something, where and when (`at`: aware, in the user's zone), and by which button."""

    session_id: str
    actor: str
    request_id: str
    may_resolve: bool
    at: datetime
    action: str | None = None


@dataclass(frozen=True, slots=True)
class Earlier:
    """What stands before a message: the assistant's message right before it, the user's former message.

    `exchange` is all that stands before the message, as far as the window reaches; `heard` is what else was
    said of late. With `is_quiet` the session is off the record.
    """

    question: Message | None = None
    former_id: str = ""
    exchange: tuple[Message, ...] = ()
    heard: Heard | None = None
    is_quiet: bool = False


NOTHING_EARLIER: Final = Earlier()


def earlier_than(window: Sequence[Message]) -> Earlier:
    """Return what stands before the last message of a window."""
    before = window[-2] if len(window) > 1 else None
    question = before if before is not None and before.role == "assistant" else None
    for message in islice(reversed(window), 1, None):
        if message.role == "user":
            return Earlier(question, message.id, tuple(window[:-1]))
    return Earlier(question)


def read_and_prepare(
    message: Message, question: Message | None, *, speaking: Speaking, rules: TurnRules
) -> tuple[Reading, Applying]:
    """Return what a message says, and what applying it needs.

    `question` is the assistant's message right before it, None where there is none.
    """
    today = speaking.at.date()
    reading = read_message(message, question, schema=rules.schema, today=today, zone=speaking.at.tzinfo)
    message_ids = [message.id]
    if question is not None and (question.body.asks_paths or question.body.asks_pending):
        message_ids.append(question.id)
    source = Source(session_id=speaking.session_id, message_ids=tuple(message_ids))
    why = Why(
        actor=speaking.actor,
        request_id=speaking.request_id,
        origin="user",
        source=source,
        at=speaking.at,
        action=speaking.action,
    )
    return reading, Applying(
        why=why,
        schema=rules.schema,
        mask=rules.mask,
        mask_text=rules.mask_text,
        today=today,
        keep_days=rules.pending_days,
        may_resolve=speaking.may_resolve,
    )


async def apply_reading(
    scope: Scope,
    message: Message,
    *,
    earlier: Earlier,
    speaking: Speaking,
    rules: TurnRules,
    ltm: LongTermMemory,
) -> Applied:
    """Read a message and apply what it says; no transaction where it says nothing to memory.

    Raises `Unavailable` where memory is away and the message asks it for something; talk goes on without it.
    """
    reading, applying = read_and_prepare(message, earlier.question, speaking=speaking, rules=rules)
    reading = reading.hushed(was_quiet=earlier.is_quiet)
    left_out = (message.id,) if earlier.is_quiet and not reading.turns else ()
    if reading.changes_nothing:
        return Applied(forgotten_ids=left_out)
    reading = replace(reading, former_id=earlier.former_id, exchange=earlier.exchange, heard=earlier.heard)
    reading, applying = with_former(reading, applying)
    try:
        applied = await _apply(scope, reading, message=message, applying=applying, ltm=ltm)
        return applied.model_copy(update={"forgotten_ids": (*applied.forgotten_ids, *left_out)})
    except Unavailable:
        if reading.asks_nothing:
            return Applied(forgotten_ids=left_out)
        raise


async def _apply(
    scope: Scope, reading: Reading, *, message: Message, applying: Applying, ltm: LongTermMemory
) -> Applied:
    if reading.is_plain and not await _corrects(scope, reading, applying=applying, ltm=ltm):
        return Applied()
    wiped = None
    if reading.confirms_wipe and applying.may_resolve:
        wiped = await wipe_memories(scope, why=applying.why, ltm=ltm)
    return await ltm.write(
        scope,
        lambda writer: apply_message(writer, reading, message=message, applying=applying, wiped=wiped),
    )


async def _corrects(scope: Scope, reading: Reading, *, applying: Applying, ltm: LongTermMemory) -> bool:
    """Whether what looks like a correction is one of anything that is kept: most are part of the talk."""
    correction = reading.correction
    if correction is None:
        return False
    found = await ltm.read(
        scope,
        lambda reader: find_corrected(
            reader,
            correction,
            former_id=reading.former_id,
            reading=Reader(applying.schema, applying.today, applying.zone),
        ),
    )
    return found is not None
