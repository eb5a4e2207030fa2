"""Streams that break, clients that leave, models that are down: what came is kept, nothing hangs."""

from __future__ import annotations

import json
import time
import uuid

import httpx
import pytest

from tests.e2e.stack import Stack, User
from tests.fakes.upstream import Script, Upstream

pytestmark = pytest.mark.e2e


@pytest.fixture
def user(model_stack: Stack) -> User:
    return model_stack.user(f"stream-{uuid.uuid4().hex[:8]}")


def wait_for_messages(user: User, session_id: str, count: int) -> list[dict[str, object]]:
    deadline = time.monotonic() + 5
    while True:
        messages = user.history(session_id)
        if len(messages) >= count or time.monotonic() > deadline:
            return messages
        time.sleep(0.05)


def test_a_client_that_leaves_ends_the_upstream_and_keeps_what_came(user: User, upstream: Upstream) -> None:
    """The story of SSE-07."""
    pieces = tuple(f"a long answer {number} " for number in range(50))
    upstream.play(Script(pieces=pieces, piece_delay_seconds=0.02))
    gone_before = upstream.disconnects
    body = {"message": "tell me a story", "stream": True}
    with user.client.stream("POST", "/v1/sessions/s1/turns", json=body) as answer:
        for number, line in enumerate(answer.iter_lines()):
            if number > 30:
                assert line is not None
                break
    messages = wait_for_messages(user, "s1", 2)
    assert [message["role"] for message in messages] == ["user", "assistant"]
    assert messages[0]["content"] == "tell me a story"
    assert str(messages[1]["content"]).startswith("a long answer 0")
    assert messages[1]["state"] == "interrupted"
    deadline = time.monotonic() + 5
    while upstream.disconnects == gone_before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert upstream.disconnects == gone_before + 1
    assert user.turn("s1", "go on")["degraded"] is False


def test_a_model_that_breaks_off_leaves_an_error_event_and_its_words(user: User, upstream: Upstream) -> None:
    upstream.play(Script(pieces=("half ", "an ", "answer"), cut_after=2))
    body = {"message": "hello", "stream": True}
    events = []
    with user.client.stream("POST", "/v1/sessions/s1/turns", json=body) as answer:
        name = ""
        for line in answer.iter_lines():
            if line.startswith("event: "):
                name = line.removeprefix("event: ")
            elif line.startswith("data: "):
                events.append((name, json.loads(line.removeprefix("data: "))))
    assert events[-1][0] == "error"
    assert events[-1][1]["code"] == "llm_interrupted"
    messages = wait_for_messages(user, "s1", 2)
    assert messages[1]["state"] == "interrupted"
    assert str(messages[1]["content"]).startswith("half")


QUESTIONS = [("你好，今天怎么样？", "模型"), ("How are you today?", "model")]


@pytest.mark.parametrize(("message", "word"), QUESTIONS)
@pytest.mark.parametrize(
    "script",
    [Script(status=500), Script(first_delay_seconds=3.0), Script(raw=b"garbage\n\n")],
    ids=["500", "slow", "garbage"],
)
def test_d21_a_model_that_is_down_is_answered_from_memory(
    user: User, upstream: Upstream, message: str, word: str, script: Script
) -> None:
    upstream.play(script)
    turn = user.turn("s1", message)
    assert turn["degraded"] is True
    assert word in turn["reply"]["content"]
    assert "degraded" in [notice["kind"] for notice in turn["notices"]]
    assert user.turn("s1", message)["degraded"] is False


def test_d21_the_breaker_opens_and_heals_without_a_restart(model_stack: Stack, upstream: Upstream) -> None:
    user = model_stack.user(f"breaker-{uuid.uuid4().hex[:8]}")
    for _ in range(5):
        upstream.play(Script(status=500))
        assert user.turn("s1", "hello")["degraded"] is True
    assert _breaker(model_stack) == "open"
    asked = len(upstream.requests)
    assert user.turn("s1", "hello")["degraded"] is True
    assert len(upstream.requests) == asked
    with model_stack.admin() as admin:
        later = time.time() + 120
        moment = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(later))
        admin.post("/v1/test/clock", json={"now": moment}).raise_for_status()
        try:
            assert user.turn("s1", "hello")["degraded"] is False
            assert _breaker(model_stack) == "closed"
        finally:
            now = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())
            admin.post("/v1/test/clock", json={"now": now}).raise_for_status()


def _breaker(stack: Stack) -> str:
    state: str = httpx.get(f"{stack.url}/readyz").json()["checks"]["llm"]["breaker"]
    return state


def test_the_same_key_answers_the_same_reply_in_the_form_asked_for(user: User, upstream: Upstream) -> None:
    key = {"Idempotency-Key": uuid.uuid4().hex}
    asked = len(upstream.requests)
    path = "/v1/sessions/s1/turns"
    first = user.client.post(path, json={"message": "hello"}, headers=key).json()
    again = user.client.post(path, json={"message": "hello"}, headers=key).json()
    assert again == first
    with user.client.stream("POST", path, json={"message": "hello", "stream": True}, headers=key) as answer:
        lines = list(answer.iter_lines())
    assert json.loads(lines[[*lines].index("event: done") + 1].removeprefix("data: ")) == first
    assert len(upstream.requests) == asked + 1
    assert len(user.history("s1")) == 2
    other = user.client.post(path, json={"message": "other"}, headers=key)
    assert (other.status_code, other.json()["code"]) == (422, "idempotency_mismatch")


def test_an_interrupted_turn_is_retried_for_the_same_message(user: User, upstream: Upstream) -> None:
    key = {"Idempotency-Key": uuid.uuid4().hex}
    path = "/v1/sessions/s1/turns"
    upstream.play(Script(pieces=("half ", "an ", "answer"), cut_after=2))
    broken = user.client.post(path, json={"message": "hello"}, headers=key)
    assert broken.status_code == 503
    assert broken.json()["code"] == "llm_interrupted"
    whole = user.client.post(path, json={"message": "hello"}, headers=key)
    assert whole.status_code == 200
    messages = user.history("s1")
    assert [message["role"] for message in messages] == ["user", "assistant", "assistant"]
    assert [message["state"] for message in messages] == ["complete", "interrupted", "complete"]
    assert len({message["turn_id"] for message in messages}) == 1
