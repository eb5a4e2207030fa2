"""What a turn does before the model is asked: apply commands, read memory, lay out the prompt.

One transaction only where the message commands something, else one read view. Where long-term memory
does not answer, a command is not acknowledged (the turn fails with 503), while plain chat goes on
without recall and says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from shared.errors import Unavailable
from shared.language.scripts import detect_language
from shared.ltm.field_values import show_value
from shared.ltm.schema import Schema
from shared.model.memory import FieldVersion, Memory
from shared.model.message import Message, SessionNotes, TailMessage
from shared.model.moment import from_ms, to_ms
from shared.model.pending import PendingUpdate
from shared.model.scope import Scope
from shared.model.turn import CommandOutcome, Notice, Recalled
from shared.ports.ltm import LongTermMemory, LtmReader, MemoryFilter, PendingFilter
from shared.ports.stm import TurnStart
from shared.recall.find import Hit, SearchQuery, find_in
from shared.recall.fuse import DEFAULT_CUT
from shared.turn.apply import Applied
from shared.turn.attend import Attention, Scene, attend, next_notes
from shared.turn.context import Language, Prompt, PromptParts, Record, build_prompt
from shared.turn.followups import notice_text
from shared.turn.heartbeat import find_expired
from shared.turn.questions import Questions
from shared.turn.request import TurnRequest, TurnRules
from shared.turn.state import Speaking, apply_reading
from shared.turn.told import untold_today

RECALLED_ROWS = 30
TURN_POSTINGS = 20_000
_STANDING_ROWS = 50


@dataclass(frozen=True, slots=True)
class View:
    """What memory holds for this turn: current fields, standing memory, rows that answer, open proposals."""

    fields: tuple[FieldVersion, ...] = ()
    standing: tuple[Memory, ...] = ()
    hits: tuple[Hit, ...] = ()
    pending: tuple[PendingUpdate, ...] = ()


@dataclass(frozen=True, slots=True)
class TurnPlan:
    """Everything that is settled before the model is asked."""

    language: Language
    schema: Schema
    message: str
    prompt: Prompt
    reply_tokens: int
    outcomes: tuple[CommandOutcome, ...]
    notices: tuple[Notice, ...]
    recalled: tuple[Recalled, ...]
    view: View
    records: tuple[Record, ...]
    field_lines: tuple[str, ...]
    notes: SessionNotes
    questions: Questions
    pending: tuple[PendingUpdate, ...] = ()
    evidence: tuple[str, ...] = ()
    is_sealed: bool = False
    forgotten_ids: tuple[str, ...] = ()
    accessed_row_ids: tuple[int, ...] = ()


async def plan_turn(
    scope: Scope,
    request: TurnRequest,
    *,
    start: TurnStart,
    rules: TurnRules,
    now: datetime,
    has_secret: bool,
    ltm: LongTermMemory,
) -> TurnPlan:
    """Apply what the message says, read memory and build the prompt."""
    notes = start.session.notes
    zone = request.timezone or notes.timezone
    local = now.astimezone(ZoneInfo(zone) if zone else UTC)
    speaking = Speaking(
        session_id=start.session.id,
        actor=request.actor,
        request_id=request.request_id,
        may_resolve=request.may_resolve,
        at=local,
    )
    question = _last_reply(start.session.window)
    applied = await apply_reading(
        scope, start.message, question=question, speaking=speaking, rules=rules, ltm=ltm
    )
    tail = [each for each in start.tail if each.message.id not in applied.forgotten_ids]
    view, notices = await _read_view(scope, start.session.window, tail=tail, now=local, ltm=ltm)
    language = notes.language or detect_language(start.message.text)
    found = await _attend(scope, start, applied=applied, view=view, rules=rules, now=local, ltm=ltm)
    records = tuple(record_of(hit, now=local, language=language) for hit in view.hits)
    parts = prompt_parts(view, records, schema=rules.schema, language=language, now=local)
    parts = parts.with_turn(
        window=start.session.window, system=request.system or notes.system, notes=found.model_notes
    )
    limits = rules.limits
    prompt = build_prompt(parts, budget_tokens=limits.prompt_tokens, recall_tokens=limits.recall_tokens)
    shown = view.hits[: prompt.records]
    noted = notes.model_copy(update={"language": language, "timezone": zone})
    return TurnPlan(
        language=language,
        schema=rules.schema,
        message=start.message.text,
        prompt=prompt,
        reply_tokens=limits.reply_tokens,
        outcomes=applied.outcomes,
        notices=(*notices, *found.notices, *_sealed_notice(language, has_secret=has_secret)),
        recalled=tuple(recalled_of(hit) for hit in shown),
        view=view,
        records=records[: prompt.records],
        field_lines=tuple(parts.fields),
        notes=next_notes(noted, found.questions, seq=start.message.seq),
        questions=found.questions,
        pending=applied.pending,
        evidence=found.evidence,
        is_sealed=applied.sealed,
        forgotten_ids=applied.forgotten_ids,
        accessed_row_ids=tuple(hit.row_id for hit in shown if hit.row_id is not None),
    )


def _sealed_notice(language: Language, *, has_secret: bool) -> tuple[Notice, ...]:
    return (Notice(kind="sealed", text=notice_text(language, "sealed")),) if has_secret else ()


async def _attend(
    scope: Scope,
    start: TurnStart,
    *,
    applied: Applied,
    view: View,
    rules: TurnRules,
    now: datetime,
    ltm: LongTermMemory,
) -> Attention:
    """Find what is missing, has passed or contradicts, and what to ask."""
    expired: tuple[FieldVersion, ...] = ()
    if rules.heartbeat.expired != "off":
        today = now.date()
        passed = find_expired(view.fields, schema=rules.schema, today=today, now_ms=to_ms(now))
        expired = await untold_today(scope, passed, today=today, message_id=start.message.id, ltm=ltm)
    text = start.message.text
    scene = Scene(
        text=text,
        seq=start.message.seq,
        session_id=start.session.id,
        language=start.session.notes.language or detect_language(text),
        schema=rules.schema,
        policy=rules.heartbeat,
        now=now,
        notes=start.session.notes,
        fields=view.fields,
        waiting=view.pending,
        expired=expired,
    )
    return attend(scene, applied)


def _last_reply(window: Sequence[Message]) -> Message | None:
    """Return the message right before the user's, where it is the assistant's."""
    before = window[-2] if len(window) > 1 else None
    return before if before is not None and before.role == "assistant" else None


async def _read_view(
    scope: Scope,
    window: Sequence[Message],
    *,
    tail: Sequence[TailMessage],
    now: datetime,
    ltm: LongTermMemory,
) -> tuple[View, tuple[Notice, ...]]:
    query = turn_query(window, now=now)
    try:
        return await ltm.read(scope, lambda reader: read_view(reader, query, tail=tail)), ()
    except Unavailable:
        language = detect_language(query.text)
        return View(), (Notice(kind="recall_unavailable", text=notice_text(language, "recall_unavailable")),)


def turn_query(window: Sequence[Message], *, now: datetime) -> SearchQuery:
    """Return what a turn looks for: rows that answer its message and stand nowhere in the window."""
    return SearchQuery(
        text=window[-1].text,
        asked_at=now,
        limit=RECALLED_ROWS,
        known_ids=frozenset(message.id for message in window),
        turn_budget=TURN_POSTINGS,
        cut=DEFAULT_CUT,
    )


def read_view(reader: LtmReader, query: SearchQuery, *, tail: Sequence[TailMessage]) -> View:
    """Return what memory holds for one message."""
    standing = reader.memories(MemoryFilter(kinds=("preference", "constraint"), limit=_STANDING_ROWS))
    return View(
        fields=tuple(reader.fields()),
        standing=tuple(sorted(standing, key=lambda memory: memory.id)),
        hits=tuple(find_in(reader, query, tail=tail)),
        pending=tuple(reader.pending_updates(PendingFilter())),
    )


def prompt_parts(
    view: View, records: Sequence[Record], *, schema: Schema, language: Language, now: datetime
) -> PromptParts:
    """Return the parts of a prompt that come from memory."""
    return PromptParts(
        language=language,
        now=now,
        window=(),
        fields=tuple(field_line(field, schema=schema, language=language) for field in view.fields),
        standing=tuple(memory.text for memory in view.standing),
        records=tuple(records),
    )


def field_line(field: FieldVersion, *, schema: Schema, language: Language) -> str:
    """Return a field as a line: its label and its value."""
    path = schema.find(field.path)
    colon = "：" if language == "zh" else ": "
    return f"{path.label(language)}{colon}{show_value(path, field.value, language=language)}"


def record_of(hit: Hit, *, now: datetime, language: Language) -> Record:
    """Return a hit as the prompt shows it, dated in the user's zone."""
    row = hit.row
    said_at_ms = row.created_at_ms if isinstance(row, Memory) else row.message.created_at_ms
    if isinstance(row, Memory):
        text, speaker = row.text, "user"
    else:
        text, speaker = row.message.text, row.message.body.name or row.message.role
    names = {"user": "用户", "assistant": "助手"} if language == "zh" else {}
    day = from_ms(said_at_ms).astimezone(now.tzinfo).date().isoformat()
    return Record(text=text, day=day, speaker=names.get(speaker, speaker))


def recalled_of(hit: Hit) -> Recalled:
    """Return a hit as the turn's answer names it."""
    row = hit.row
    if isinstance(row, Memory):
        return Recalled(id=row.id, kind=row.kind, text=row.text, score=hit.score, why=dict(hit.why))
    message = row.message
    return Recalled(id=message.id, kind="episode", text=message.text, score=hit.score, why=dict(hit.why))
