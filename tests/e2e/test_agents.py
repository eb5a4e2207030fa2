"""What keys may not do in the name of the user or of a business system, and a front's own question."""

from __future__ import annotations

import uuid
from typing import Any

import httpx
import pytest

from tests.e2e.stack import Stack, User
from tests.e2e.test_state_routes import CONSTRAINTS, beside

pytestmark = pytest.mark.e2e
EMAIL = "user_profile.contact.email"
ITEMS = f"/v1/fields/{CONSTRAINTS}/items"


@pytest.fixture
def someone(plain_stack: Stack) -> User:
    return plain_stack.user(f"agents-{uuid.uuid4().hex[:10]}")


@pytest.fixture
def agent(plain_stack: Stack, someone: User) -> User:
    return beside(plain_stack, someone, "chat", "memory:read", "memory:write")


def append(user: User, **message: Any) -> Any:
    return user.client.post("/v1/sessions/s1/messages", json={"messages": [message]})


@pytest.mark.parametrize(("question", "yes"), [("我们继续？", "是的"), ("Shall we go on?", "yes")])
def test_an_agent_cannot_have_its_own_proposal_confirmed_by_a_question_of_its_own(
    someone: User, agent: User, question: str, yes: str
) -> None:
    proposed = agent.client.put(f"/v1/fields/{EMAIL}", json={"value": "evil@example.com"}).json()
    refused = append(agent, role="assistant", content=question, asks_pending=[proposed["id"]])
    assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert refused.json()["field"] == "messages.0.asks_pending"
    assert append(agent, role="assistant", content=question).status_code == 201
    assert someone.turn("s1", yes)["commands"] == []
    assert someone.fields() == {}
    asked = append(someone, role="assistant", content=question, asks_pending=[proposed["id"]])
    assert asked.status_code == 201
    someone.turn("s1", yes)
    assert someone.fields()[EMAIL]["value"] == "evil@example.com"


@pytest.mark.parametrize(
    "message",
    [
        {"role": "assistant", "content": "Keep it?", "asks_pending": ["pen_nope"]},
        {"role": "user", "content": "hello", "asks_pending": ["pen_nope"]},
    ],
)
def test_what_nobody_proposed_is_not_asked_about(someone: User, message: dict[str, Any]) -> None:
    refused = append(someone, **message)
    assert (refused.status_code, refused.json()["field"]) == (422, "messages.0.asks_pending")
    assert someone.client.get("/v1/sessions/s1").status_code == 404


@pytest.mark.parametrize(
    ("ban", "lift", "topic"),
    [
        ("永远不要提皮划艇", "可以聊皮划艇了", "皮划艇"),
        ("never mention the kayak again", "you can mention the kayak again", "kayak"),
    ],
)
def test_an_agent_bans_and_lifts_no_topic_for_good(
    someone: User, agent: User, ban: str, lift: str, topic: str
) -> None:
    turn = agent.turn("s1", ban)
    assert [(each["outcome"], each["reason"]) for each in turn["commands"]] == [("refused", "permission")]
    assert append(agent, role="user", content=ban).json()["commands"][0]["outcome"] == "refused"
    assert someone.client.get("/v1/topics").json()["items"] == []
    someone.turn("s2", ban)
    agent.turn("s2", lift)
    assert topic in someone.client.get("/v1/topics").text


def test_a_business_system_s_list_loses_no_item_to_others(plain_stack: Stack, someone: User) -> None:
    system = beside(plain_stack, someone, "memory:read", "memory:write", "fields:authoritative")
    assert system.client.post(ITEMS, json={"value": "含税"}).status_code == 201
    refused = someone.client.delete(f"{ITEMS}/含税")
    assert (refused.status_code, refused.json()["code"]) == (409, "outranked")


@pytest.mark.parametrize(
    ("said", "hidden", "asked"),
    [
        ("我父亲有糖尿病", "这话别记：我父亲有糖尿病", "父亲的糖尿病"),
        ("My father has diabetes", "off the record, my father has diabetes", "father diabetes"),
    ],
)
def test_an_agent_hides_nothing_of_what_the_user_said(
    someone: User, agent: User, said: str, hidden: str, asked: str
) -> None:
    someone.turn("s1", said)
    agent.turn("s2", hidden)
    assert [hit["memory"]["source_session_id"] for hit in someone.search(asked)] == ["s1"]


def test_two_different_credentials_are_refused(plain_stack: Stack, someone: User, agent: User) -> None:
    both = [("authorization", each.client.headers["Authorization"]) for each in (agent, someone)]
    sent = httpx.get(f"{plain_stack.url}/v1/fields", headers=[*both, ("Bilayer-User", "u")])
    assert (sent.status_code, sent.json()["field"]) == (400, "Authorization")


def test_the_end_of_a_session_counts_its_proposals_too(someone: User) -> None:
    someone.turn("s1", "总预算控制在五十万以内")
    deleted = someone.client.delete("/v1/sessions/s1").json()["deleted"]
    assert deleted == {"messages": 2, "episodes": 0, "proposals": 1, "digests": 0}
    assert someone.get("/v1/pending")["items"] == []
