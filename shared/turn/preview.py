"""What a turn would send, without sending or changing anything."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from zoneinfo import ZoneInfo

from shared.language.scripts import follow_language
from shared.language.tokens import message_tokens
from shared.model.message import Message, MessageBody, Session, SessionNotes, TailMessage
from shared.model.moment import to_ms
from shared.model.scope import Scope
from shared.model.turn import Notice, Recalled
from shared.ports.embedder import Embedder
from shared.ports.ltm import LongTermMemory, PendingFilter
from shared.ports.stm import ShortTermMemory
from shared.recall.ask_meaning import read_turn_meaning
from shared.recall.find import describe_tail
from shared.stm.lift import lift_messages
from shared.stm.topics import decide_topics
from shared.turn.apply import Applied
from shared.turn.attend import Attention, Scene, attend
from shared.turn.context import Prompt, build_prompt
from shared.turn.heartbeat import find_expired
from shared.turn.lifting import SessionPart, add_session, standing_in
from shared.turn.plan import View, prompt_parts, read_view, recalled_of, turn_query
from shared.turn.records import records_of
from shared.turn.request import TurnRules
from shared.turn.told import told_key
from shared.turn.topics import read_standing


@dataclass(frozen=True, slots=True)
class Preview:
    """A prompt, and what was recalled for it."""

    prompt: Prompt
    recalled: tuple[Recalled, ...]
    asks_pending: tuple[str, ...]
    notices: tuple[Notice, ...]


async def preview_turn(
    scope: Scope | None,
    session_id: str,
    *,
    message: str | None,
    now: datetime,
    token_budget: int | None,
    rules: TurnRules,
    stm: ShortTermMemory,
    ltm: LongTermMemory,
    embedder: Embedder,
) -> Preview:
    """Return the prompt that a turn with `message` would send; None asks for the session as it stands.

    `scope` is None for a user of whom nothing is known yet; `token_budget` replaces the setting; `now` in
    plain UTC is read in the session's zone.
    """
    budget = token_budget or rules.limits.prompt_tokens
    session: Session | None = None
    tail: tuple[TailMessage, ...] = ()
    if scope is not None:
        session, tail = await stm.find_session(scope, session_id, window_tokens=budget)
    window = list(session.window) if session else []
    if message:
        window.append(_asked(message, session.last_seq + 1 if session else 1, now=now))
    notes = session.notes if session else SessionNotes()
    if now.tzinfo is UTC and notes.timezone:  # the caller has named no zone
        now = now.astimezone(ZoneInfo(notes.timezone))
    language = follow_language(notes.language, message or (window[-1].text if window else ""))
    banned: tuple[str, ...] = notes.banned_topics
    notes = lift_messages(notes.model_copy(update={"language": language}), window, rules=rules.lift)
    view = View()
    if scope is not None:
        banned = await _bans_after(scope, message, before=banned, notes=notes, ltm=ltm)
    part = SessionPart(session, notes, language, banned=banned)
    if scope is not None and window:
        query = turn_query(window, now=now, banned=banned, synonyms=rules.synonyms)
        meaning = await read_turn_meaning(scope, query.text, ltm=ltm, embedder=embedder)
        query = replace(query, meaning=meaning)
        await describe_tail(tail, query)
        view = await ltm.read(scope, lambda reader: read_view(reader, query, tail=tail, part=part))
    asked = window[-1].text if window else ""
    records = records_of(view.hits, asked=asked, now=now, language=language)
    parts = prompt_parts(view, records, schema=rules.schema, language=language, now=now)
    found = _attend(session_id, window, view=view, notes=notes, rules=rules, now=now)
    standing = standing_in(part, view.kept, schema=rules.schema)
    parts = add_session(parts, part, window=window, standing=standing, system=None, budget_tokens=budget)
    prompt = build_prompt(
        parts.with_notes(found.model_notes if found else ()),
        budget_tokens=budget,
        recall_tokens=rules.limits.recall_tokens,
        echo=rules.echo_reasoning,
    )
    recalled = tuple(recalled_of(view.hits[place]) for place in prompt.shown)
    return Preview(
        prompt=prompt,
        recalled=recalled,
        asks_pending=found.questions.asks_pending if found else (),
        notices=found.notices if found else (),
    )


def _attend(
    session_id: str,
    window: Sequence[Message],
    *,
    view: View,
    notes: SessionNotes,
    rules: TurnRules,
    now: datetime,
) -> Attention | None:
    """Return what a turn would find and ask; None where nobody has said anything."""
    said = [message for message in window if message.role == "user"]
    if not said:
        return None
    asked = tuple(update_id for message in window for update_id in message.body.asks_pending)
    scene = Scene(
        text=said[-1].text,
        seq=window[-1].seq,
        session_id=session_id,
        language=follow_language(notes.language, said[-1].text),
        schema=rules.schema,
        policy=rules.heartbeat,
        now=now,
        notes=notes.model_copy(update={"asked_pending": (*notes.asked_pending, *asked)}),
        fields=view.fields,
        waiting=view.pending,
        expired=find_expired(view.fields, schema=rules.schema, today=now.date(), now_ms=to_ms(now)),
        held=view.held,
        topics=view.topics,
    )
    return attend(scene, Applied())


async def _bans_after(
    scope: Scope,
    message: str | None,
    *,
    before: tuple[str, ...],
    notes: SessionNotes,
    ltm: LongTermMemory,
) -> tuple[str, ...]:
    """Return the bans that would hold in a turn with this message."""
    standing = await read_standing(scope, ltm=ltm)
    plan = decide_topics(message or "", session=before, standing=standing)
    kept = [topic for topic in standing if topic not in plan.lifted]
    return (*notes.banned_topics, *kept, *(ban.topic for ban in plan.banned if ban.lasting))


def _asked(text: str, seq: int, *, now: datetime) -> Message:
    return Message(
        id="msg_preview",
        seq=seq,
        role="user",
        body=MessageBody(content=text),
        tokens=message_tokens("user", text),
        turn_id=None,
        state="complete",
        created_at_ms=to_ms(now),
        received_at_ms=to_ms(now),
    )


async def preview_notices(
    scope: Scope,
    session_id: str | None,
    *,
    rules: TurnRules,
    now: datetime,
    stm: ShortTermMemory,
    ltm: LongTermMemory,
) -> tuple[Notice, ...]:
    """Return the notices that a turn of the session would get now: open conflicts among them."""
    session: Session | None = None
    if session_id is not None:
        session, _ = await stm.find_session(scope, session_id, window_tokens=rules.limits.prompt_tokens)
    notes = session.notes if session else SessionNotes()
    local = now.astimezone(ZoneInfo(notes.timezone) if notes.timezone else UTC)
    said = [message for message in (session.window if session else ()) if message.role == "user"]
    fields, waiting = await ltm.read(
        scope, lambda reader: (tuple(reader.fields()), tuple(reader.pending_updates(PendingFilter())))
    )
    passed = find_expired(fields, schema=rules.schema, today=local.date(), now_ms=to_ms(local))
    told = await ltm.read(
        scope,
        lambda reader: {
            field.path for field in passed if reader.applied(told_key(field, today=local.date())) is not None
        },
    )
    text = said[-1].text if said else ""
    scene = Scene(
        text=text,
        seq=session.last_seq if session else 0,
        session_id=session_id or "",
        language=follow_language(notes.language, text),
        schema=rules.schema,
        policy=rules.heartbeat,
        now=local,
        notes=notes,
        fields=fields,
        waiting=waiting,
        expired=tuple(field for field in passed if field.path not in told),
    )
    conflicts = tuple(update for update in waiting if update.origin == "heartbeat")
    return attend(scene, Applied(pending=conflicts)).notices
