"""别再提了 / "don't bring that up" behind what was told: nobody speaks of it in the next session."""

from __future__ import annotations

import pytest

from tests.turn.plain_talk import PlainTalk

TOLD = [
    ("我上个月离婚了，以后别再提了", "好的", "你好", "离婚了"),
    ("I got divorced last month, don't ever bring that up", "okay then", "hello", "got divorced"),
    ("我流产了，别再跟我提这个", "好的", "你好", "流产了"),
    ("My mum died in May. Please don't bring it up.", "okay then", "hello", "mum died"),
]


@pytest.mark.parametrize(("told", "then", "later", "words"), TOLD)
async def test_what_is_to_be_left_alone_is_left_alone(told: str, then: str, later: str, words: str) -> None:
    talk = PlainTalk(reply="OK.")
    outcomes = (await talk.say(told)).commands
    assert [(outcome.kind, outcome.reason) for outcome in outcomes] == [("ban_topic", "for_good")]
    await talk.say(then)
    reply = await talk.reply(later, session="b")
    assert words not in talk.model.prompt + reply
