"""A name that ends in a small word is forgotten whole, and what only begins like it stays."""

from __future__ import annotations

import pytest

from tests.turn.plain_talk import PlainTalk

STAYS = [
    ("记住我住在成华区", "忘掉我住在成都"),
    ("记住我爱去首尔", "忘掉我爱去首都"),
    ("记住我喜欢丰田", "忘掉我喜欢丰都"),
    ("记住我常去酒店", "忘掉我常去酒吧"),
    ("记住我住在成华区", "把我住在成都忘掉吧"),
    ("Remember I live in Newark", "Forget that I live in New York"),
    ("记住我喜欢冰球", "忘掉我喜欢冰吧"),
    ("记住我住在江西", "把我住在江都忘掉"),
    ("记住我讨厌跑步", "忘掉我讨厌跑"),
    ("记住我喜欢吃苹果派", "忘掉我喜欢吃苹果"),
    ("Remember I live in Bathgate", "Forget that I live in Bath"),
    ("Remember I live in Newcastle", "Forget that I live in New"),
    ("Remember I love Band Aid", "Forget that I love Band Now"),
]
GOES = [
    ("记住我住在成都", "忘掉我住在成都"),
    ("记住我常去网吧", "忘掉我常去网吧吧"),
    ("记住我喜欢咖啡", "忘掉我喜欢咖啡吧"),
    ("记住我喜欢冰吧", "忘掉我喜欢冰吧"),
    ("记住我喜欢冰吧", "忘掉我喜欢冰吧吧"),
    ("记住我老婆叫小芳", "忘掉我老婆吧"),
    ("记住我住在江都", "把我住在江都忘掉"),
    ("Remember I love Band Now", "Forget that I love Band Now"),
    ("Remember I live in Bath", "Forget that I live in Bath now"),
    ("记住我对花生过敏", "把我对花生过敏都忘掉"),
    ("Remember I live in New York", "Forget that I live in New York please"),
]


@pytest.mark.parametrize(("kept", "forget"), STAYS)
async def test_what_only_begins_like_it_stays(kept: str, forget: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(kept)
    await talk.say(forget)
    assert len(await talk.memories()) == 1


@pytest.mark.parametrize(("kept", "forget"), GOES)
async def test_a_name_is_forgotten_whole(kept: str, forget: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(kept)
    outcome = (await talk.say(forget)).commands[0]
    assert await talk.memories() == []
    assert str(outcome.old).strip("。.") in kept


@pytest.mark.parametrize(
    ("other", "kept", "forget"),
    [
        ("记住我喜欢冰球", "记住我喜欢冰吧", "忘掉我喜欢冰吧"),
        ("Remember I love Band Aid", "Remember I love Band Now", "Forget that I love Band Now"),
    ],
)
async def test_the_words_as_they_stand_come_before_cut_ones(other: str, kept: str, forget: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(other)
    await talk.say(kept)
    await talk.say(forget)
    assert [text in other for text in await talk.memories()] == [True]
