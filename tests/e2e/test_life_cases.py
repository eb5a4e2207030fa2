"""Forgetting as the API shows it: stories TTL-01, TTL-03 and TTL-05, a year on the service's own clock."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import httpx
import pytest

from tests.e2e.stack import Stack, User

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]
START = datetime(2031, 3, 3, 12, tzinfo=UTC)


@pytest.fixture(scope="module")
def stack(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stack]:
    environ = {"BILAYER_TEST_CLOCK": "1", "BILAYER_MAX_ROWS_PER_SCOPE": "100"}
    with Stack(tmp_path_factory.mktemp("life"), environ=environ) as running:
        running.kill_part("scheduler")  # whose own sweep would come first, each time the clock moves
        yield running


@pytest.fixture
def admin(stack: Stack) -> Iterator[httpx.Client]:
    with stack.admin() as client:
        yield client


def go_to(admin: httpx.Client, moment: datetime) -> None:
    answer = admin.post("/v1/test/clock", json={"now": moment.isoformat()})
    assert answer.status_code == 200, answer.text


def run(admin: httpx.Client, job: str, **more: Any) -> dict[str, Any]:
    """Run a job and return its result."""
    deadline = time.monotonic() + 60
    answer = admin.post("/v1/jobs/run", json={"job": job, **more}).json()
    while "status" not in answer or answer["status"] not in {"finished", "dead"}:
        assert time.monotonic() < deadline, answer
        time.sleep(0.1)
        answer = {**admin.get(f"/v1/jobs/{answer['job_id']}").json(), "job_id": answer["job_id"]}
    assert answer["status"] == "finished", answer
    result: dict[str, Any] = answer["result"]
    return result


def add(user: User, text: str, **more: Any) -> str:
    answer = user.client.post("/v1/memories", json={"text": text, **more})
    assert answer.status_code == 201, answer.text
    memory_id: str = answer.json()["id"]
    return memory_id


def ids(user: User, status: str) -> set[str]:
    return {row["id"] for row in user.get("/v1/memories", limit=200, status=status)["items"]}


def test_what_a_dry_run_lists_is_what_ends_and_pins_and_constraints_stay(
    stack: Stack, admin: httpx.Client
) -> None:
    go_to(admin, START - timedelta(days=900))
    user = stack.user("ttl-01")
    kept = {
        add(user, "Carries an EpiPen", pinned=True, importance=0.2),
        add(user, "对花生过敏，必须避开", kind="constraint", pinned=True, importance=0.2),
    }
    user.say("s1", "记住：我的船停在基尔")
    told = {row["id"] for row in user.get("/v1/memories")["items"]}
    noise = {add(user, f"noise {number}", importance=0.1) for number in range(30)}
    go_to(admin, START)
    listed = run(admin, "sweep", dry_run=True)
    would = {item["id"] for item in listed["items"]} & (kept | noise | told)
    assert would == noise
    assert ids(user, "active") == kept | noise | told
    assert run(admin, "sweep")["fade"] >= 30
    assert ids(user, "faded") == noise
    assert ids(user, "active") == kept | told
    assert all("noise" not in text for text in user.texts("noise", include_episodes=False))
    revived = next(iter(noise))
    assert user.client.post(f"/v1/memories/{revived}/restore").json()["status"] == "active"
    again = user.client.post(f"/v1/memories/{revived}/restore")
    assert (again.status_code, again.json()["code"]) == (409, "not_ended")
    go_to(admin, START + timedelta(days=6))
    run(admin, "sweep")
    assert ids(user, "faded") == noise - {revived}
    go_to(admin, START + timedelta(days=7, hours=1))
    purged = {item["id"] for item in run(admin, "sweep", dry_run=True)["items"] if item["action"] == "purge"}
    assert purged >= noise - {revived}
    run(admin, "sweep")
    assert ids(user, "faded") <= {revived}
    gone = next(iter(noise - {revived}))
    assert user.client.post(f"/v1/memories/{gone}/restore").status_code == 404
    assert kept <= ids(user, "active")
    actions = [line["action"] for line in user.get("/v1/audit")["items"]]
    assert {"sweep", "memory.restore"} <= set(actions)


def test_what_has_expired_is_served_on_no_path_though_no_sweep_has_run(
    stack: Stack, admin: httpx.Client
) -> None:
    midnight = datetime.fromisoformat("2032-03-09T00:00:00+08:00")
    go_to(admin, midnight - timedelta(days=3))
    user = stack.user("ttl-03")
    ends = (midnight - timedelta(seconds=1)).isoformat()
    door = add(user, "Door code 4471 this week", kind="preference", expires_at=ends)
    assert [hit["memory"]["id"] for hit in user.search("door code", limit=3)] == [door]
    assert "4471" in user.prompt("s1", "what is the door code?")
    go_to(admin, midnight + timedelta(seconds=10))
    assert user.search("door code", limit=3) == []
    assert user.get(f"/v1/memories/{door}")["status"] == "expired"
    assert user.get("/v1/memories")["items"] == []
    assert "4471" not in user.prompt("s1", "what is the door code?")
    turn = user.turn("s1", "what is the door code?")
    assert "4471" not in turn["reply"]["content"]
    assert all("4471" not in row["text"] for row in turn["recalled"])
    # The same text said anew is a new memory, and not the expired one.
    answer = user.client.post("/v1/memories", json={"text": "Door code 4471 this week"})
    assert answer.status_code == 201
    assert answer.json()["id"] != door


def test_the_same_text_with_an_end_ends_then(stack: Stack, admin: httpx.Client) -> None:
    now = START + timedelta(days=400)
    go_to(admin, now)
    user = stack.user("ttl-again")
    code = add(user, "门禁密码是 4471，door code")
    for hours in (1, 2):
        body = {
            "text": "门禁密码是 4471，door code",
            "expires_at": (now + timedelta(hours=hours)).isoformat(),
        }
        answer = user.client.post("/v1/memories", json=body)
        assert (answer.status_code, answer.json()["id"]) == (200, code)
        assert datetime.fromisoformat(answer.json()["expires_at"]) == now + timedelta(hours=hours)
    assert user.client.post("/v1/memories", json={"text": "门禁密码是 4471，door code"}).json()["id"] == code
    go_to(admin, now + timedelta(hours=1, minutes=1))
    assert [hit["memory"]["id"] for hit in user.search("door code")] == [code]
    go_to(admin, now + timedelta(hours=2, seconds=1))
    assert user.search("door code") == []
    assert user.get("/v1/memories")["items"] == []
    for ended in ((now + timedelta(hours=2)).isoformat(), "1969-01-01T00:00:00Z", "2031-01-01"):
        refused = user.client.post("/v1/memories", json={"text": "late", "expires_at": ended})
        assert (refused.status_code, refused.json()["field"]) == (422, "expires_at")


def test_caps_are_each_users_own(stack: Stack, admin: httpx.Client) -> None:
    go_to(admin, START + timedelta(days=800))
    loud, quiet = stack.user("loud"), stack.user("quiet")
    spam = [add(loud, f"spam {number}", importance=0.9) for number in range(130)]
    facts = [add(quiet, f"fact {number}", importance=0.3) for number in range(10)]
    run(admin, "sweep")
    assert ids(quiet, "active") == set(facts)
    assert len(ids(loud, "active")) == 100
    assert ids(loud, "active") < set(spam)


def test_memories_are_weighed_and_the_lag_says_what_waits(stack: Stack, admin: httpx.Client) -> None:
    go_to(admin, START + timedelta(days=900))
    user = stack.user("weighed")
    memory_id = add(user, "价格必须含税，上限50万元", kind="constraint")
    given = add(user, "a number of its own", importance=0.42)
    run(admin, "reconcile")
    lag = admin.get("/v1/lag").json()
    assert lag["score"]["count"] >= 1
    assert run(admin, "score")["weighed"] >= 1
    run(admin, "reconcile")
    assert admin.get("/v1/lag").json()["score"] == {"count": 0, "oldest_seconds": 0}
    assert user.get(f"/v1/memories/{memory_id}")["importance"] == 1.0
    assert user.get(f"/v1/memories/{given}")["importance"] == 0.42
    metrics = admin.get("/metrics").text
    assert 'bilayer_lag_seconds{stage="score"} 0.0' in metrics
    assert 'bilayer_swept_total{outcome="fade"}' in metrics


def test_dry_run_is_refused_where_it_would_do_nothing(admin: httpx.Client) -> None:
    answer = admin.post("/v1/jobs/run", json={"job": "archive", "dry_run": True})
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_value")
