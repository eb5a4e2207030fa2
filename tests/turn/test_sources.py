"""How do you know? The source of what is held is told, of what the question or the last reply speaks of."""

from __future__ import annotations

import pytest

from tests.turn.plain_talk import PlainTalk

SOURCES = [
    (
        "记住我对花生过敏",
        "记住预算是55万",
        "你怎么知道我对花生过敏",
        "我对花生过敏",
        "你怎么知道我养猫",
        "不在我记着的内容里",
    ),
    (
        "Remember I live in Porto",
        "Remember my budget is 550k",
        "How do you know that I live in Porto?",
        "I live in Porto",
        "How do you know that I have a cat?",
        "is not among what I have on record",
    ),
]


@pytest.mark.parametrize(("kept", "other", "question", "fact", "unheld", "told"), SOURCES)
async def test_the_source_of_a_memory_is_told_and_of_nothing_else(
    kept: str, other: str, question: str, fact: str, unheld: str, told: str
) -> None:
    talk = PlainTalk()
    for text in (kept, other):
        await talk.say(text)
    reply = await talk.reply(question, session="b")
    line = next(line for line in reply.splitlines() if line.startswith("- "))
    assert line.startswith(f"- {fact}")
    assert kept in line
    assert "a" in line
    assert "550,000" not in reply
    reply = await talk.reply(unheld, session="b")
    assert told in reply
    assert "550,000" not in reply


LAST_REPLIES = [
    (
        "记住我对花生过敏",
        "记住预算是55万",
        "中午吃什么好？",
        "你对花生过敏，宫保鸡丁就算了。",
        "你怎么知道的？",
        "我对花生过敏",
    ),
    (
        "Remember I live in Porto",
        "Remember my budget is 550k",
        "Where shall I eat?",
        "Since you live in Porto, try the market.",
        "How do you know?",
        "I live in Porto",
    ),
]


@pytest.mark.parametrize(("kept", "other", "text", "reply", "question", "fact"), LAST_REPLIES)
async def test_a_bare_question_of_source_is_about_what_the_last_reply_told(
    kept: str, other: str, text: str, reply: str, question: str, fact: str
) -> None:
    talk = PlainTalk()
    for each in (kept, other):
        await talk.say(each)
    talk.model.reply = reply
    await talk.say(text, session="b")
    talk.model.reply = ""
    answer = await talk.reply(question, session="b")
    assert [line for line in answer.splitlines() if line.startswith(f"- {fact}")]
    assert "550,000" not in answer
    answer = await talk.reply(question, session="c")
    assert fact not in answer
