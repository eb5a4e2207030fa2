"""What a turn does before the model is asked: apply commands, read memory, lay out the prompt.

One transaction only where the message commands something, else one read view. Where long-term memory
does not answer, a command is not acknowledged (the turn fails with 503), while plain chat goes on
without recall and says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from shared.errors import Unavailable
from shared.language.scripts import detect_language, follow_language
from shared.language.synonyms import DEFAULT_SYNONYMS, Synonyms
from shared.ltm.deleted_sources import name_deleted
from shared.ltm.edit import Why
from shared.ltm.schema import Schema
from shared.model.memory import Ended, FieldVersion, Memory, Source
from shared.model.message import Message, SessionNotes, TailMessage
from shared.model.moment import to_ms
from shared.model.pending import PendingUpdate, Tombstone
from shared.model.scope import Scope
from shared.model.session_state import Digest
from shared.model.turn import CommandOutcome, Notice, Recalled
from shared.ports.embedder import Embedder
from shared.ports.ltm import LongTermMemory, LtmReader, MemoryFilter, PendingFilter
from shared.ports.stm import TurnStart
from shared.recall.ask_meaning import read_turn_meaning
from shared.recall.find import Hit, SearchQuery, describe_tail, find_in
from shared.recall.fuse import DEFAULT_CUT
from shared.stm.quiet import is_quiet
from shared.stm.withheld import Spans, read_spans_of
from shared.text import ends_of
from shared.turn.apply import Applied
from shared.turn.asking_again import left_open
from shared.turn.attend import Attention, Scene, attend, next_notes
from shared.turn.context import Language, Prompt, PromptParts, Record, build_prompt
from shared.turn.evidence import MOST_COMPARED, NOT_ASKED, Evidence, asks_what_is_held
from shared.turn.field_card import field_card
from shared.turn.followups import notice_text
from shared.turn.heartbeat import find_expired
from shared.turn.lifting import Kept, SessionPart, add_session, lift_turn, standing_in
from shared.turn.questions import Questions
from shared.turn.records import records_of
from shared.turn.redact import redacted_start
from shared.turn.request import TurnRequest, TurnRules
from shared.turn.said_of import Heard, Redaction
from shared.turn.standing import STANDING_KINDS, is_banned, read_kept, read_last_digest
from shared.turn.state import Speaking, apply_reading, earlier_than
from shared.turn.superseded import ENDED_READ
from shared.turn.told import untold_today
from shared.turn.topics import topic_notices

RECALLED_ROWS = 30
QUERY_CHARS = 4_000
"""So much of a message is looked for: one that brings a document asks before or behind it."""
TURN_POSTINGS = 4_000
_STANDING = tuple(MemoryFilter(kinds=(kind,), limit=50) for kind in STANDING_KINDS)
_HELD = MemoryFilter(limit=MOST_COMPARED)
_WAITING = PendingFilter()


@dataclass(frozen=True, slots=True)
class View:
    """What memory holds for this turn: current fields, standing memory, rows that answer, open proposals.

    `held` are all memories, newest first, where the message asks what is held; `from_last` are those of the
    session of the digest; `topics` are banned; `spans` are forgotten ones of the
    messages that the notes come from.
    """

    fields: tuple[FieldVersion, ...] = ()
    standing: tuple[Memory, ...] = ()
    hits: tuple[Hit, ...] = ()
    pending: tuple[PendingUpdate, ...] = ()
    digest: Digest | None = None
    from_last: tuple[str, ...] = ()
    tombstones: tuple[Tombstone, ...] = ()
    held: tuple[Memory, ...] = ()
    topics: tuple[str, ...] = ()
    ended: tuple[Ended, ...] = ()
    spans: Spans = field(default_factory=dict)

    @property
    def kept(self) -> Kept:
        """What of it bears on the session's head."""
        return Kept(self.fields, self.digest, self.tombstones, self.ended, self.from_last, self.spans)


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
    notes: SessionNotes
    questions: Questions
    pending: tuple[PendingUpdate, ...] = ()
    evidence: Evidence = NOT_ASKED
    is_sealed: bool = False
    forgotten_ids: tuple[str, ...] = ()
    redactions: tuple[Redaction, ...] = ()
    topics: tuple[CommandOutcome, ...] = ()
    waiting: tuple[str, ...] = ()
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
    embedder: Embedder,
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
        action=request.action,
    )
    window = start.session.window
    earlier = replace(earlier_than(window), heard=_heard(start), is_quiet=is_quiet(notes, window[:-1]))
    applied = await apply_reading(
        scope, start.message, earlier=earlier, speaking=speaking, rules=rules, ltm=ltm
    )
    for redaction in applied.redactions:
        start = redacted_start(start, redaction)
    why = _why(request, start=start, now=local)
    part = await lift_turn(scope, start, timezone=zone, why=why, rules=rules, ltm=ltm)
    query = turn_query(start.session.window, now=local, banned=part.banned, synonyms=rules.synonyms)
    meaning = await read_turn_meaning(scope, query.text, ltm=ltm, embedder=embedder)
    query = replace(query, meaning=meaning)
    tail = [each for each in start.tail if each.message.id not in applied.forgotten_ids]
    view, notices = await _read_view(scope, part, query=query, tail=tail, ltm=ltm)
    found = await _attend(scope, start, applied=applied, view=view, rules=rules, now=local, ltm=ltm)
    heard = _Heard(applied, part, view, found=found, notices=notices, has_secret=has_secret)
    return _lay_out(request, start, heard=heard, rules=rules, now=local)


