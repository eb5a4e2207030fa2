"""A turn's part of its session: what the message adds to the notes, and what these add to the prompt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from shared.language.scripts import follow_language
from shared.ltm.edit import Why
from shared.ltm.schema import Schema
from shared.model.memory import Ended, FieldVersion
from shared.model.message import Message, Session, SessionNotes
from shared.model.pending import Tombstone
from shared.model.scope import Scope
from shared.model.session_state import Digest
from shared.model.turn import CommandOutcome
from shared.ports.ltm import LongTermMemory
from shared.ports.stm import TurnStart
from shared.prompts.load import Language
from shared.stm.lift import lift_messages
from shared.stm.withheld import Spans
from shared.turn.context import PromptParts
from shared.turn.request import TurnRules
from shared.turn.settled import settle
from shared.turn.standing import (
    TASK_TYPE,
    Standing,
    render_blocks,
    required_fields,
    shown_window,
    standing_of,
    system_text,
)
from shared.turn.topics import apply_topics


@dataclass(frozen=True, slots=True)
class SessionPart:
    """The session of one turn: its notes with what the message says, and every ban that holds."""

    session: Session | None
    notes: SessionNotes
    language: Language
    banned: tuple[str, ...] = ()
    outcomes: tuple[CommandOutcome, ...] = ()


async def lift_turn(
    scope: Scope,
    start: TurnStart,
    *,
    timezone: str | None,
    why: Why,
    rules: TurnRules,
    ltm: LongTermMemory,
) -> SessionPart:
    """Lift what the message says, and apply what it says of topics."""
    notes = start.session.notes
    topics = await apply_topics(scope, start.message, notes=notes, why=why, ltm=ltm)
    language = follow_language(notes.language, start.message.text)
    notes = notes.model_copy(update={"language": language, "timezone": timezone})
    notes = lift_messages(notes, start.session.window, rules=rules.lift)
    banned = (*notes.banned_topics, *topics.standing)
    return SessionPart(start.session, notes, language, banned=banned, outcomes=topics.outcomes)


@dataclass(frozen=True, slots=True)
class Kept:
    """What long-term memory holds that bears on a session's head: current fields, what is gone or over.

    `from_last` is what it keeps from the session of the digest; `spans` are forgotten ones of the messages
    that the notes come from.
    """

    fields: Sequence[FieldVersion] = ()
    digest: Digest | None = None
    tombstones: Sequence[Tombstone] = ()
    ended: Sequence[Ended] = ()
    from_last: Sequence[str] = ()
    spans: Spans = field(default_factory=dict)


def standing_in(part: SessionPart, kept: Kept, *, schema: Schema) -> Standing:
    """Return what stands in the head of the session beside fields and memories."""
    values: dict[str, Any] = {field.path: field.value for field in kept.fields}
    required = required_fields(schema, task_type=values.get(TASK_TYPE), language=part.language)
    standing = standing_of(
        part.session, part.notes, digest=kept.digest, topics=part.banned, required=required, values=values
    )
    standing = replace(standing, kept=tuple(kept.from_last))
    return settle(
        standing,
        tombstones=kept.tombstones,
        values=values,
        schema=schema,
        ended=kept.ended,
        spans=kept.spans,
    )


def add_session(
    parts: PromptParts,
    part: SessionPart,
    *,
    window: Sequence[Message],
    standing: Standing,
    system: str | None,
    budget_tokens: int,
) -> PromptParts:
    """Return the parts of a prompt with those that come from the session."""
    return parts.with_turn(
        window=shown_window(window, notes=part.notes, topics=part.banned),
        system=system_text(system, part.notes),
        blocks=render_blocks(standing, part.language, budget_tokens=budget_tokens),
    )
