"""Plain corrections over HTTP: asked about in the same turn, done by a yes; other talk changes nothing."""

from __future__ import annotations

from typing import Any

import pytest

from tests.e2e.stack import User
from tests.e2e.test_dialogues import take

pytestmark = pytest.mark.e2e

BUDGET = "business_context.budget.ceiling"
both_ways = pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])


def memories(user: User) -> list[str]:
    return [memory["text"] for memory in user.get("/v1/memories")["items"]]


def asked(turn: dict[str, Any]) -> list[tuple[Any, Any]]:
    assert turn["asks_pending"] == [update["id"] for update in turn["pending"]]
    return [(update["old"], update["new"]) for update in turn["pending"]]


@both_ways
@pytest.mark.parametrize(
    ("talk", "said", "yes"),
    [
        (["记住预算是55万"], "不对，是60万", "对，改吧"),
        (["remember my budget is 550k"], "no, it's 600k", "yes, go ahead"),
        (["我的预算是55万", "确认"], "说错了，应该是60万", "是的"),
        (["my budget is 550k", "yes"], "sorry, I meant 600k", "yes"),
        (["记住预算是55万", "今天天气不错"], "预算不是55万，是60万", "没错"),
        (["remember the budget is 550,000", "nice day"], "the budget isn't 550,000 but 600,000", "correct"),
    ],
)
def test_a_corrected_field_is_asked_about_and_follows_a_yes(
    user: User, talk: list[str], said: str, yes: str, *, stream: bool
) -> None:
    for text in talk:
        take(user, "a", text, stream=stream)
    turn = take(user, "a", said, stream=stream)
    assert asked(turn) == [(550000, 600000)]
    assert [notice["kind"] for notice in turn["notices"]] == ["conflict"]
    assert "550,000" in turn["reply"]["content"]
    assert "600,000" in turn["reply"]["content"]
    assert user.fields()[BUDGET]["value"] == 550000
    take(user, "a", yes, stream=stream)
    assert {path: field["value"] for path, field in user.fields().items()} == {BUDGET: 600000}
    assert user.fields()[BUDGET]["source"]["quote"] == said


@pytest.mark.parametrize(
    ("kept", "said", "yes", "old", "new"),
    [
        ("记住我住在北京", "不对，是上海", "是的", "我住在北京", "我住在上海"),
        ("remember I live in Boston", "no, it's Denver", "yes", "I live in Boston", "I live in Denver"),
    ],
)
def test_a_corrected_memory_takes_the_place_of_the_one_that_was_wrong(
    user: User, kept: str, said: str, yes: str, old: str, new: str
) -> None:
    user.turn("a", kept)
    turn = user.turn("a", said)
    assert asked(turn) == [(old, new)]
    assert old in turn["reply"]["content"]
    assert new in turn["reply"]["content"]
    assert [notice["kind"] for notice in turn["notices"]] == ["conflict"]
    assert memories(user) == [old]
    user.turn("a", yes)
    assert memories(user) == [new]


@pytest.mark.parametrize(
    ("kept", "said", "no"),
    [
        ("记住预算是55万", "不对，是60万", "不用改了"),
        ("remember my budget is 550k", "no, it's 600k", "no, leave it"),
    ],
)
def test_a_no_leaves_what_stands(user: User, kept: str, said: str, no: str) -> None:
    user.turn("a", kept)
    assert asked(user.turn("a", said)) == [(550000, 600000)]
    user.turn("a", no)
    assert user.fields()[BUDGET]["value"] == 550000


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ("记住预算是55万", "不用了，谢谢"),
        ("remember my budget is 550k", "No, thanks"),
        ("记住预算是55万", "不是，我是说别的"),
        ("remember my budget is 550k", "no, I meant something else"),
        ("记住预算是55万", "是60万吗？"),
        ("remember my budget is 550k", "is it 600k?"),
        ("记住预算是55万", "他说不对，是60万"),
        ("remember my budget is 550k", "she said no, it's 600k"),
        ("记住预算是55万", "不对，是3月20日"),
        ("remember my budget is 550k", "no, March 20"),
    ],
)
def test_what_corrects_nothing_asks_nothing_and_changes_nothing(user: User, kept: str, said: str) -> None:
    user.turn("a", kept)
    turn = user.turn("a", said)
    assert (turn["pending"], turn["commands"], turn["notices"] if not turn["degraded"] else []) == (
        [],
        [],
        [],
    )
    assert {path: field["value"] for path, field in user.fields().items()} == {BUDGET: 550000}


@pytest.mark.parametrize(
    ("kept", "said", "old", "new"),
    [
        ("记住预算是55万", "不对，是60万", 550000, 600000),
        ("remember I live in Boston", "no, it's Denver", "I live in Boston", "I live in Denver"),
    ],
)
@pytest.mark.parametrize("at_once", [True, False], ids=["one request", "two requests"])
def test_a_front_with_its_own_model_gets_the_proposal_to_ask_about(
    user: User, kept: str, said: str, old: Any, new: Any, *, at_once: bool
) -> None:
    talk = [
        {"role": "user", "content": kept},
        {"role": "assistant", "content": "ok"},
        {"role": "user", "content": said},
    ]
    answer: dict[str, Any] = {}
    for part in [talk] if at_once else [talk[:2], talk[2:]]:
        sent = user.client.post("/v1/sessions/a/messages", json={"messages": part})
        assert sent.status_code == 201, sent.text
        answer = sent.json()
    assert asked(answer) == [(old, new)]


def test_the_same_turn_again_asks_the_same_and_no_second_time(user: User) -> None:
    user.turn("a", "记住预算是55万")
    key = {"Idempotency-Key": "once"}
    body = {"message": "不对，是60万"}
    first = user.client.post("/v1/sessions/a/turns", json=body, headers=key).json()
    again = user.client.post("/v1/sessions/a/turns", json=body, headers=key).json()
    assert again == first
    assert len(user.get("/v1/pending")["items"]) == 1


@pytest.mark.parametrize(
    ("talk", "old", "new"),
    [
        (["我的预算是9000元", "确认", "不对，是9500元", "是的"], "9000", "9,500"),
        (["My budget is 9000 dollars.", "yes", "no, it's 9500", "yes"], "9000", "9,500"),
        (["记住：房租是4250元", "不对，是4350元", "是的"], "4250", ""),
        (["Remember: the rent is 4250 dollars", "no, it's 4350", "yes"], "4250", ""),
        (["记住我的电话是13812345678", "不对，是13912345678", "是的"], "13812345678", "13912345678"),
        (["remember my phone is 555-123-4567", "no, it's 555-987-6543", "yes"], "4567", "6543"),
    ],
)
def test_a_corrected_value_stands_in_the_head_no_more(
    user: User, talk: list[str], old: str, new: str
) -> None:
    for text in talk[:-1]:
        take(user, "a", text, stream=False)
    assert old in head(user)
    take(user, "a", talk[-1], stream=False)
    assert old not in head(user)
    assert new in head(user)
    shown = user.get("/v1/sessions/a")
    assert not [fact for fact in shown["key_facts"] if old in fact["text"]]


def head(user: User) -> str:
    answer = user.client.post("/v1/sessions/a/context", json={"message": "?"})
    return str(answer.json()["messages"][0]["content"])
