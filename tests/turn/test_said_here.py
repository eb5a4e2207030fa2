"""Without a model, a question finds what was said earlier in the same session."""

from __future__ import annotations

import pytest

from shared.prompts.load import load_prompt
from tests.turn.plain_talk import PlainTalk


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("我对花生过敏", "我对什么过敏？"),
        ("I'm allergic to peanuts", "What am I allergic to?"),
        ("我不吃肉", "我能吃肉吗？"),
        ("I don't eat meat", "can I eat meat?"),
        ("我住在北京", "我住在哪？"),
        ("I live in Berlin and work at a bank", "where do I live?"),
        ("价格必须含税", "价格要含税吗？"),
        ("Prices must include tax", "Do prices include tax?"),
        ("我家的猫叫团子", "我家的猫叫什么"),
        ("Our cat is called Pebble", "what is our cat called"),
    ],
)
async def test_a_question_is_answered_from_the_running_session(said: str, asked: str) -> None:
    talk = PlainTalk()
    await talk.say(said)
    reply = await talk.reply(asked)
    assert f"“{said}”" in reply
    assert all(load_prompt(language, "fallback_nothing") not in reply for language in ("zh", "en"))


@pytest.mark.parametrize(
    ("said", "asked"),
    [
        ("我住在哪？", "我住在哪？"),
        ("where do I live?", "where do I live?"),
        ("我家的猫叫团子", "我住在哪？"),
        ("Our cat is called Pebble", "where do I live?"),
    ],
)
async def test_what_was_asked_or_is_of_something_else_answers_nothing(said: str, asked: str) -> None:
    talk = PlainTalk()
    await talk.say(said)
    reply = await talk.reply(asked)
    assert f"“{said}”" not in reply


@pytest.mark.parametrize(
    ("said", "after", "asked", "word"),
    [
        ("我的离婚律师姓陈", "以后别再提离婚的事", "我的律师姓什么？", "姓陈"),
        ("My divorce lawyer is Chen", "Never mention my divorce again", "Who is my lawyer?", "Chen"),
        ("记住我的牙医是王强", "忘掉我的牙医", "我的牙医是谁？", "王强"),
        ("Remember my dentist is Wang", "forget my dentist", "Who is my dentist?", "Wang"),
    ],
)
async def test_what_is_banned_or_forgotten_is_not_told(said: str, after: str, asked: str, word: str) -> None:
    talk = PlainTalk()
    await talk.say(said)
    await talk.say(after)
    assert word not in await talk.reply(asked)


async def test_the_newest_of_the_best_stands_first_and_small_talk_quotes_nothing() -> None:
    talk = PlainTalk()
    for said in ("I live in Bern", "I like tea", "I live in Berlin"):
        await talk.say(said)
    reply = await talk.reply("where do I live?")
    assert reply.index("Berlin") < reply.index("in Bern”")
    assert "tea" not in reply
    assert "Berlin" not in await talk.reply("I live a quiet life")
