"""Requests to forget in everyday words, in whole turns without a model: what is asked, and one truth told."""

from __future__ import annotations

import pytest

from shared.prompts.load import load_prompt
from tests.turn.plain_talk import PlainTalk


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ("记住我老婆对坚果过敏", "忘了我老婆过敏的事吧"),
        ("remember my wife has a nut allergy", "forget about my wife's allergy"),
    ],
)
async def test_a_memory_is_forgotten_by_the_words_it_says_apart(kept: str, said: str) -> None:
    talk = PlainTalk()
    await talk.say(kept)
    turn = await talk.say(said)
    assert [(each.kind, each.outcome) for each in turn.commands] == [("forget", "applied")]
    assert await talk.memories() == []


@pytest.mark.parametrize(
    ("kept", "said", "reason"),
    [
        (["记住我喜欢茉莉花茶"], "忘记茉莉花茶", "confirm_forget"),
        (["remember I like jasmine tea"], "forget jasmine tea", "confirm_forget"),
        (["记住我喜欢茉莉花茶", "记住茉莉花茶在柜子里"], "忘记茉莉花茶", "several"),
        (
            ["remember I like jasmine tea", "remember jasmine tea is in the cupboard"],
            "forget jasmine tea",
            "several",
        ),
    ],
)
async def test_the_reason_tells_one_thing_from_several(kept: list[str], said: str, reason: str) -> None:
    talk = PlainTalk()
    for text in kept:
        await talk.say(text)
    turn = await talk.say(said)
    assert [(each.outcome, each.reason) for each in turn.commands] == [("pending", reason)]
    assert len(await talk.memories()) == len(kept)


@pytest.mark.parametrize(
    ("said", "language"), [("这话别记：我被开除了", "zh"), ("don't remember this: I was fired", "en")]
)
async def test_what_is_not_kept_is_not_said_to_be_kept(said: str, language: str) -> None:
    turn = await PlainTalk().say(said)
    assert load_prompt(language, "not_kept") in turn.reply["content"]
    assert load_prompt(language, "fallback_kept") not in turn.reply["content"]


@pytest.mark.parametrize(("said", "language"), [("我今天有点累", "zh"), ("I am a bit tired", "en")])
async def test_what_is_kept_is_said_to_be_kept(said: str, language: str) -> None:
    turn = await PlainTalk().say(said)
    assert load_prompt(language, "fallback_kept") in turn.reply["content"]
