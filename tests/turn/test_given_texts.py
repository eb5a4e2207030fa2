"""What a text to be written, or one from somebody else, says is no command of the user's."""

from __future__ import annotations

import pytest

from tests.turn.plain_talk import PlainTalk

GIVEN = [
    "帮我起草：尊敬的王总，请记住我们的截止日是12月20日",
    "draft this: Dear Mr Wang, please remember our deadline is December 20",
    "帮我写条短信给妈妈：您记住按时测血压",
    "write me a post: from now on everybody call me Sunny",
    "我妈发来：记得多穿衣服，别忘了吃早饭",
    "write an apology: from now on I will always be on time",
    "帮我写封邮件，说预算是60万",
    "write an email saying the budget is 600k",
    "以后按时吃饭",
    "以后我要早睡早起",
    "from now on I'll eat on time",
    "from now on I go to bed early",
    "把标题改成加粗",
    "set the title to bold",
]
OWN = [
    "我发现一点：大家都很忙，请记住我对花生过敏",
    "I'll send a note: all is well, please remember that I am allergic to nuts",
    "以后用英文回答我",
    "from now on answer in English",
    "帮我看看这封邮件。记住我对花生过敏",
    "Have a look at this email. Remember that I am allergic to peanuts",
]


@pytest.mark.parametrize("said", GIVEN)
async def test_it_stores_and_proposes_nothing(said: str) -> None:
    talk = PlainTalk(reply="OK.")
    outcomes = (await talk.say(said)).commands
    assert not [outcome for outcome in outcomes if outcome.outcome == "applied"]
    assert (await talk.memories(), await talk.fields(), await talk.updates()) == ([], {}, [])


@pytest.mark.parametrize("said", OWN)
async def test_the_users_own_words_beside_it_count(said: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(said)
    assert len(await talk.memories()) == 1
