"""A topic that was only said: messages that go on with "she", and things called by when they were said."""

from __future__ import annotations

import pytest

from tests.turn.plain_talk import PlainTalk
from tests.turn.test_forget_topic import archive, held


@pytest.mark.parametrize("archived", [False, True])
@pytest.mark.parametrize(
    ("told", "forget", "answer", "gone", "stays"),
    [
        pytest.param(
            ["我前妻叫苏禾", "她住在杭州", "而且她换了电话", "周末去爬山", "她是我老板"],
            "把我前妻的事全部忘掉",
            "都删",
            ["苏禾", "杭州", "换了电话"],
            ["周末去爬山", "她是我老板"],
            id="zh",
        ),
        pytest.param(
            [
                "My ex-wife is called Sophie",
                "She lives in Bonn",
                "And her phone is new",
                "I go hiking",
                "She is my boss",
            ],
            "forget everything about my ex-wife",
            "yes",
            ["Sophie", "Bonn", "her phone"],
            ["I go hiking", "She is my boss"],
            id="en",
        ),
    ],
)
async def test_messages_that_go_on_with_her_go_too(
    told: list[str], forget: str, answer: str, *, gone: list[str], stays: list[str], archived: bool
) -> None:
    talk = PlainTalk(reply="ok")
    for text in told:
        await talk.say(text)
    if archived:
        await archive(talk, "a")
    asked = await talk.say(forget, session="b")
    assert [(each.outcome, each.reason) for each in asked.commands] == [("pending", "several")]
    assert "3" in asked.reply["content"]
    await talk.say(answer, session="b")
    left = await held(talk, "a", "b")
    assert [word for word in gone if word in left] == []
    assert [word for word in stays if word not in left] == []


@pytest.mark.parametrize(
    ("said", "other", "forget", "outcome"),
    [
        ("价格是每台1200元", "房租是900元", "忘了刚才说的价格吧", "applied"),
        ("价格是每台1200元", "房租是900元", "把今天聊的价格删掉", "pending"),
        ("价格是每台1200元", "房租是900元", "把上个月聊的价格删掉", "refused"),
        ("The price is 1200 a piece", "The rent is 900", "forget the price I just told you", "applied"),
        ("The price is 1200 a piece", "The rent is 900", "forget the price we discussed today", "pending"),
        ("The price is 1200 a piece", "The rent is 900", "forget the price from last month", "refused"),
    ],
)
async def test_it_may_be_called_by_when_it_was_said(
    said: str, other: str, forget: str, *, outcome: str
) -> None:
    talk = PlainTalk(reply="ok")
    await talk.say(said)
    await talk.say(other)
    turn = await talk.say(forget)
    assert [each.outcome for each in turn.commands] == [outcome]
    if outcome == "pending":
        await talk.say("yes" if said.isascii() else "是的")
    left = await held(talk, "a")
    assert (said in left) is (outcome == "refused")
    assert other in left
