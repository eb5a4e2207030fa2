"""What tells of two things is not forgotten whole for the sake of one, in whole turns without a model."""

from __future__ import annotations

import pytest

from shared.ports.ltm import MemoryFilter
from tests.turn.plain_talk import SCOPE, PlainTalk

HALVES = [
    ("婆婆不吃香菜，爸爸有糖尿病", "忘掉婆婆的事", "爸爸有糖尿病"),
    (
        "my mother-in-law hates parsley, dad has diabetes",
        "forget everything about my mother-in-law",
        "dad has diabetes",
    ),
    ("我儿子5岁，我女儿8岁", "忘掉我女儿", "我儿子5岁"),
    ("my son is 5 and my daughter is 8", "forget my daughter", "my son is 5"),
    ("我老婆的生日是5月1日，儿子的生日是6月2日", "忘掉我老婆的生日", "儿子的生日是6月2日"),
    (
        "my wife's birthday is May 1, my son's birthday is June 2",
        "forget my wife's birthday",
        "my son's birthday is June 2",
    ),
    ("我老婆叫小芳，她在医院上班", "忘掉我老婆的名字", "我老婆在医院上班"),
    (
        "my wife's name is Fay, she works at a hospital",
        "forget my wife's name",
        "my wife works at a hospital",
    ),
    ("我对花生过敏，也对虾过敏", "忘掉我对花生过敏", "我也对虾过敏"),
    ("I am allergic to nuts, also to shrimp", "forget that I am allergic to nuts", ""),
    ("我喜欢爬山、游泳", "忘掉我喜欢爬山", ""),
    ("I like hiking and swimming", "forget that I like hiking", ""),
]


@pytest.mark.parametrize(("kept", "said", "left"), HALVES)
async def test_of_a_memory_of_two_things_the_part_that_was_asked_about_goes(
    kept: str, said: str, left: str
) -> None:
    is_zh = not kept.isascii()
    talk = PlainTalk()
    await talk.say(f"记住{kept}" if is_zh else f"remember {kept}")
    turn = await talk.say(said)
    assert [(each.outcome, each.reason) for each in turn.commands] == [("pending", "confirm_forget")]
    assert kept in turn.reply["content"]
    assert await talk.memories() == [kept]
    await talk.say("不用" if is_zh else "no")
    assert await talk.memories() == [kept]
    asked = await talk.reply(said)
    assert left in asked
    await talk.say("是的" if is_zh else "yes")
    assert await talk.memories() == ([left] if left else [])


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ("我儿子5岁，我女儿8岁", "忘掉我女儿"),
        ("my son is 5 and my daughter is 8", "forget my daughter"),
    ],
)
async def test_a_source_is_quoted_without_the_part_that_went(kept: str, said: str) -> None:
    is_zh = not kept.isascii()
    talk = PlainTalk()
    await talk.say(f"记住{kept}" if is_zh else f"remember {kept}")
    await talk.say(said)
    await talk.say("是的" if is_zh else "yes")
    [memory] = await talk.ltm.read(SCOPE, lambda reader: reader.memories(MemoryFilter()))
    assert memory.source.quote == memory.text


@pytest.mark.parametrize(("kept", "said"), [half[:2] for half in HALVES[2:4]])
async def test_a_message_that_was_only_said_is_asked_about(kept: str, said: str) -> None:
    talk = PlainTalk()
    await talk.say(kept)
    turn = await talk.say(said)
    assert [(each.outcome, each.reason) for each in turn.commands] == [("pending", "confirm_forget")]


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ("我老婆叫小芳，她在医院上班", "忘掉我老婆"),
        ("my wife is called Fay, she works at a hospital", "forget my wife"),
        ("我住在上海浦东", "忘掉我住在上海"),
        ("I live in Paris and work at Airbus", "forget that I live in Paris and work at Airbus"),
    ],
)
async def test_what_tells_of_the_one_thing_alone_goes_at_once(kept: str, said: str) -> None:
    talk = PlainTalk()
    await talk.say(f"记住{kept}" if not kept.isascii() else f"remember {kept}")
    turn = await talk.say(said)
    assert [(each.kind, each.outcome) for each in turn.commands] == [("forget", "applied")]
    assert await talk.memories() == []


@pytest.mark.parametrize(
    ("said", "forget"),
    [
        ("记住：钓竿断了，得送去修理", "忘掉钓竿断了，得送去修理"),
        (
            "Remember: the kayak is broken, it needs repair",
            "forget that the kayak is broken, it needs repair",
        ),
    ],
)
async def test_what_the_user_names_in_full_goes_at_once(said: str, forget: str) -> None:
    talk = PlainTalk()
    await talk.say(said)
    done = await talk.say(forget)
    assert [(each.kind, each.outcome) for each in done.commands] == [("forget", "applied")]
    assert await talk.memories() == []
