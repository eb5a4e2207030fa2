"""Structured state under load and over time: secrets, parallel writers, expiry. Names are the stories'."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.stack import Stack, User
from tests.e2e.test_state_cases import BUDGET, fresh, memories

pytestmark = pytest.mark.e2e


@pytest.fixture
def someone(plain_stack: Stack) -> User:
    return fresh(plain_stack)


SECRETS = [
    ("my key is sk-test-0a1b2c3d4e5f6g7h8i9j0k1l2m, why does the call fail?", "sk-test-0a1b2c3d"),
    ("数据库密码是 Tr0ub4dor&3，帮我写连接串", "Tr0ub4dor"),
]


@pytest.mark.parametrize(("said", "secret"), SECRETS)
def test_a_secret_stays_in_its_session(plain_stack: Stack, said: str, secret: str) -> None:
    """The story of SEC-01."""
    user = fresh(plain_stack)
    user.turn("s1", said)
    assert secret not in user.prompt("s2", "what do you know about my key? 密码")
    user.flush("s1")
    for path in ("/v1/memories", "/v1/pending", "/v1/audit"):
        assert secret not in json.dumps(user.get(path))
    assert secret not in json.dumps(user.search("key fail 数据库密码 连接串"))
    assert secret not in user.prompt("s2", "what do you know about my key? 密码")
    for file in [*plain_stack.logs.iterdir(), *plain_stack.data_dir.rglob("*")]:
        if file.is_file():
            assert secret.encode() not in file.read_bytes(), file


def test_parallel_writers_of_different_things_keep_each_others_work(someone: User) -> None:
    """The story of CON-03."""
    items = "current_task.constraints"
    calls = [
        ("PUT", "/v1/fields/user_profile.name", {"value": "Graz"}),
        ("PUT", "/v1/fields/user_profile.role", {"value": "baker"}),
        ("POST", f"/v1/fields/{items}/items", {"value": "no nuts"}),
        ("POST", f"/v1/fields/{items}/items", {"value": "no dairy"}),
    ]
    with ThreadPoolExecutor(4) as pool:
        done = list(pool.map(lambda call: someone.client.request(call[0], call[1], json=call[2]), calls))
    assert [answer.status_code for answer in done] == [200, 200, 201, 201]
    fields = someone.fields()
    assert set(fields[items]["value"]) == {"no nuts", "no dairy"}
    assert fields["user_profile.role"]["value"] == "baker"
    bodies = [{"value": value, "if_version": 1} for value in "AB"]
    with ThreadPoolExecutor(2) as pool:
        codes = list(
            pool.map(lambda body: someone.client.put("/v1/fields/user_profile.name", json=body), bodies)
        )
    assert sorted(answer.status_code for answer in codes) == [200, 409]
    assert len(someone.get("/v1/audit")["items"]) == 5


def test_what_has_expired_is_served_nowhere(plain_stack: Stack, someone: User) -> None:
    """The story of TTL-03."""
    soon = datetime.now(UTC) + timedelta(minutes=5)
    body = {"text": "Door code 4471 this week", "expires_at": soon.isoformat()}
    memory_id = someone.client.post("/v1/memories", json=body).json()["id"]
    with plain_stack.admin() as admin:
        try:
            later = soon + timedelta(seconds=10)
            admin.post("/v1/test/clock", json={"now": later.isoformat()}).raise_for_status()
            assert someone.search("door code") == []
            assert someone.get(f"/v1/memories/{memory_id}")["status"] == "expired"
            assert "4471" not in someone.prompt("s1", "what is the door code?")
            assert memories(someone) == []
        finally:
            now = datetime.now(UTC).isoformat()
            admin.post("/v1/test/clock", json={"now": now}).raise_for_status()


def test_fifty_writers_of_one_field_leave_one_value_and_a_whole_history(
    plain_stack: Stack, someone: User
) -> None:
    with ThreadPoolExecutor(50) as pool:
        done = list(
            pool.map(
                lambda number: someone.client.put(f"/v1/fields/{BUDGET}", json={"value": 1000 + number}),
                range(50),
            )
        )
    assert {answer.status_code for answer in done} == {200}
    versions = someone.get(f"/v1/fields/{BUDGET}/history")["items"]
    assert [version["version"] for version in versions] == list(range(1, 51))
    assert [version["value"] for version in versions if version["valid_to"] is None] == [
        someone.fields()[BUDGET]["value"]
    ]
    lines = someone.get(f"/v1/audit?path={BUDGET}&limit=200")["items"]
    assert [line["details"]["version"] for line in lines] == list(range(50, 0, -1))
    with plain_stack.admin() as admin:
        assert admin.get("/v1/audit/verify").json()["ok"] is True


def test_a_command_is_read_in_its_own_turn_and_in_any_other_session_at_once(model_stack: Stack) -> None:
    user = fresh(model_stack)
    turn = user.turn("a", "记住，预算上限是50万")
    assert "500,000" in turn["reply"]["content"]
    assert "500,000" in user.prompt("b", "你好")


def test_a_session_waits_for_what_the_tenants_own_schema_needs(tmp_path: Path) -> None:
    with Stack(tmp_path / "needs") as stack, stack.admin() as admin:
        user = stack.user("u1")
        paths = admin.get("/v1/schema").json()["paths"]
        floor: dict[str, Any] = {
            "path": "user_profile.floor",
            "type": "string",
            "labels": {"zh": ["楼层"], "en": ["floor"]},
            "required_for": ["moving"],
        }
        admin.put("/v1/schema", json={"version": 1, "paths": [*paths, floor]}).raise_for_status()
        user.client.put("/v1/fields/current_task.type", json={"value": "moving"}).raise_for_status()
        user.turn("s1", "我们下个月搬家")
        assert user.get("/v1/sessions/s1")["task_card"]["waiting"] == ["楼层"]
        assert user.get("/v1/show", session_id="s1")["session"]["task_card"]["waiting"] == ["楼层"]
