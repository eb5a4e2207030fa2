"""D14: what was just said is forgotten at once; last month's is listed, counted and asked about."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta

import pytest

from tests.e2e.stack import Stack, User
from tests.e2e.test_dialogues import take

pytestmark = pytest.mark.e2e


def memories(user: User) -> set[str]:
    return {memory["text"] for memory in user.get("/v1/memories")["items"]}


@contextmanager
def next_month(stack: Stack) -> Iterator[None]:
    """Let it be the third day of the next month."""
    now = datetime.now(UTC)
    then = (now.replace(day=28) + timedelta(days=4)).replace(day=3)
    with stack.admin() as admin:
        admin.post("/v1/test/clock", json={"now": then.isoformat()}).raise_for_status()
        try:
            yield
        finally:
            real = {"now": datetime.now(UTC).isoformat()}
            admin.post("/v1/test/clock", json=real).raise_for_status()


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(
    ("told", "forget", "kept"),
    [
        pytest.param(
            ("记住：价格是每台1200元", "记住：客户在杭州"), "忘了刚才说的价格吧", {"客户在杭州"}, id="zh"
        ),
        pytest.param(
            ("Remember: the price is 1200 a piece", "Remember: the client is in Oslo"),
            "forget the price I just told you",
            {"the client is in Oslo"},
            id="en",
        ),
    ],
)
def test_d14_one_clear_thing_is_forgotten_at_once(
    user: User, told: tuple[str, ...], forget: str, *, kept: set[str], stream: bool
) -> None:
    for text in told:
        take(user, "a", text, stream=stream)
    done = take(user, "a", forget, stream=stream)
    assert [(each["kind"], each["outcome"]) for each in done["commands"]] == [("forget", "applied")]
    assert memories(user) == kept


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "streamed"])
@pytest.mark.parametrize(
    ("told", "forget", "other", "count", "answer"),
    [
        pytest.param(
            ("记住：A方案用太阳能", "记住：B方案用风能"),
            "把上个月聊的方案删掉",
            "C方案用煤",
            "2",
            "都删",
            id="zh",
        ),
        pytest.param(
            ("Remember: plan Alpha uses solar power", "Remember: plan Beta uses wind"),
            "forget the plan we discussed last month",
            "plan Gamma uses coal",
            "2",
            "both",
            id="en",
        ),
    ],
)
def test_d14_what_was_said_last_month_is_counted_and_asked_about(
    stack: Stack,
    user: User,
    told: tuple[str, ...],
    *,
    forget: str,
    other: str,
    count: str,
    answer: str,
    stream: bool,
) -> None:
    for text in told:
        take(user, "a", text, stream=stream)
    before = memories(user)
    with next_month(stack):
        user.client.post("/v1/memories", json={"text": other}).raise_for_status()
        asked = take(user, "b", forget, stream=stream)
        assert [(each["outcome"], each["reason"]) for each in asked["commands"]] == [("pending", "several")]
        reply = asked["reply"]["content"].split("\n\n")[-1]
        assert count in reply
        assert all(text in reply for text in before)
        assert other not in reply
        assert memories(user) == before | {other}
        take(user, "b", answer, stream=stream)
        assert memories(user) == {other}
