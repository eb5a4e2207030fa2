"""A bare name of what is known finds the memory that tells it in other words, and asks first."""

from __future__ import annotations

import pytest

from tests.turn.plain_talk import PlainTalk

TOLD = [
    ("记住我住在北京", "忘掉我的住址", "对"),
    ("Remember I live in Leeds", "forget my address", "yes"),
]
JUST_SAID = [
    ("记住方案A报价是8800元", "忘了刚才说的价格吧"),
    ("Remember plan A costs 8800 yuan", "forget the price I just mentioned"),
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


@pytest.mark.parametrize(("kept", "forget"), JUST_SAID)
async def test_the_one_thing_that_was_just_kept_goes_at_once(kept: str, forget: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(kept)
    assert [outcome.outcome for outcome in (await talk.say(forget)).commands] == ["applied"]
    assert await talk.memories() == []


@pytest.mark.parametrize(("kept", "forget"), JUST_SAID)
async def test_of_two_such_things_it_asks(kept: str, forget: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(kept)
    await talk.say(kept.replace("A", "B").replace("8800", "9900"))
    assert [outcome.outcome for outcome in (await talk.say(forget)).commands] == ["pending"]


@pytest.mark.parametrize(
    ("kept", "forget"),
    [("记住我喜欢爬山", "忘掉我的住址"), ("Remember I like hiking", "forget my address")],
)
async def test_what_tells_something_else_is_not_asked_about(kept: str, forget: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(kept)
    assert [outcome.reason for outcome in (await talk.say(forget)).commands] == ["nothing_found"]


@pytest.mark.parametrize(
    ("kept", "forget"),
    [
        ("记住我的邮箱是a@b.com，手机号是13800138000", "我的邮箱和手机号都删了吧"),
        ("Remember my email is a@b.com and my phone is 13800138000", "delete my email and my phone number"),
        ("记住我的邮箱是a@b.com，手机号是13800138000", "忘掉我的邮箱和手机号"),
    ],
)
async def test_several_fields_are_forgotten_at_once(kept: str, forget: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(kept)
    assert len(await talk.fields()) == 2
    await talk.say(forget)
    assert await talk.fields() == {}


async def test_everything_about_a_thing_is_forgotten() -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say("Remember my daughter is called Dora")
    await talk.say("delete everything about my daughter")
    assert await talk.memories() == []
