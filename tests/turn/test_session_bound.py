"""What the user binds to this conversation is no memory; what only names a conversation is one."""

from __future__ import annotations

import pytest

from tests.turn.plain_talk import PlainTalk

BOUND = [
    "记住，这个会话里金额都按美元算，下次不用",
    "Remember, in this conversation amounts are in dollars; not next time",
    "记住，就这一次用美元报价",
    "Remember, just this once quote in dollars",
    "记住，这次先用简体",
    "Don't forget to use pounds in this chat",
    "记住预算是30万，只限本次对话",
    "Remember my name is Anso for this conversation only, nothing permanent",
    "记住我叫船长，仅限本次",
    "Remember to call me captain today, back to normal tomorrow",
    "今天先记住我在利兹",
    "remember for today that I'm in Leeds",
    "暂时记住我住酒店",
    "Remember just for now that I am at a hotel",
    "记住我住酒店，到周末为止",
    "remember until the weekend that I am at a hotel",
    "这周先记住我住酒店",
    "Remember for this week that I am at a hotel",
]
FOR_GOOD = [
    "记住这次对话的重点是交付",
    "Remember that this conversation is about the delivery",
    "记住我在这次对话里提过的药是布洛芬",
    "Remember that I always quote in dollars",
    "记住只有这一次是例外：周三休息",
    "Remember I hate small talk in the morning",
    "记住我今天开始吃素",
    "Remember that from today I am a vegetarian",
    "记住我每天先吃药",
    "Remember that I work for the moment of applause",
    "from now on reply in English, not just this time",
    "以后都用中文回复，不是就这一次",
]


@pytest.mark.parametrize("said", BOUND)
async def test_what_is_for_this_conversation_is_not_kept(said: str) -> None:
    talk = PlainTalk(reply="OK.")
    outcomes = (await talk.say(said)).commands
    assert {outcome.reason for outcome in outcomes} == {"session_only"}
    assert (await talk.memories(), await talk.fields()) == ([], {})


@pytest.mark.parametrize("said", FOR_GOOD)
async def test_what_only_speaks_of_a_conversation_is_kept(said: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(said)
    assert len(await talk.memories()) == 1


@pytest.mark.parametrize(
    "said",
    [
        "记住这次先用简体。记住我住在北京。",
        "Remember, just this once use pounds. Remember that I live in Leeds.",
    ],
)
async def test_another_sentence_is_kept(said: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(said)
    assert len(await talk.memories()) == 1


@pytest.mark.parametrize(
    ("said", "told"), [(BOUND[2], "只在这次对话里有效"), (BOUND[3], "in this conversation only")]
)
async def test_the_reply_says_so(said: str, told: str) -> None:
    assert told in await PlainTalk(reply="OK.").reply(said)
