"""Forgetting one thing hides no other thing in like words (CMD-05), however it was forgotten."""

from __future__ import annotations

import uuid

import pytest

from tests.e2e.stack import Stack, User

pytestmark = pytest.mark.e2e

TOLD = [
    pytest.param("我周三要去体检", "我周五要去体检", "我哪天去体检？", id="zh-day"),
    pytest.param("我爸爸有糖尿病", "我妈妈有糖尿病", "我爸爸有什么病？", id="zh-who"),
    pytest.param("客户A要求先付30%定金", "客户B要求先付50%定金", "客户A要求付多少？", id="zh-name"),
    pytest.param("我打算把钓竿卖掉", "我打算把吉他卖掉", "我想怎么处理钓竿？", id="zh-what"),
    pytest.param(
        "I have a meeting with Anna on Monday",
        "I have a meeting with Bob on Monday",
        "When do I meet Anna?",
        id="en-day",
    ),
    pytest.param(
        "My father has diabetes", "My mother has diabetes", "Does my father have diabetes?", id="en-who"
    ),
    pytest.param(
        "The office in Berlin closes at six",
        "The office in Madrid closes at six",
        "When does the office in Berlin close?",
        id="en-name",
    ),
    pytest.param(
        "The kayak is broken and needs repair",
        "The drill is broken and needs repair",
        "What is wrong with the kayak?",
        id="en-what",
    ),
]


@pytest.fixture
def plain_user(plain_stack: Stack) -> User:
    """A user of the stack without a model, whom nobody has seen before."""
    return plain_stack.user(f"user-{uuid.uuid4().hex[:12]}")


def _forget(user: User, gone: str, *, how: str) -> None:
    is_zh = not gone.isascii()
    if how == "api":
        made = user.client.post("/v1/memories", json={"text": gone}).raise_for_status().json()
        user.client.delete(f"/v1/memories/{made['id']}").raise_for_status()
    elif how == "chat":
        user.turn("s1", f"记住：{gone}" if is_zh else f"Remember: {gone}")
        done = user.turn("s1", f"忘掉{gone}" if is_zh else f"forget that {gone}")
        assert [(each["kind"], each["outcome"]) for each in done["commands"]] == [("forget", "applied")]
    else:
        user.turn("s1", f"这话别记：{gone}" if is_zh else f"off the record, {gone}")


@pytest.mark.parametrize("how", ["api", "chat", "off"])
@pytest.mark.parametrize(("kept", "gone", "question"), TOLD)
def test_what_is_another_thing_is_still_found(
    plain_user: User, kept: str, gone: str, *, question: str, how: str
) -> None:
    user = plain_user
    user.turn("s1", kept)
    _forget(user, gone, how=how)
    found = user.texts(question)
    assert kept in found
    assert [text for text in found if gone in text] == []
    prompt = user.prompt("s2", question)
    assert kept in prompt
    assert gone not in prompt


@pytest.mark.parametrize(
    ("stated", "forget", "kept", "question"),
    [
        pytest.param("我的预算是5000元", "忘掉我的预算", "我的月薪是5000元", "我的月薪是多少？", id="zh"),
        pytest.param(
            "my budget is 1200 dollars",
            "forget my budget",
            "Tom owes me 1200 dollars",
            "How much does Tom owe me?",
            id="en",
        ),
        pytest.param(
            "Remember my email is work@example.com",
            "forget my email",
            "My email client is at work",
            "Where is my email client?",
            id="en-mail",
        ),
    ],
)
def test_a_forgotten_number_hides_no_other_that_is_as_much(
    plain_user: User, stated: str, forget: str, *, kept: str, question: str
) -> None:
    user = plain_user
    user.turn("s1", kept)
    user.turn("s1", stated)
    user.turn("s1", forget)
    assert user.fields() == {}
    assert kept in user.texts(question)
    assert kept in user.prompt("s2", question)
