"""Applying what a user said: one transaction for everything that one message changes.

A wipe that the user has confirmed in so many words runs first, in slices, and is safe to run again.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from shared.ltm.edit import Why
from shared.ltm.wipe import wipe_memories
from shared.model.memory import Source
from shared.model.message import Message
from shared.model.scope import Scope
from shared.ports.ltm import LongTermMemory
from shared.turn.apply import Applied, Applying, apply_message
from shared.turn.reading import Reading, read_message
from shared.turn.request import TurnRules


@dataclass(frozen=True, slots=True)
class Speaking:
    """Who says something, where and when (`at`: aware, in the user's zone)."""

    session_id: str
    actor: str
    request_id: str
    may_resolve: bool
    at: datetime


def read_and_prepare(
    message: Message, question: Message | None, *, speaking: Speaking, rules: TurnRules
) -> tuple[Reading, Applying]:
    """Return what a message says, and what applying it needs.

    `question` is the assistant's message right before it, None where there is none.
    """
    today = speaking.at.date()
    reading = read_message(message, question, schema=rules.schema, today=today)
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
    question: Message | None,
    speaking: Speaking,
    rules: TurnRules,
    ltm: LongTermMemory,
) -> Applied:
    """Read a message and apply what it says; no transaction where it says nothing to memory."""
    reading, applying = read_and_prepare(message, question, speaking=speaking, rules=rules)
    if reading.changes_nothing:
        return Applied()
    wiped = None
    if reading.confirms_wipe and speaking.may_resolve:
        wiped = await wipe_memories(scope, why=applying.why, ltm=ltm)
    return await ltm.write(
        scope,
        lambda writer: apply_message(writer, reading, message=message, applying=applying, wiped=wiped),
    )
