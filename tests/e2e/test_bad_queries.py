"""Cursors, filters, users and confirmations that are wrong are refused with their name, never passed over."""

from __future__ import annotations

import uuid

import httpx
import pytest

from tests.e2e.stack import Stack, User
from tests.e2e.test_bad_input import assert_problem

pytestmark = pytest.mark.e2e


@pytest.fixture
def user(plain_stack: Stack) -> User:
    return plain_stack.user(f"queries-{uuid.uuid4().hex[:8]}")


@pytest.mark.parametrize("path", ["/v1/memories", "/v1/pending", "/v1/sessions", "/v1/fields", "/v1/jobs"])
@pytest.mark.parametrize("cursor", ["", "\x00", "?", "AA==", "YWJj", "5Yil55qE"])
def test_a_cursor_that_was_never_given_is_refused(user: User, path: str, cursor: str) -> None:
    user.client.post("/v1/memories", json={"text": "x"})
    assert_problem(user.client.get(path, params={"cursor": cursor}), 422, "cursor")


def test_a_filter_that_takes_one_value_is_given_once_and_kinds_are_joined(user: User) -> None:
    for kind in ("fact", "event", "preference"):
        user.client.post("/v1/memories", json={"text": f"a {kind}", "kind": kind})
    listed = user.client.get("/v1/memories?kind=fact&kind=event").json()["items"]
    assert {item["kind"] for item in listed} == {"fact", "event"}
    assert_problem(user.client.get("/v1/memories?status=active&status=all"), 422, "status")
    assert_problem(user.client.get("/v1/memories?kind=fact&kind=fad"), 422, "kind.1")


def test_two_different_users_in_one_request_are_refused(user: User) -> None:
    named = ("Bilayer-User", user.client.headers["Bilayer-User"])
    key = ("Authorization", user.client.headers["Authorization"])
    other = ("Bilayer-User", "someone-else")
    problem = assert_problem(httpx_get(user, [key, named, other]), 400, "Bilayer-User")
    assert "more than once" in problem["detail"]
    assert httpx_get(user, [key, named, named]).status_code == 200


def httpx_get(user: User, headers: list[tuple[str, str]]) -> httpx.Response:
    return httpx.get(f"{user.client.base_url}/v1/memories", headers=headers, timeout=40)


def test_a_wipe_that_is_not_confirmed_says_how_to(user: User) -> None:
    problem = assert_problem(user.client.delete("/v1/memories"), 422, "confirm")
    assert "confirm=all" in problem["detail"]


def test_a_heartbeat_of_no_session_id_is_refused_and_of_a_new_one_is_not(user: User) -> None:
    assert_problem(user.client.get("/v1/heartbeat", params={"session_id": "a b"}), 422, "session_id")
    assert user.get("/v1/heartbeat", session_id="new") == {"notices": []}
