"""确认更新 / "I confirm the update" where the message before asked for nothing, in turns without a model."""

from __future__ import annotations

import pytest

from tests.turn.plain_talk import PlainTalk

LATE = [
    ("我们这次项目的截止日是5月1日", "今天天气不错", "确认更新", "没有听清"),
    ("our project deadline is May 1", "the weather is nice", "I confirm the update", "not clear"),
]


@pytest.mark.parametrize(("said", "other", "confirmed", "told"), LATE)
async def test_with_a_proposal_open_nobody_is_told_that_nothing_waits(
    said: str, other: str, confirmed: str, told: str
) -> None:
    talk = PlainTalk()
    await talk.say(said)
    await talk.say(other)
    await talk.say(other)
    assert told in await talk.reply(confirmed)


@pytest.mark.parametrize(
    ("confirmed", "told"), [("确认更新", "没有"), ("I confirm the update", "Nothing is waiting")]
)
async def test_with_none_open_it_is_said_so(confirmed: str, told: str) -> None:
    assert told in await PlainTalk().reply(confirmed)


@pytest.mark.parametrize(
    ("fact", "said"), [("价格必须含税", "你好"), ("prices must include tax", "hello there")]
)
async def test_a_key_fact_that_was_proposed_is_asked_about_in_the_next_session(fact: str, said: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.propose(fact, origin="rule")
    asked = await talk.say(said, session="b")
    assert fact in asked.reply["content"]
    assert len(asked.asks_pending) == 1
