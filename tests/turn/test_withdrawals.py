"""What takes back a standing memory is asked about, and ends it once the user says yes; no model answers."""

from __future__ import annotations

import pytest

from tests.turn.plain_talk import PlainTalk

TAKEN_BACK = [
    ("记住我吃素", "我现在不吃素了", "对，改吧"),
    ("Remember I'm vegetarian", "I'm not vegetarian anymore", "yes, go ahead"),
    ("记住我不喝酒", "我最近开始喝酒了", "对"),
    ("Remember I don't like olives", "I like olives now", "yes"),
    ("记住我讨厌蘑菇", "其实我现在喜欢蘑菇了", "对"),
    ("Remember I hate mushrooms", "Actually I like mushrooms now", "yes"),
    ("记住我对花生过敏", "花生过敏好了", "对"),
    ("Remember I have a peanut allergy", "my peanut allergy is gone", "yes"),
    ("记住不要用表情符号", "现在可以用表情符号了", "对"),
    ("Remember: never call me before 10am", "you can call me before 10am now", "yes"),
    ("以后都用英文回答我", "还是用中文回答我吧", "对"),
    ("from now on answer in English", "please answer in Chinese again", "yes"),
]
NOT_MEANT = [
    ("记住我吃素", "他现在不吃素了"),
    ("Remember I'm vegetarian", "she's not vegetarian anymore"),
    ("记住我吃素", "我现在不吃素了吗？"),
    ("Remember I'm vegetarian", "am I not vegetarian anymore?"),
    ("记住我不喜欢蘑菇汤", "我现在喜欢蘑菇了"),
    ("Remember I don't like olives on pizza", "I like olives now"),
    ("记住我吃素", "假如我现在不吃素了"),
    ("Remember I'm vegetarian", "she said I'm not vegetarian anymore"),
    ("记住我吃素", "我现在还吃素"),
    ("Remember I'm vegetarian", "I'm vegetarian now"),
]


@pytest.mark.parametrize(("kept", "said", "yes"), TAKEN_BACK)
async def test_it_is_asked_about_and_ends(kept: str, said: str, yes: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(kept)
    asked = await talk.say(said, session="b")
    assert len(asked.asks_pending) == 1
    assert len(await talk.memories()) == 1
    await talk.say(yes, session="b")
    assert await talk.memories() == [said]


@pytest.mark.parametrize(("kept", "said"), NOT_MEANT)
async def test_what_is_not_said_in_just_these_words_is_not_meant(kept: str, said: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(kept)
    await talk.say(said, session="b")
    assert await talk.updates() == []
    assert len(await talk.memories()) == 1