@dataclass(frozen=True, slots=True)
class _Heard:
    """What a message changed, what its session and memory hold for it, what there is to tell and to ask."""

    applied: Applied
    part: SessionPart
    view: View
    found: Attention
    notices: tuple[Notice, ...]
    has_secret: bool


def _lay_out(
    request: TurnRequest, start: TurnStart, *, heard: _Heard, rules: TurnRules, now: datetime
) -> TurnPlan:
    """Build the prompt, and the plan around it."""
    applied, part, view, found = heard.applied, heard.part, heard.view, heard.found
    language = part.language
    records = records_of(view.hits, asked=request.message, now=now, language=language)
    parts = prompt_parts(view, records, schema=rules.schema, language=language, now=now)
    standing = standing_in(part, view.kept, schema=rules.schema)
    limits = rules.limits
    parts = add_session(
        parts,
        part,
        window=start.session.window,
        standing=standing,
        system=request.system,
        budget_tokens=limits.prompt_tokens,
    ).with_notes(found.model_notes)
    prompt = build_prompt(
        parts,
        budget_tokens=limits.prompt_tokens,
        recall_tokens=limits.recall_tokens,
        echo=rules.echo_reasoning,
    )
    shown = tuple(view.hits[place] for place in prompt.shown)
    return TurnPlan(
        language=language,
        schema=rules.schema,
        message=start.message.text,
        prompt=prompt,
        reply_tokens=limits.reply_tokens,
        outcomes=applied.outcomes,
        notices=(
            *heard.notices,
            *found.notices,
            *topic_notices(part.outcomes, language=language),
            *_sealed_notice(language, has_secret=heard.has_secret),
        ),
        topics=part.outcomes,
        waiting=standing.card.waiting if standing.card else (),
        recalled=tuple(recalled_of(hit) for hit in shown),
        view=view,
        records=tuple(records[place] for place in prompt.shown),
        notes=next_notes(part.notes, found.questions, seq=start.message.seq),
        questions=found.questions,
        pending=applied.pending,
        evidence=found.evidence,
        is_sealed=applied.sealed,
        forgotten_ids=applied.forgotten_ids,
        redactions=applied.redactions,
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
    text, before = start.message.text, earlier_than(start.session.window).question
    scene = Scene(
        text=text,
        seq=start.message.seq,
        session_id=start.session.id,
        language=follow_language(start.session.notes.language, text),
        schema=rules.schema,
        policy=rules.heartbeat,
        now=now,
        notes=start.session.notes,
        fields=view.fields,
        waiting=view.pending,
        expired=expired,
        left_open=left_open(text, before, notes=start.session.notes, waiting=view.pending),
        held=view.held,
        last_reply=before.text if before else "",
        topics=view.topics,
    )
    return attend(scene, applied)


def _heard(start: TurnStart) -> Heard:
    return Heard(start.session.id, window=start.session.window[:-1], tail=start.tail)


def _why(request: TurnRequest, *, start: TurnStart, now: datetime) -> Why:
    source = Source(session_id=start.session.id, message_ids=(start.message.id,))
    return Why(
        actor=request.actor,
        request_id=request.request_id,
        origin="user",
        source=source,
        at=now,
        action=request.action,
        may_resolve=request.may_resolve,
    )


async def _read_view(
    scope: Scope,
    part: SessionPart,
    *,
    query: SearchQuery,
    tail: Sequence[TailMessage],
    ltm: LongTermMemory,
) -> tuple[View, tuple[Notice, ...]]:
    await describe_tail(tail, query)
    try:
        return await ltm.read(scope, lambda reader: read_view(reader, query, tail=tail, part=part)), ()
    except Unavailable:
        language = detect_language(query.text)
        return View(), (Notice(kind="recall_unavailable", text=notice_text(language, "recall_unavailable")),)


def turn_query(
    window: Sequence[Message],
    *,
    now: datetime,
    banned: tuple[str, ...] = (),
    synonyms: Synonyms = DEFAULT_SYNONYMS,
) -> SearchQuery:
    """Return what a turn looks for: rows that answer its message and stand nowhere in the window."""
    return SearchQuery(
        text=ends_of(window[-1].text, QUERY_CHARS),
        asked_at=now,
        limit=RECALLED_ROWS,
        known_ids=frozenset([message.id for message in window]),
        known_from_seq=_gapless_from(window),
        turn_budget=TURN_POSTINGS,
        banned_topics=banned,
        synonyms=synonyms,
        cut=DEFAULT_CUT,
    )


def _gapless_from(window: Sequence[Message]) -> int:
    """Return the number from which on the window holds every message of its session."""
    seq = window[-1].seq + 1
    for message in reversed(window):
        if message.seq != seq - 1:
            break
        seq -= 1
    return seq


def read_view(
    reader: LtmReader, query: SearchQuery, *, tail: Sequence[TailMessage], part: SessionPart
) -> View:
    """Return what memory holds for one message of a session."""
    session_key = part.session.key if part.session is not None else ""
    stones = tuple(reader.tombstones())
    standing = [memory for wanted in _STANDING for memory in reader.memories(wanted)]
    digest = read_last_digest(reader, session_key=session_key, now=query.asked_at)
    asks_held = asks_what_is_held(query.text)
    fields = reader.fields()
    return View(
        fields=tuple(name_deleted(reader, fields) if asks_held else fields),
        standing=tuple(
            memory
            for memory in sorted(standing, key=_standing_order)
            if not is_banned(memory.text, query.banned_topics)
        ),
        hits=tuple(find_in(reader, query, tail=tail)),
        pending=tuple(reader.pending_updates(_WAITING)),
        digest=digest,
        from_last=read_kept(reader, digest),
        tombstones=stones,
        held=tuple(name_deleted(reader, reader.memories(_HELD))) if asks_held else (),
        topics=query.banned_topics,
        ended=tuple(reader.ended(limit=ENDED_READ)),
        spans=read_spans_of(reader, part.notes, tombstones=stones),
    )


def _standing_order(memory: Memory) -> tuple[bool, bool, str]:
    """Order standing memory by what may least be left out: last the pinned, constraints, the newest."""
    return memory.pinned, memory.kind == "constraint", memory.id


def prompt_parts(
    view: View, records: Sequence[Record], *, schema: Schema, language: Language, now: datetime
) -> PromptParts:
    """Return the parts of a prompt that come from memory."""
    return PromptParts(
        language=language,
        now=now,
        window=(),
        fields=field_card(view.fields, schema=schema, language=language),
        standing=tuple(memory.text for memory in view.standing),
        records=tuple(records),
    )


def recalled_of(hit: Hit) -> Recalled:
    """Return a hit as the turn's answer names it."""
    row = hit.row
    if isinstance(row, Memory):
        said = {"id": row.id, "kind": row.kind, "text": row.text}
    else:
        said = {"id": row.message.id, "kind": "episode", "text": row.message.said}
    return Recalled.of_checked({**said, "score": hit.score, "why": dict(hit.why)})
