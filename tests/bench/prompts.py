"""What a prompt costs: laying it out against the window's size, and its tokens against the whole history.

Laying out is measured alone: no store, no recall. The tokens are those of real turns over Redis and SQLite,
with summaries made by rule, on conversations of the public sets where their folder is given, else on a
simulated one. "The whole history" is every message that the user has exchanged so far, in all sessions.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Final

from shared.clock import Clock
from shared.engines.sqlite.stores import open_sqlite
from shared.language.tokens import message_tokens
from shared.ltm.schema import DEFAULT_SCHEMA
from shared.model.message import Message, MessageBody, SessionNotes
from shared.stm.lift import LiftRules, lift_messages
from shared.turn.context import PromptParts, Record, build_prompt
from shared.turn.lifting import Kept, SessionPart, add_session, standing_in
from tests.bench.figures import Table, times
from tests.bench.filling import make_scope
from tests.bench.sentences import make_sentences
from tests.conftest import RedisServer, start_redis, stop_redis
from tests.evals.ingest import roles_of
from tests.evals.sets import Conversation as SetConversation
from tests.evals.sets import load_set
from tests.turn.conversation import ChattyModel, Conversation

WINDOWS: Final = (2_000, 6_000, 32_000, 128_000)
SAVING_SETS: Final = ("memorybank-zh", "memorybank-en", "locomo")
_NOW: Final = datetime(2025, 3, 1, 9, tzinfo=UTC)
_SIMULATED_TURNS: Final = 400
_TURNS_A_SESSION: Final = 20
_QUICK_TURNS: Final = 150

Exchange = tuple[str, str]
"""What the user said, and the reply."""


def measure_assembly(table: Table, *, quick: bool) -> None:
    """Lay out prompts for windows that are full, with key facts, standing memory and recalled rows."""
    for tokens in WINDOWS:
        window = _full_window(tokens)
        notes = lift_messages(SessionNotes(), window, rules=LiftRules(prompt_tokens=tokens))
        records = [Record(text, "2025-02-01", "user") for text in make_sentences(30, seed=5)]
        parts = PromptParts("zh", _NOW, (), standing=make_sentences(20, seed=6), records=records)
        part = SessionPart(None, notes.model_copy(update={"language": "zh"}), "zh")
        taken = []
        for _ in range(30 if quick else 200):
            started = time.perf_counter()
            standing = standing_in(part, Kept(), schema=DEFAULT_SCHEMA)
            whole = add_session(
                parts, part, window=window, standing=standing, system="你是助手。", budget_tokens=tokens
            )
            prompt = build_prompt(whole, budget_tokens=tokens, recall_tokens=800)
            taken.append((time.perf_counter() - started) * 1_000)
        figures = {**times(taken, 50, 99), "messages": len(window), "tokens": prompt.tokens}
        table.add(f"prompt laid out, window of {tokens:,} tokens", figures)


def _full_window(tokens: int) -> list[Message]:
    window: list[Message] = []
    left = tokens
    for seq, text in enumerate(make_sentences(tokens // 10, seed=7), 1):
        role = "user" if seq % 2 else "assistant"
        cost = message_tokens(role, text)
        left -= cost
        if left < 0 and role == "user":
            break
        window.append(
            Message(
                id=f"msg_{seq}",
                seq=seq,
                role="user" if seq % 2 else "assistant",
                body=MessageBody(content=text),
                tokens=cost,
                turn_id=None,
                state="complete",
                created_at_ms=seq,
                received_at_ms=seq,
            )
        )
    return window if window[-1].role == "user" else window[:-1]


@dataclass(slots=True)
class _Spent:
    """Tokens of all prompts so far: ours, and what the whole history would have been."""

    turns: int = 0
    ours: int = 0
    whole: int = 0


async def measure_saving(table: Table, *, data: Path | None, quick: bool) -> None:
    """Take the turns of each set (or a simulated conversation) and compare the tokens of their prompts."""
    most = _QUICK_TURNS if quick else None
    for name, users in _talks(data):
        spent = _Spent()
        with tempfile.TemporaryDirectory(prefix="bl") as folder:
            server = start_redis(Path(folder), "--maxmemory-policy", "noeviction")
            try:
                await _take_all(Path(folder), server, users, spent=spent, most=most)
            finally:
                stop_redis(server)
        if not spent.turns:
            continue
        saved = 100 * (1 - spent.ours / spent.whole)
        figures = {
            "turns": spent.turns,
            "tokens a turn": spent.ours / spent.turns,
            "whole history": spent.whole / spent.turns,
            "saved %": saved,
        }
        table.add(f"tokens a turn, {name}", figures, note="default window, summaries by rule")


def _talks(data: Path | None) -> Iterator[tuple[str, list[list[list[Exchange]]]]]:
    """Yield names and users, each a list of sessions of exchanges."""
    if data is None:
        said = make_sentences(2 * _SIMULATED_TURNS, seed=31)
        pairs = list(zip(said[::2], said[1::2], strict=True))
        sessions = [pairs[at : at + _TURNS_A_SESSION] for at in range(0, len(pairs), _TURNS_A_SESSION)]
        yield "simulated", [sessions]
        return
    for name in SAVING_SETS:
        yield name, [_exchanges(conversation) for conversation in load_set(data, name)]


def _exchanges(conversation: SetConversation) -> list[list[Exchange]]:
    """Return what the user said in a row with what was answered to it, session by session."""
    roles = roles_of(conversation)
    sessions = []
    for session in conversation.sessions:
        exchanges: list[Exchange] = []
        for message in session:
            if roles[message.speaker] == "user":
                exchanges.append((message.text, ""))
            elif exchanges:
                said, answered = exchanges[-1]
                exchanges[-1] = (said, "\n".join(filter(None, (answered, message.text))))
        sessions.append(exchanges)
    return sessions


async def _take_all(
    folder: Path,
    server: RedisServer,
    users: Sequence[Sequence[Sequence[Exchange]]],
    *,
    spent: _Spent,
    most: int | None,
) -> None:
    stores = open_sqlite(folder / "ltm.db", data_dir=folder, environment="bench", clock=Clock())
    try:
        for number, sessions in enumerate(users):
            scope = await make_scope(stores, f"user-{number}")
            talk = Conversation(server, ChattyModel(), ltm=stores.ltm, scope=scope)
            try:
                left = None if most is None else most - spent.turns
                await _take_turns(talk, sessions, spent=spent, most=left)
            finally:
                await talk.link.close()
    finally:
        stores.close()


async def _take_turns(
    talk: Conversation, sessions: Sequence[Sequence[Exchange]], *, spent: _Spent, most: int | None
) -> None:
    history = 0
    exchanges = ((place, each) for place, session in enumerate(sessions) for each in session)
    for place, (said, answer) in islice(exchanges, most):
        talk.session_id = f"s{place}"
        talk.model.reply = answer or "…"
        result = await talk.turn(said)
        history += message_tokens("user", said)
        spent.turns += 1
        spent.ours += result.usage.prompt_tokens
        spent.whole += history
        history += message_tokens("assistant", answer) if answer else 0
        await talk.run_due()
