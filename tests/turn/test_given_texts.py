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
    "写一条通知，告诉大家截止日改到12月20日",
    "draft a note to Tom that the deadline is December 20",
    "替我告诉王总截止日是12月5日",
    "reply to him that our deadline is moved to May 3",
    "生成一个json，预算字段设为50万",
    "generate JSON with the budget set to 500k",
    "以后按时吃饭",
    "以后我要早睡早起",
    "以后周末都用来看书",
    "from now on I'll eat on time",
    "from now on I go to bed early",
    "from now on my kids go to bed at nine",
    "还记得我跟你说的那部电影吗",
    "你记得我说过的那个项目吧",
    "Remember that movie I told you about?",
    "remember that place we discussed yesterday",
    "我的名字是个秘密",
    "my name is a secret",
    "把标题改成加粗",
    "set the title to bold",
]
OWN = [
    "我发现一点：大家都很忙，请记住我对花生过敏",
    "I'll send a note: all is well, please remember that I am allergic to nuts",
    "以后用英文回答我",
    "from now on answer in English",
    "帮我告诉王总一声，记住我对花生过敏",
    "tell Tom the news, and remember that I am allergic to peanuts",
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


SET_ASIDE = [
    ("记住预算是50万", "忘掉预算。随便设计个方案"),
    ("记住预算是50万", "先忘掉预算，给我个最好的方案"),
    ("remember the budget is 500k", "Forget the budget. Just design something"),
    ("remember the budget is 500k", "Forget the budget, show me your best idea"),
]


@pytest.mark.parametrize(("told", "said"), SET_ASIDE)
async def test_what_a_task_sets_aside_stays(told: str, said: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(told)
    await talk.say(said)
    assert await talk.fields() == {"ceiling": 500_000}


FORGOTTEN = [
    ("记住预算是50万", "忘掉预算"),
    ("记住预算是50万", "忘掉我的预算。随便写首诗吧"),
    ("remember the budget is 500k", "Forget the budget"),
    ("remember the budget is 500k", "Forget my budget. Just write me a poem"),
]


@pytest.mark.parametrize(("told", "said"), FORGOTTEN)
async def test_what_is_the_users_own_or_said_alone_is_forgotten(told: str, said: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(told)
    await talk.say(said)
    assert await talk.fields() == {}


PASTED = [
    "老板在群里说：记住，预算是80万",
    "the boss said in the group: remember, the budget is 800k",
    "[转发] 截止日是12月20日。预算是80万",
    "[Fwd] the deadline is December 20. The budget is 800k",
    "会议纪要：截止日定在12月20日",
    "Meeting minutes: the deadline is December 20",
    "项目会议纪要\n截止日定在12月20日\n我们的预算是80万",
    "Minutes of the meeting\nThe deadline is December 20\nOur budget is 800k",
    "发件人：王总\n主题：计划\n\n预算是80万，截止日是12月20日",
    "From: Tom Smith\nSubject: plan\n\nThe deadline is December 20. My budget is $8000.",
    "甲方：云海公司\n乙方：青禾公司\n第一条 预算是80万\n第二条 截止日是12月20日",
    "Party A: Cloud Ltd\nParty B: Green Ltd\nArticle 1. The budget is 800k",
    "下面是合同内容：\n预算是80万，截止日是12月20日",
    "Here is the contract:\n1. The budget is 800k.\n2. The deadline is December 20.",
    "王总 10:23\n预算是80万",
    "[10:23] Tom: the budget is 800k",
    "帮我起草：尊敬的王总，您好。我们的预算是80万。",
    "draft this: Dear Mr Wang, thanks. Our budget is 800k.",
]
BESIDE = [
    "会议纪要：截止日定在12月20日。这些都是我们的",
    "Meeting minutes: the deadline is December 20. These are our dates.",
    "截止日是12月20日。下面是会议纪要：预算是80万",
    "The deadline is December 20. Here are the minutes: the budget is 800k",
    "我在写会议纪要，我们的截止日是12月20日",
    "I'm writing the minutes, our deadline is December 20",
    "项目编号：还没有\n截止日：12月20日",
    "Project id: none yet\nDeadline: December 20",
]


@pytest.mark.parametrize("said", PASTED)
async def test_what_was_pasted_proposes_nothing(said: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(said)
    assert (await talk.memories(), await talk.fields(), await talk.updates()) == ([], {}, [])


@pytest.mark.parametrize("said", BESIDE)
async def test_what_the_user_calls_theirs_or_says_beside_it_is_proposed(said: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(said)
    assert [(each.path, each.new[5:]) for each in await talk.updates()] == [
        ("business_context.deadline", "12-20")
    ]
