"""Deleting a session leaves what was confirmed in it, and names its source as deleted."""

from __future__ import annotations

import uuid

import pytest

from tests.e2e.stack import Stack, User

pytestmark = pytest.mark.e2e


@pytest.fixture
def plain(plain_stack: Stack) -> User:
    """A user of the stack without a model, whom nobody has seen before."""
    return plain_stack.user(f"gone-{uuid.uuid4().hex[:12]}")


@pytest.mark.parametrize("archived", [True, False])
@pytest.mark.parametrize(
    ("field", "memory", "asks", "named"),
    [
        pytest.param(
            "记住我的邮箱是dev@abc.com",
            "记住我住在波尔图",
            "你怎么知道我的邮箱？",
            "会话a（后来已删除）",
            id="zh",
        ),
        pytest.param(
            "Remember my email is dev@abc.com",
            "Remember that I live in Porto",
            "How do you know my email?",
            "session a (deleted since)",
            id="en",
        ),
    ],
)
def test_fields_and_memories_stay_and_name_their_source_as_deleted(
    plain: User, field: str, memory: str, *, asks: str, named: str, archived: bool
) -> None:
    plain.turn("a", field)
    plain.turn("a", memory)
    if archived:
        plain.flush("a")
    (path,) = plain.fields()
    (kept,) = plain.get("/v1/memories")["items"]
    assert "deleted" not in plain.get(f"/v1/fields/{path}")["source"]
    assert "source_deleted" not in kept
    assert named not in plain.say("b", asks)

    plain.client.delete("/v1/sessions/a").raise_for_status()
    quote = plain.fields()[path]["source"]["quote"]
    assert quote
    assert plain.fields()[path]["source"]["deleted"] is True
    assert plain.get(f"/v1/fields/{path}")["source"]["deleted"] is True
    history = plain.get(f"/v1/fields/{path}/history")["items"]
    assert [version["source"]["deleted"] for version in history] == [True]
    assert [each["source_deleted"] for each in plain.get("/v1/memories")["items"]] == [True]
    assert plain.get(f"/v1/memories/{kept['id']}")["source_deleted"] is True
    hits = [hit for hit in plain.search(kept["text"]) if hit["memory"]["id"] == kept["id"]]
    assert [hit["source"]["deleted"] for hit in hits] == [True]
    assert named in plain.say("b", asks)

    shown = plain.get("/v1/show")
    assert [each["source"]["deleted"] for each in shown["fields"]] == [True]
    assert [each["source_deleted"] for each in shown["memories"]] == [True]


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ("记住我的邮箱是dev@abc.com", "记住我的邮箱是new@abc.com"),
        ("Remember my email is dev@abc.com", "Remember my email is new@abc.com"),
    ],
)
def test_a_new_session_of_the_same_name_is_another_one(plain: User, first: str, again: str) -> None:
    plain.turn("a", first)
    plain.client.delete("/v1/sessions/a").raise_for_status()
    plain.turn("a", again)
    (path,) = plain.fields()
    assert "deleted" not in plain.fields()[path]["source"]
    history = plain.get(f"/v1/fields/{path}/history")["items"]
    assert [version["source"].get("deleted", False) for version in history] == [True, False]


@pytest.mark.parametrize("told", ["记住我的邮箱是dev@abc.com", "Remember my email is dev@abc.com"])
def test_deleting_everything_names_every_source_as_deleted(plain: User, told: str) -> None:
    plain.turn("a", told)
    plain.client.delete("/v1/memories", params={"confirm": "all"}).raise_for_status()
    (path,) = plain.fields()
    assert plain.fields()[path]["source"]["deleted"] is True
