"""A request to forget does not bring back the name of what it forgot: no later session finds its words."""

from __future__ import annotations

import pytest

from tests.turn.plain_talk import PlainTalk

ZH, EN = "我家的猫叫团子", "my cat is called Tuanzi"


@pytest.mark.parametrize("reply", ["OK.", ""])
@pytest.mark.parametrize(
    ("kept", "request_", "yes", "question", "name"),
    [
        (f"记住{ZH}", "忘掉团子", "", "我家的猫叫什么名字？", "团子"),
        (f"remember that {EN}", "forget Tuanzi", "yes", "what is my cat called?", "Tuanzi"),
        (f"记住{ZH}", "忘记团子", "对", "我家的猫叫什么名字？", "团子"),
        (f"remember that {EN}", "drop the one about Tuanzi", "yes", "what is my cat called?", "Tuanzi"),
        (f"记住{ZH}", "把团子的记录删了", "对", "猫的记录在哪？", "团子"),
        (f"remember that {EN}", "delete the record about Tuanzi", "yes", "what records are there?", "Tuanzi"),
    ],
)
async def test_another_session_is_not_told_the_name(
    kept: str, request_: str, yes: str, question: str, name: str, *, reply: str
) -> None:
    talk = PlainTalk(reply=reply)
    for said in (kept, request_, yes):
        if said:
            await talk.say(said)
    assert await talk.memories() == []
    answered = await talk.say(question, session="b")
    assert name not in (talk.model.prompt if reply else str(answered.reply["content"]))


@pytest.mark.parametrize(
    ("said", "question", "told"),
    [
        ("忘掉团子。我上周搬到了苏州", "我搬到哪里了？", "苏州"),
        ("Delete the record about my cat. I moved to Leeds last week", "where did I move?", "Leeds"),
    ],
)
async def test_what_else_the_message_says_is_found(said: str, question: str, told: str) -> None:
    talk = PlainTalk(reply="OK.")
    await talk.say(f"记住{ZH}" if not said.isascii() else f"remember that {EN}")
    await talk.say(said)
    await talk.say(question, session="b")
    assert told in talk.model.prompt


@pytest.mark.parametrize(
    ("kept", "said", "yes", "question", "told"),
    [
        (("我家的猫叫团子", "团子爱吃鱼"), "忘掉团子。我上周搬到了苏州", "都忘掉", "我搬到哪里了？", "苏州"),
        (
            ("my cat is called Tuanzi", "my cat likes fish"),
            "Delete the record about my cat. I moved to Leeds last week",
            "all of them",
            "where did I move?",
            "Leeds",
        ),
    ],
)
async def test_an_answer_hides_the_request_alone(
    kept: tuple[str, str], said: str, yes: str, *, question: str, told: str
) -> None:
    talk = PlainTalk(reply="OK.")
    for each in kept:
        await talk.say(f"remember that {each}" if each.isascii() else f"记住{each}")
    assert [each.outcome for each in (await talk.say(said)).commands] == ["pending"]
    await talk.say(yes)
    assert await talk.memories() == []
    await talk.say(question, session="b")
    assert told in talk.model.prompt
