"""A bare name of what is known finds the memory that tells it in other words, and asks first."""

from __future__ import annotations

import pytest

from tests.turn.plain_talk import PlainTalk

TOLD = [
    ("记住我住在北京", "忘掉我的住址", "对"),
    ("Remember I live in Leeds", "forget my address", "yes"),
    ("记住方案A报价是8800元", "忘了刚才说的价格吧", "对"),
    ("Remember plan A costs 8800 yuan", "forget the price I just mentioned", "yes"),
]


@pytest.mark.parametrize(("kept", "forget", "yes"), TOLD)
async def test_it_asks_and_forgets_on_a_yes(kept: str, forget: str, yes: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(kept)
    outcomes = (await talk.say(forget)).commands
    assert [outcome.outcome for outcome in outcomes] == ["pending"]
    assert len(await talk.memories()) == 1
    await talk.say(yes)
    assert await talk.memories() == []


@pytest.mark.parametrize(
    ("kept", "forget"),
    [("记住我喜欢爬山", "忘掉我的住址"), ("Remember I like hiking", "forget my address")],
)
async def test_what_tells_something_else_is_not_asked_about(kept: str, forget: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(kept)
    assert [outcome.reason for outcome in (await talk.say(forget)).commands] == ["nothing_found"]
