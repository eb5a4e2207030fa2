"""Stores at their edges: a full or evicting Redis, expiry by the clock, many writers, any window size."""

from __future__ import annotations

import json
import time
import uuid
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
import redis

from tests.e2e.stack import Stack, User

pytestmark = pytest.mark.e2e


def test_an_evicting_redis_is_told_and_a_full_one_loses_nothing(folder: Path) -> None:
    """The story of RED-01."""
    with Stack(folder, workers=0) as stack, redis.Redis.from_url(stack.redis_url) as client:
        client.config_set("maxmemory-policy", "allkeys-lru")
        ready = httpx.get(f"{stack.url}/readyz").json()
        assert "maxmemory-policy" in ready["checks"]["stm"]["detail"]
        client.config_set("maxmemory-policy", "noeviction")
        client.config_set("maxmemory", "8mb")
        accepted, refused = [], 0
        for number in range(400):
            user = stack.user(f"f{number % 20}")
            answer = user.client.post(
                "/v1/sessions/s1/turns", json={"message": f"fill {number} {'x' * 20_000}"}
            )
            if answer.status_code == 200:
                accepted.append((number % 20, f"fill {number} "))
            else:
                assert answer.status_code == 503
                assert answer.json()["code"] == "stm_unavailable"
                assert answer.headers["retry-after"]
                refused += 1
                if refused == 5:
                    break
        assert refused == 5
        assert httpx.get(f"{stack.url}/healthz").status_code == 200
        client.config_set("maxmemory", "0")
        texts = {number: str(stack.user(f"f{number}").history("s1")) for number in range(20)}
        assert all(text in texts[number] for number, text in accepted)


def move_clock(stack: Stack, **by: float) -> None:
    """Move the service's clock on by a time from where it stands."""
    with stack.admin() as admin:
        here = datetime.now(UTC) + timedelta(**by)
        admin.post("/v1/test/clock", json={"now": here.isoformat()}).raise_for_status()


def test_all_keys_of_a_session_end_together(folder: Path) -> None:
    """The story of RED-03."""
    environ = {"BILAYER_TEST_CLOCK": "1", "BILAYER_SESSION_TTL_SECONDS": "600"}
    with Stack(folder, environ=environ) as stack, redis.Redis.from_url(stack.redis_url) as client:
        user = stack.user("u1")
        user.turn("s1", "a")
        move_clock(stack, seconds=500)
        user.turn("s1", "b")
        user.flush("s1")
        lives = [ttl for key in session_keys(client) if (ttl := client.ttl(key)) is not None]
        assert lives
        assert max(lives) - min(lives) <= 2
        move_clock(stack, seconds=1000)
        assert [m["content"] for m in user.history("s1") if m["role"] == "user"] == ["a", "b"]
        move_clock(stack, seconds=1700)
        assert user.client.get("/v1/sessions/s1").status_code == 404
        assert session_keys(client) == []
        assert "b" in user.texts("b")
        user.turn("s1", "a new start")
        assert [message["seq"] for message in user.history("s1")] == [1, 2]


def session_keys(client: redis.Redis) -> list[bytes]:
    return sorted(key for key in client.scan_iter(count=1000) if b":s:" in key)


def test_an_expired_session_is_archived_before_it_goes(folder: Path) -> None:
    environ = {"BILAYER_TEST_CLOCK": "1", "BILAYER_SESSION_TTL_SECONDS": "60"}
    with Stack(folder, environ=environ) as stack:
        user = stack.user("u1")
        user.turn("s1", "the boat lies in the northern harbour")
        move_clock(stack, seconds=120)
        assert user.client.get("/v1/sessions/s1").status_code == 404
        with stack.admin() as admin:
            admin.post("/v1/jobs/run", json={"job": "archive"}).raise_for_status()
        deadline = time.monotonic() + 10
        while not user.texts("northern harbour") and time.monotonic() < deadline:
            time.sleep(0.1)
        assert "northern" in user.texts("northern harbour")[0]


def test_many_writers_in_several_processes_meet_no_lock(folder: Path) -> None:
    """The story of SQL-01: two fronts, three workers."""
    with Stack(folder, workers=3) as stack:
        second = stack.start_front()

        def write(number: int) -> list[int]:
            user = stack.user(f"w{number}", url=second if number % 2 else None)
            return [
                user.client.post("/v1/memories", json={"text": f"n {turn}"}).status_code
                for turn in range(100)
            ]

        with ThreadPoolExecutor(10) as pool:
            codes = [code for user in pool.map(write, range(10)) for code in user]
        assert codes == [201] * 1000
        for number in range(10):
            listed = stack.user(f"w{number}").get("/v1/memories", limit=200)["items"]
            assert len(listed) == 100
        for log in stack.logs.iterdir():
            assert b"locked" not in log.read_bytes()


def test_two_fronts_on_one_session_keep_its_order(folder: Path) -> None:
    """The story of CON-01, over two processes."""
    with Stack(folder, workers=0) as stack:
        second = stack.start_front()
        users = [stack.user("u1"), stack.user("u1", url=second)]
        with ThreadPoolExecutor(8) as pool:
            list(pool.map(lambda number: users[number % 2].turn("s1", f"msg-{number}"), range(24)))
        messages = users[0].history("s1")
        assert [message["seq"] for message in messages] == list(range(1, 49))
        for asked, answered in zip(messages[::2], messages[1::2], strict=True):
            assert asked["turn_id"] == answered["turn_id"]


def tool_talk() -> list[dict[str, Any]]:
    """Return ten rounds of question, two tool calls, their results, and an answer."""
    messages: list[dict[str, Any]] = [{"role": "system", "content": "sys"}]
    for number in range(10):
        calls = [
            {"id": f"{name}{number}", "type": "function", "function": {"name": "look", "arguments": "{}"}}
            for name in "ab"
        ]
        messages += [
            {"role": "user", "content": f"q{number} " + "word " * 20},
            {"role": "assistant", "content": "", "tool_calls": calls},
            {"role": "tool", "content": f"ra{number}", "tool_call_id": f"a{number}"},
            {"role": "tool", "content": f"rb{number}", "tool_call_id": f"b{number}"},
            {"role": "assistant", "content": f"done{number}"},
        ]
    return messages


@pytest.fixture(scope="module")
def talker(plain_stack: Stack) -> User:
    user = plain_stack.user(f"win-{uuid.uuid4().hex[:8]}")
    body = {"messages": tool_talk()}
    assert user.client.post("/v1/sessions/s1/messages", json=body).status_code == 201
    return user


@pytest.mark.parametrize("budget", [*range(256, 1400, 96), 4500])
def test_every_budget_gives_a_legal_prompt(talker: User, budget: int) -> None:
    """The story of WIN-01."""
    body = {"message": "next", "token_budget": budget}
    answer = talker.client.post("/v1/sessions/s1/context", json=body).json()
    assert answer["tokens"]["prompt"] <= budget
    messages = answer["messages"]
    first = next(message for message in messages if message["role"] != "system")
    assert first["role"] == "user"
    assert messages[-1] == {"role": "user", "content": "next"}
    open_calls: set[str] = set()
    for message in messages:
        if message["role"] == "tool":
            assert message["tool_call_id"] in open_calls
            open_calls.discard(message["tool_call_id"])
        else:
            assert not open_calls, json.dumps(messages)
            open_calls = {call["id"] for call in message.get("tool_calls") or []}
    assert not open_calls
