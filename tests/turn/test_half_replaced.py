"""A newer word takes the place of one clause of a memory; what that tells beside stays a current memory."""

from __future__ import annotations

import pytest

from shared.ltm.left_standing import rest_of
from tests.turn.plain_talk import PlainTalk


@pytest.mark.parametrize(
    ("kept", "newer", "rest"),
    [
        ("我住在上海，在腾讯上班", "我住在北京", "我在腾讯上班"),
        ("I live in Paris and work at Airbus", "I live in Lyon", "I work at Airbus"),
        ("我的猫叫咪咪，我的狗叫旺财", "我的猫叫花花", "我的狗叫旺财"),
        ("my cat is called Tom and my dog is called Rex", "my cat is called Max", "my dog is called Rex"),
        ("我老婆叫小芳，她在医院上班", "我老婆叫小方", "我老婆在医院上班"),
        (
            "my wife's name is Fay, she works at a hospital",
            "my wife's name is Mae",
            "my wife works at a hospital",
        ),
    ],
)
async def test_the_other_half_stays_a_current_memory(kept: str, newer: str, rest: str) -> None:
    lead = "记住" if not kept.isascii() else "remember "
    talk = PlainTalk()
    await talk.say(f"{lead}{kept}")
    await talk.say(f"{lead}{newer}")
    assert sorted(await talk.memories()) == sorted([newer, rest])
    assert await talk.memories("superseded") == [kept]
    await talk.say(f"{lead}{newer}")
    assert sorted(await talk.memories()) == sorted([newer, rest])


@pytest.mark.parametrize(
    ("kept", "newer", "undo"),
    [
        ("我住在上海，在腾讯上班", "我住在北京", "撤销"),
        ("I live in Paris and work at Airbus", "I live in Lyon", "undo that"),
    ],
)
async def test_an_undo_makes_one_memory_of_both_halves(kept: str, newer: str, undo: str) -> None:
    lead = "记住" if not kept.isascii() else "remember "
    talk = PlainTalk()
    await talk.say(f"{lead}{kept}")
    await talk.say(f"{lead}{newer}")
    reply = await talk.reply(undo)
    assert newer in reply
    assert kept in reply
    assert await talk.memories() == [kept]


@pytest.mark.parametrize(
    ("old", "new", "rest"),
    [
        ("我住在上海", "我住在北京", ""),
        ("I live in Paris", "I live in Lyon", ""),
        ("我住在上海，浦东新区", "我住在北京", ""),
        ("I live in Paris, France", "I live in Lyon", ""),
        ("我住在上海，在腾讯上班", "我住在北京，在百度上班", ""),
        ("I live in Paris and work at Airbus", "I live in Lyon and work at Boeing", ""),
        ("我的生日是5月1日，不是6月1日", "我的生日是7月1日", ""),
        ("I live in Paris, not in Lyon", "I live in Rome", ""),
        ("我住在上海，在腾讯上班", "我在阿里上班", "我住在上海"),
        ("I live in Paris and work at Airbus", "I work at Boeing", "I live in Paris"),
        ("我住在上海，喜欢喝茶", "我住在北京，喜欢喝咖啡", "我喜欢喝茶"),
        ("I live in Paris and like tea", "I live in Lyon and like coffee", "I like tea"),
    ],
)
def test_only_a_clause_that_tells_something_of_its_own_is_left(old: str, new: str, rest: str) -> None:
    assert rest_of(old, new) == rest
