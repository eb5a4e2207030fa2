"""What the user said a message ago is kept on their word: they need not say it again."""

from __future__ import annotations

import pytest

from shared.ports.ltm import MemoryFilter
from tests.turn.plain_talk import SCOPE, PlainTalk


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("我女儿在实验二小读四年级", "对，这个帮我记下来"),
        ("My daughter is in fourth grade at Elm Park", "yeah, remember that please"),
        ("我上周搬到苏州了", "好的，帮我记一下"),
        ("I moved to Leeds last week", "Make a note of that, thanks"),
    ],
)
async def test_it_is_kept_with_the_message_that_said_it_as_its_source(said: str, asked: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(said)
    second = await talk.say(asked)
    assert [(each.kind, each.outcome) for each in second.commands] == [("remember", "applied")]
    (kept,) = await talk.ltm.read(SCOPE, lambda reader: reader.memories(MemoryFilter()))
    assert (kept.text, kept.source.quote) == (said, said)
    assert len(set(kept.source.message_ids)) == 2


@pytest.mark.parametrize(
    ("said", "asked"), [("我的预算是50万", "记住这个"), ("my budget is 500k", "remember that")]
)
async def test_it_is_a_yes_to_what_was_asked(said: str, asked: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(said)
    await talk.say(asked)
    assert await talk.fields() == {"ceiling": 500_000}


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("今天天气怎么样？", "记住"),
        ("what's the weather like?", "remember that"),
        ("推荐一家餐厅", "记住这个"),
        ("recommend a restaurant", "remember that"),
        ("帮我写一封邮件：我们不吃辣", "记住这个"),
        ("translate: I love you", "remember that"),
        ("这话别记：我怀孕了", "记住这个"),
        ("off the record: I'm pregnant", "remember that"),
        ("你好", "记一下吧"),
        ("hello there", "note that down"),
        ("我女儿在实验二小读四年级", "这个怎么记住？"),
        ("My daughter is at Elm Park", "do you remember that?"),
    ],
)
async def test_nothing_else_is_kept(said: str, asked: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(said)
    assert (await talk.say(asked)).commands == ()
    assert await talk.memories() == []


async def test_what_was_kept_at_once_is_not_kept_twice() -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say("记住我喜欢爬山")
    assert (await talk.say("记住这个哦")).commands == ()
    assert await talk.memories() == ["我喜欢爬山"]
