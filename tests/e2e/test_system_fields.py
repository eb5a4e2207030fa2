"""What a business system set may be forgotten by the user, stays so, and is the system's again afterwards."""

from __future__ import annotations

import uuid

import pytest

from tests.e2e.stack import Stack, User
from tests.e2e.test_state_routes import BUDGET, beside

pytestmark = pytest.mark.e2e


@pytest.fixture
def someone(plain_stack: Stack) -> User:
    """A user whom nobody has seen before."""
    return plain_stack.user(f"system-{uuid.uuid4().hex[:12]}")


@pytest.mark.parametrize(
    ("forget", "told", "undo", "asks"),
    [
        pytest.param(
            "忘掉我的预算", "业务系统里的记录不受影响", "撤销刚才的修改", "我的预算是多少？", id="zh"
        ),
        pytest.param("forget my budget", "keeps its own record", "undo that", "what is my budget?", id="en"),
    ],
)
@pytest.mark.parametrize("how", ["chat", "api"])
def test_a_user_may_have_forgotten_what_a_business_system_set(
    plain_stack: Stack, someone: User, forget: str, told: str, *, undo: str, asks: str, how: str
) -> None:
    system = beside(plain_stack, someone, "memory:read", "memory:write", "fields:authoritative")
    system.client.put(f"/v1/fields/{BUDGET}", json={"value": 432100}).raise_for_status()
    if how == "api":
        assert someone.client.delete(f"/v1/fields/{BUDGET}").status_code == 204
    else:
        done = someone.turn("s1", forget)
        assert [(each["outcome"], each["reason"]) for each in done["commands"]] == [("applied", "of_system")]
        assert told in done["reply"]["content"]
    assert someone.fields() == {}
    assert "432" not in someone.prompt("s2", asks)
    history = someone.get(f"/v1/fields/{BUDGET}/history")["items"]
    assert [(each["origin"], each["value"]) for each in history] == [("system", 432100), ("user", None)]
    again = system.client.put(f"/v1/fields/{BUDGET}", json={"value": 432100})
    assert (again.status_code, again.json()["code"]) == (409, "tombstoned")
    if how == "chat":
        someone.turn("s1", undo)
        assert (someone.fields()[BUDGET]["value"], someone.fields()[BUDGET]["origin"]) == (432100, "system")
        someone.turn("s1", forget)
    assert system.client.put(f"/v1/fields/{BUDGET}", json={"value": 500000}).status_code == 200
    assert someone.fields()[BUDGET]["value"] == 500000


@pytest.mark.parametrize("forget", ["忘掉我的预算", "forget my budget"])
def test_after_a_forget_the_system_still_has_the_last_word(
    plain_stack: Stack, someone: User, forget: str
) -> None:
    system = beside(plain_stack, someone, "memory:read", "memory:write", "fields:authoritative")
    system.client.put(f"/v1/fields/{BUDGET}", json={"value": 432100}).raise_for_status()
    someone.turn("s1", forget)
    someone.client.put(f"/v1/fields/{BUDGET}", json={"value": 9000, "origin": "user"}).raise_for_status()
    assert system.client.put(f"/v1/fields/{BUDGET}", json={"value": 432100}).status_code == 200
    assert someone.fields()[BUDGET]["origin"] == "system"
