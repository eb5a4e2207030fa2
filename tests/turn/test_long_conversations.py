"""Conversations of 5 to 10,000 turns: the prompt fits, Redis stays bounded, turns stay fast."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator

import pytest

from shared.ports.llm import CompletionRequest
from tests.conftest import RedisServer
from tests.fakes.summaries import hostile_summary
from tests.turn.conversation import SCOPE, SETTINGS, ChattyModel, Conversation
from tests.turn.long_talk import (
    LARGEST_BYTES,
    PASTE,
    TEXTS,
    TOOL_EVERY,
    append_tool_output,
    hold_everything,
    tell,
)

GOOD = json.dumps({"goal": "聊天", "text": "用户闲聊。"}, ensure_ascii=False)
MAX_BYTES = 300_000
TURNS = int(os.environ.get("BILAYER_LONG_TURNS", "10000"))


@pytest.fixture
async def talk(redis_server: RedisServer) -> AsyncIterator[Conversation]:
    conversation = Conversation(redis_server, ChattyModel())
    yield conversation
    await conversation.link.close()


async def hold(talk: Conversation, turns: int, *, text: str) -> None:
    for number in range(turns):
        await talk.turn(text.format(number))
        if number % 3 == 0:
            await talk.run_due()
        if number % 50 == 0:
            talk.measure_bytes()
    await talk.run_due()
    talk.measure_bytes()


@pytest.mark.parametrize(
    ("turns", "language", "has_model"),
    [
        *[(turns, language, has) for turns in (5, 50) for language in TEXTS for has in (True, False)],
        pytest.param(500, "zh", True, marks=pytest.mark.slow),
        pytest.param(500, "en", True, marks=pytest.mark.slow),
        pytest.param(500, "mixed", False, marks=pytest.mark.slow),
    ],
)
async def test_the_prompt_fits_and_redis_stays_bounded(
    talk: Conversation, turns: int, *, language: str, has_model: bool
) -> None:
    talk.model.summarise = (lambda _: hostile_summary({})) if has_model else None
    await talk.turn("不要用红色，价格必须含税；预算是 46,500 元")
    await hold(talk, turns, text=TEXTS[language])
    assert max(talk.tokens) <= SETTINGS.prompt_tokens
    assert talk.most_bytes < MAX_BYTES
    head = talk.model.prompts[-1][0]["content"]
    for words in ("不要用红色", "价格必须含税", "46,500"):
        assert words in head
    session = await talk.stm.read_session(SCOPE, "room", window_tokens=0)
    assert session.last_seq == 2 * (turns + 1)
    if turns == 500:
        assert session.summary is not None
        assert session.summary.made_by == ("model" if has_model else "rule")
        rounds = sum(report.rounds for report in talk.reports)
        assert rounds <= session.total_tokens / 1_500


@pytest.mark.slow
@pytest.mark.skipif(not os.environ.get("BILAYER_LONG"), reason="takes minutes: set BILAYER_LONG=1")
@pytest.mark.timeout(3_000)
@pytest.mark.parametrize("has_model", [True, False], ids=["model", "no_model"])
async def test_ten_thousand_turns_stay_within_every_bound(talk: Conversation, *, has_model: bool) -> None:
    """zh, en and mixed, with pastes and tool outputs; the times are printed (`-s`), and asserted nowhere."""
    talk.model.summarise = (lambda _: GOOD) if has_model else None
    await hold_everything(talk, TURNS)
    print(f"{'model' if has_model else 'no model'}: {tell(talk)}")  # noqa: T201
    assert max(talk.tokens) <= SETTINGS.prompt_tokens
    assert talk.most_bytes < MAX_BYTES + LARGEST_BYTES
    session = await talk.stm.read_session(SCOPE, "room", window_tokens=0)
    assert session.last_seq == 2 * TURNS + 2 * (TURNS // TOOL_EVERY)
    assert sum(report.rounds for report in talk.reports) <= session.total_tokens / 1_500
    assert talk.model.summaries <= session.total_tokens / 1_500


async def test_a_long_paste_and_a_huge_tool_output_fit(talk: Conversation) -> None:
    talk.model.summarise = lambda _: GOOD
    await talk.turn("先说好：不要用红色")
    await talk.turn(PASTE)
    await append_tool_output(talk, "c1")
    for number in range(6):
        await talk.turn(f"接着说 {number}")
        await talk.run_due()
        prompt = talk.model.prompts[-1]
        roles = [message["role"] for message in prompt]
        assert roles[0] == "system"
        calls = {call["id"] for message in prompt for call in message.get("tool_calls") or ()}
        answers = {message["tool_call_id"] for message in prompt if message["role"] == "tool"}
        assert calls == answers
    assert max(talk.tokens) <= SETTINGS.prompt_tokens
    assert "不要用红色" in talk.model.prompts[-1][0]["content"]


async def test_two_hundred_turns_pour_in_while_a_summary_of_three_seconds_runs(
    talk: Conversation,
) -> None:
    def answer(_request: CompletionRequest) -> str:
        return GOOD

    talk.model.summarise = answer
    for number in range(75):
        await talk.turn(TEXTS["zh"].format(number))
    talk.model.seconds = 3.0
    running = asyncio.create_task(talk.run_due())
    await asyncio.sleep(0.05)
    said = [f"涌入{number}" for number in range(200)]
    for start in range(0, 200, 20):
        await asyncio.gather(*(talk.turn(text) for text in said[start : start + 20]))
    await running
    session = await talk.stm.read_session(SCOPE, "room", window_tokens=1_000_000)
    assert session.last_seq == 550
    seqs = [message.seq for message in session.window]
    assert seqs == list(range(session.compacted_to + 1, 551))
    texts = [message.text for message in session.window if message.role == "user"]
    poured = [text for text in texts if text.startswith("涌入")]
    # On a slow machine a further summary may take the first of them; the numbers above prove none lost.
    assert len(set(poured)) == len(poured)
    assert set(poured) <= set(said)
    assert set(poured) == set(said) or session.compacted_to > 150
    assert session.summary is not None
    assert session.summary.to_seq == session.compacted_to


async def test_racing_turns_and_changes_of_the_notes_lose_none(talk: Conversation) -> None:
    async def ban(number: int) -> None:
        await talk.turn(f"规则{number}：不要在第{number}页用颜色")

    await asyncio.gather(*(ban(number) for number in range(8)))
    session = await talk.stm.read_session(SCOPE, "room", window_tokens=0)
    assert len(session.notes.key_facts) == 8
