"""A wish to leave something alone that names nothing is not passed over: the user is asked to name it."""

from __future__ import annotations

import pytest

from tests.turn.plain_talk import PlainTalk


@pytest.mark.parametrize(
    ("turns", "told"),
    [
        (("我驾照没考过", "以后别再提这件事了"), "请说出名字"),
        (("I failed my driving test", "please never bring that up again"), "Please name it"),
        (("我驾照没考过", "能不能别再提这茬了"), "请说出名字"),
        (("别再提起那个人",), "请说出名字"),
        (("I failed my driving test, don't ever bring that up",), "Please name it"),
    ],
)
async def test_the_reply_asks_for_a_name(turns: tuple[str, ...], told: str) -> None:
    talk = PlainTalk(reply="OK.")
    for each in turns:
        result = await talk.say(each)
    assert [(each.kind, each.reason) for each in result.commands] == [("ban_topic", "unnamed")]
    assert told in str(result.reply["content"])


@pytest.mark.parametrize(
    "said",
    [
        *("别再聊这个了，换个话题吧", "stop talking about it, let's change the subject"),
        *("老板说以后别再提这件事了", "She said never mention that again"),
        *("别跟别人提这件事", "never mention this to anyone"),
        *("文案里别再提这个", "don't mention it again in the report"),
        *("别再说了", "don't say that again"),
        *("别再这样了", "never do that again"),
    ],
)
async def test_what_is_no_wish_of_that_kind_asks_nothing(said: str) -> None:
    talk = PlainTalk(reply="OK.")
    assert (await talk.say(said)).commands == ()


@pytest.mark.parametrize(
    ("said", "topic"),
    [
        ("my son Leo is ill, please never mention it again", "son Leo"),
        ("the divorce, never mention it again", "divorce"),
    ],
)
async def test_a_thing_is_the_topic_without_what_is_told_of_it(said: str, topic: str) -> None:
    talk = PlainTalk(reply="OK.")
    assert [each.new for each in (await talk.say(said)).commands] == [topic]
