"""Whom and what one has one of at a time, and what says that another took its place."""

from __future__ import annotations

import pytest

from shared.ltm.replaced import takes_place
from shared.ltm.slots import contradicts
from tests.turn.plain_talk import PlainTalk

REPLACED = [
    ("my boss is Tom", "My boss is Ann now"),
    ("我老板是张三", "我老板现在是王五"),
    ("my boss is Tom", "Ann is my new boss"),
    ("我老板是张三", "王五现在是我老板"),
    ("my boss is Tom", "my new boss is Ann"),
    ("我的老板是张三", "我的新老板是王五"),
    ("my girlfriend is Amy", "My girlfriend is Sue now"),
    ("我女朋友叫小丽", "我女朋友现在是小美"),
    ("I drive a BMW", "I drive a Tesla now"),
    ("我开宝马", "我现在开特斯拉"),
    ("my phone is an iPhone", "my phone is a Pixel now"),
    ("我的手机是小米", "我的手机换成华为了"),
]
BOTH_STAND = [
    ("my boss is Tom", "my boss is ill now"),
    ("我老板是张三", "我老板现在很忙"),
    ("my boss is Tom", "My boss is Ann"),
    ("我老板是张三", "我老板是个好人"),
    ("my friend is Tom", "my new friend is Ann"),
    ("我朋友是张三", "我的新朋友是王五"),
    ("I speak French", "I speak German now"),
    ("我学法语", "我现在学德语"),
    ("my boss is Tom", "my new car is Tesla"),
    ("我开宝马", "我现在开会"),
    ("my boss is Tom", "Tom is my boss now"),
    ("我老板是张三", "我老板现在是张三"),
]


@pytest.mark.parametrize(("old", "new"), REPLACED)
def test_another_takes_the_place(old: str, new: str) -> None:
    assert contradicts(old, new, is_change=False)


@pytest.mark.parametrize(("old", "new"), BOTH_STAND)
def test_what_may_be_true_together_stays(old: str, new: str) -> None:
    assert not takes_place(old, new)


@pytest.mark.parametrize(
    ("lead", "old", "new"),
    [("记住", "我老板是张三", "我老板现在是王五"), ("Remember ", "my boss is Tom", "My boss is Ann now")],
)
async def test_a_command_with_a_newer_one_ends_the_older(lead: str, old: str, new: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(lead + old)
    await talk.say(lead + new)
    assert [text.lower() for text in await talk.memories()] == [new.lower()]
