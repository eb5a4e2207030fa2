"""What a turn would send, without sending or changing anything."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import datetime

from shared.language.scripts import detect_language
from shared.language.tokens import message_tokens
from shared.model.message import Message, MessageBody, Session, SessionNotes, TailMessage
from shared.model.moment import to_ms
from shared.model.scope import Scope
from shared.model.turn import Notice, Recalled
from shared.ports.ltm import LongTermMemory
from shared.ports.stm import ShortTermMemory
from shared.turn.context import Prompt, build_prompt
from shared.turn.plan import View, prompt_parts, read_view, recalled_of, record_of, turn_query
from shared.turn.request import TurnRules


@dataclass(frozen=True, slots=True)
class Preview:
    """A prompt, and what was recalled for it."""

    prompt: Prompt
    recalled: tuple[Recalled, ...]
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
) -> Preview:
    """Return the prompt that a turn with `message` would send; None asks for the session as it stands.

    `scope` is None for a user of whom nothing is known yet; `token_budget` replaces the setting.
    """
    budget = token_budget or rules.limits.prompt_tokens
    session: Session | None = None
    tail: tuple[TailMessage, ...] = ()
    if scope is not None:
        session, tail = await stm.find_session(scope, session_id, window_tokens=budget)
    window = list(session.window) if session else []
    if message:
        window.append(_asked(message, len(window) + 1, now=now))
    notes = session.notes if session else SessionNotes()
    view = View()
    if scope is not None and window:
        query = turn_query(window, now=now)
        view = await ltm.read(scope, lambda reader: read_view(reader, query, tail=tail))
    language = notes.language or detect_language(message or (window[-1].text if window else ""))
    records = tuple(record_of(hit, now=now, language=language) for hit in view.hits)
    parts = prompt_parts(view, records, schema=rules.schema, language=language, now=now)
    prompt = build_prompt(
        replace(parts, window=window, system=notes.system),
        budget_tokens=budget,
        recall_tokens=rules.limits.recall_tokens,
    )
    recalled = tuple(recalled_of(hit) for hit in view.hits[: prompt.records])
    return Preview(prompt=prompt, recalled=recalled, notices=())


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
