"""Which messages are left out where a request speaks of those before it, or of those to come."""

from __future__ import annotations

import pytest

from tests.turn.plain_talk import PlainTalk


@pytest.mark.parametrize(
    ("said", "asked", "named"),
    [
        (("我工资是28000元", "我奖金是5万元"), "刚才说的都不要记", ["我工资是28000元", "我奖金是5万元"]),
        (
            ("my salary is 28000", "my bonus is 5k"),
            "don't save any of that",
            ["my salary is 28000", "my bonus is 5k"],
        ),
        (("今天很累", "我失业了", "我离婚了"), "上面两句都别记", ["我失业了", "我离婚了"]),
        (
            ("long day", "I was laid off", "I got divorced"),
            "don't save my last two messages",
            ["I was laid off", "I got divorced"],
        ),
        (
            ("我失业了", "记住我喜欢蓝色", "我离婚了", "我搬家了"),
            "刚才说的都不要记",
            ["我离婚了", "我搬家了"],
        ),
        (
            ("I was laid off", "remember I like blue", "I got divorced", "I moved"),
            "don't save any of that",
            ["I got divorced", "I moved"],
        ),
        (("我失业了", "我离婚了"), "刚才那条别存", None),
        (("I was laid off", "I got divorced"), "don't save that", None),
    ],
)
async def test_the_reply_names_each_of_several_messages(
    said: tuple[str, ...], asked: str, named: list[str] | None
) -> None:
    talk = PlainTalk()
    for text in said:
        await talk.say(text)
    turn = await talk.say(asked)
    (outcome,) = turn.commands
    assert (outcome.outcome, outcome.reason, outcome.old) == ("applied", "not_kept", named)
    reply = turn.reply["content"]
    assert [text for text in said if f"- {text}" in reply] == (named or [])


@pytest.mark.parametrize(
    ("kept", "asked", "left"),
    [
        (("记住我喜欢蓝色", "记住我喜欢喝茶"), "刚才说的都不要记", ["我喜欢蓝色"]),
        (("remember I like blue", "remember I like tea"), "don't save any of that", ["I like blue"]),
    ],
)
async def test_what_memory_was_told_to_keep_earlier_stays(
    kept: tuple[str, ...], asked: str, left: list[str]
) -> None:
    talk = PlainTalk()
    for text in kept:
        await talk.say(text)
    await talk.say(asked)
    assert await talk.memories() == left


@pytest.mark.parametrize(
    ("asked", "way_out"),
    [
        ("我接下来要说的话不要记", "这话别记"),
        ("Don't record the next thing I say.", "off the record:"),
    ],
)
async def test_nothing_is_promised_of_the_one_message_to_come(asked: str, way_out: str) -> None:
    talk = PlainTalk()
    turn = await talk.say(asked)
    assert [(each.outcome, each.reason) for each in turn.commands] == [("refused", "only_said")]
    assert way_out in turn.reply["content"]
    assert await talk.updates() == []
