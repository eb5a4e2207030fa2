"""A ban for good through whole turns: what renews it, what lifts it, and what is no ban at all."""

from __future__ import annotations

import pytest

from tests.turn.plain_talk import SCOPE, PlainTalk

BANS = {"离婚": "以后别再提我离婚的事", "divorce": "Never mention my divorce again", "工资": "以后别再提工资"}


async def standing(talk: PlainTalk) -> list[str]:
    """Return the topics that are banned for good."""
    return await talk.ltm.read(SCOPE, lambda reader: [each.topic for each in reader.topics()])


@pytest.mark.parametrize(
    ("topic", "said"),
    [
        ("离婚", "离婚别再提了"),
        ("divorce", "my divorce is off limits"),
        ("离婚", "别再说离婚了"),
        ("divorce", "can we not talk about my divorce"),
        ("离婚", "没必要再提离婚"),
        ("divorce", "we don't need to talk about the divorce"),
        ("工资", "这台电脑多少钱？"),
        ("工资", "How much money does a bike cost?"),
    ],
)
async def test_a_refusal_said_again_and_a_word_of_its_kind_leave_a_ban_as_it_stands(
    topic: str, said: str
) -> None:
    talk = PlainTalk(reply="ok")
    await talk.say(BANS[topic])
    turn = await talk.say(said, session="b")
    assert await standing(talk) == [topic]
    assert all(each.kind == "ban_topic" for each in turn.commands)


@pytest.mark.parametrize(
    ("topic", "said"),
    [
        ("离婚", "可以聊离婚的事了"),
        ("divorce", "You can talk about my divorce again"),
        ("离婚", "离婚的律师费一般怎么算？"),
        ("divorce", "My divorce is final now"),
        ("工资", "我工资涨了"),
    ],
)
async def test_words_or_a_return_lift_it(topic: str, said: str) -> None:
    talk = PlainTalk(reply="ok")
    await talk.say(BANS[topic])
    turn = await talk.say(said, session="b")
    assert [(each.kind, each.old) for each in turn.commands] == [("lift_topic", topic)]
    assert await standing(talk) == []


@pytest.mark.parametrize(
    "said",
    [
        "面试的时候不要提薪资",
        "Never mention salary in a first interview",
        "不想再谈恋爱了",
        "do not discuss politics with my dad",
        "how do I stop talking about my ex",
    ],
)
async def test_talk_that_only_sounds_like_a_ban_sets_none(said: str) -> None:
    talk = PlainTalk(reply="ok")
    turn = await talk.say(said)
    assert turn.commands == ()
    assert await standing(talk) == []


@pytest.mark.parametrize(
    ("kept", "ban", "forget", "topic"),
    [
        ("记住我正在办离婚手续", "以后别再提离婚的事了", "忘掉离婚", "离婚"),
        ("remember that I filed for divorce", "Never mention my divorce again", "forget divorce", "divorce"),
    ],
)
async def test_a_ban_is_nothing_to_forget_and_outlives_what_is_forgotten(
    kept: str, ban: str, forget: str, topic: str
) -> None:
    talk = PlainTalk(reply="ok")
    for said in (kept, ban, forget):
        await talk.say(said)
    again = await talk.say(forget, session="b")
    assert [(each.kind, each.reason) for each in again.commands] == [("forget", "nothing_found")]
    assert await standing(talk) == [topic]
