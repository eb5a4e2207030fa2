"""Erasing a user: nothing answers, nothing lies in a file, nobody else notices, and a receipt tells of it.

Stories DEL-03 (one user's rows, never all) and DEL-04 (a job of the erased user writes nothing back).
"""

from __future__ import annotations

import json
import time
from pathlib import Path
from typing import Any

import apsw
import httpx
import pytest

from shared.services import DEFAULT_TENANT
from tests.e2e.ltm_view import open_ltm
from tests.e2e.stack import Stack, User

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]

WORDS = ("my boat is called Petrel", "我的船叫海燕号", "remember: the boat lies in Kiel")


def fill(user: User) -> None:
    """Leave something of a user in every store."""
    for number, text in enumerate(WORDS):
        user.say(f"s{number}", text)
        user.client.post("/v1/memories", json={"text": text}, headers={"Idempotency-Key": f"k{number}"})
    user.client.put("/v1/fields/user_profile.name", json={"value": "Petrel", "origin": "user"})
    user.say("s0", "what is my boat called?")
    user.flush("s0")
    user.say("s0", "别再提我的孩子了")


def sealed_blobs(data_dir: Path, scope_id: str) -> list[bytes]:
    """Return every sealed value of a scope, read beside the service; none of them may outlive the scope."""
    blobs: list[bytes] = []
    connection = apsw.Connection(str(data_dir / "ltm.db"), flags=apsw.SQLITE_OPEN_READONLY)
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    for table in tables:
        columns = {row[1] for row in connection.execute(f"PRAGMA table_info('{table}')")}
        if "scope_id" not in columns:
            continue
        for row in connection.execute(f"SELECT * FROM {table} WHERE scope_id = ?", (scope_id,)):  # noqa: S608
            # What secure deletion leaves of a value on an overflow page is not the whole: look for pieces.
            blobs += [value[-40:] for value in row if isinstance(value, bytes) and len(value) > 60]
    connection.close()
    assert len(blobs) > 10
    return blobs


def scope_id_of(stack: Stack, user_id: str) -> str:
    with open_ltm(stack) as stores, stores.readers.view() as connection:
        keys = stores.vault.tenant_keys(DEFAULT_TENANT)
        assert keys is not None
        found = connection.execute(
            "SELECT scope_id FROM scopes WHERE tenant_id = ? AND outside_hash = ? AND ended_at_ms IS NULL",
            (DEFAULT_TENANT, keys.name_outside("user", user_id)),
        ).get
    assert isinstance(found, str)
    return found


def live_files(stack: Stack) -> dict[str, bytes]:
    """Return every file of the data folder, but the socket."""
    found = [path for path in stack.data_dir.rglob("*") if path.is_file() and not path.is_socket()]
    return {str(path.relative_to(stack.data_dir)): path.read_bytes() for path in found}


def erase(stack: Stack, user_id: str, *, wait_seconds: float = 60.0) -> dict[str, Any]:
    """Erase a user and return the erasure once it is done."""
    with stack.admin() as admin:
        answer = admin.delete(f"/v1/users/{user_id}")
        assert answer.status_code == 202, answer.text
        assert list(answer.json()) == ["erasure_id"]
        return wait_done(admin, answer.json()["erasure_id"], wait_seconds=wait_seconds)


def wait_done(admin: httpx.Client, erasure_id: str, *, wait_seconds: float) -> dict[str, Any]:
    deadline = time.monotonic() + wait_seconds
    while True:
        erasure: dict[str, Any] = admin.get(f"/v1/erasures/{erasure_id}").json()
        if erasure["state"] == "done":
            return erasure
        assert time.monotonic() < deadline, erasure
        assert erasure["receipt"] is None
        time.sleep(0.1)


def assert_nothing_answers(user: User) -> None:
    for word in ("boat", "Petrel", "海燕号", "Kiel"):
        assert user.search(word) == []
    assert user.get("/v1/memories", status="active")["items"] == []
    assert user.get("/v1/pending", status="all")["items"] == []
    assert user.fields() == {}
    assert user.get("/v1/sessions")["items"] == []
    assert user.get("/v1/topics")["items"] == []
    assert user.get("/v1/audit")["items"] == []
    assert user.client.get("/v1/sessions/s0").status_code == 404
    assert user.client.get("/v1/sessions/s0/messages").status_code == 404
    assert "Petrel" not in user.prompt("new", "what is my boat called?")


def test_an_erased_user_answers_nothing_and_no_byte_of_them_lies_in_a_live_file(folder: Path) -> None:
    with Stack(folder) as stack:
        gone, stays = stack.user("gone"), stack.user("gone2")
        fill(gone)
        fill(stays)
        scope_id = scope_id_of(stack, "gone")
        blobs = sealed_blobs(stack.data_dir, scope_id)
        others = sealed_blobs(stack.data_dir, scope_id_of(stack, "gone2"))
        in_redis = f"{{{scope_id}}}:s:".encode()
        before = live_files(stack)
        assert any(in_redis in content for content in before.values())
        assert all(any(blob in content for content in before.values()) for blob in blobs)
        erasure = erase(stack, "gone")
        assert_nothing_answers(gone)
        after = live_files(stack)
        for name, content in after.items():
            left = [blob for blob in blobs if blob in content]
            assert left == [], name
            assert in_redis not in content, name
        assert all(any(blob in content for content in after.values()) for blob in others)
        stores = erasure["receipt"]["stores"]
        assert set(stores) == {"ltm_rows", "index_terms", "stm_keys", "jobs", "cache", "snapshots_darkened"}
        assert all(stores[name] > 0 for name in ("ltm_rows", "index_terms", "stm_keys", "cache"))
        assert_signed(stack, erasure)
        with stack.admin() as admin:
            assert admin.get("/v1/audit/verify").json()["ok"] is True
            assert "bilayer_erasures_total 1.0" in admin.get("/metrics").text
        # The same id begins anew, and whoever else was there is as before.
        gone.say("s0", "remember: my kite is red")
        assert any("kite" in text for text in gone.texts("kite"))
        assert gone.search("boat") == []
        assert scope_id_of(stack, "gone") != scope_id
        assert any("Petrel" in text for text in stays.texts("Petrel"))
        assert stays.fields()["user_profile.name"]["value"] == "Petrel"


def assert_signed(stack: Stack, shown: dict[str, Any]) -> None:
    with open_ltm(stack) as stores:
        keys = stores.vault.tenant_keys(DEFAULT_TENANT)
        with stores.readers.view() as connection:
            row = connection.execute(
                "SELECT erasure_id, key_destroyed_at_ms, stores FROM erasures WHERE tenant_id = ? "
                "AND erasure_id = ?",
                (DEFAULT_TENANT, shown["id"]),
            ).fetchone()
        assert keys is not None
        assert row is not None
        signed = {"erasure_id": row[0], "key_destroyed_at_ms": row[1], "stores": json.loads(row[2])}
        assert signed["stores"] == shown["receipt"]["stores"]
        content = b"erasure" + json.dumps(signed, sort_keys=True).encode()
        assert keys.sign(content).hex() == shown["receipt"]["signature"]


@pytest.mark.parametrize("user_id", ["", "%20", "%00", "x" * 129, "nobody-has-this-id"])
def test_a_missing_blank_or_unknown_user_is_refused_and_erases_nobody(
    plain_stack: Stack, user_id: str
) -> None:
    stays = plain_stack.user("del-03")
    stays.client.post("/v1/memories", json={"text": "row of u2"})
    with plain_stack.admin() as admin:
        answer = admin.delete(f"/v1/users/{user_id}")
        assert 400 <= answer.status_code < 500
        assert answer.json()["code"] in {"not_found", "invalid_value", "invalid_id", "method_not_allowed"}
        assert admin.get("/v1/erasures/ers_unknown").status_code == 404
    assert "row of u2" in [row["text"] for row in stays.get("/v1/memories")["items"]]


def test_all_of_one_users_memory_goes_and_nobody_elses(plain_stack: Stack) -> None:
    first, second = plain_stack.user("del-03-a"), plain_stack.user("del-03-b")
    for user in (first, second):
        fill(user)
        for number in range(60):  # more than a page
            user.client.post("/v1/memories", json={"text": f"row {number} of the boat"})
    refused = first.client.delete("/v1/memories")
    assert (refused.status_code, refused.json()["field"]) == (422, "confirm")
    for blank in ("", "%20"):
        nobody = first.client.delete("/v1/memories?confirm=all", headers={"Bilayer-User": blank})
        assert 400 <= nobody.status_code < 500 or nobody.json() == {
            "memories": 0,
            "episodes": 0,
            "messages": 0,
        }
    wiped = first.client.delete("/v1/memories?confirm=all").json()
    assert wiped["memories"] >= 60
    assert wiped["messages"] + wiped["episodes"] > 0
    assert first.search("boat", limit=50) == []
    assert first.get("/v1/memories")["items"] == []
    assert first.get("/v1/sessions")["items"] == []
    assert first.get("/v1/pending")["items"] == []
    assert first.fields()["user_profile.name"]["value"] == "Petrel"
    assert "Kiel" not in first.prompt("new", "where does my boat lie?")
    assert len(second.get("/v1/memories", limit=200)["items"]) >= 60
    assert second.search("boat") != []


def test_a_key_without_the_permission_erases_nobody(plain_stack: Stack) -> None:
    with plain_stack.admin() as admin:
        made = admin.post("/v1/keys", json={"permissions": ["chat", "memory:read", "memory:write"]}).json()
    user = plain_stack.user("not-yours", key=made["key"])
    user.client.post("/v1/memories", json={"text": "stays"})
    assert user.client.delete("/v1/users/not-yours").status_code == 403
    assert user.client.get("/v1/erasures/ers_1").status_code == 403


def test_ids_of_any_script_and_with_slashes_are_erased(plain_stack: Stack) -> None:
    for user_id in ("张三", "team/a b", "%41"):
        user = plain_stack.user(user_id)
        user.client.post("/v1/memories", json={"text": "kept of somebody"})
        quoted = user.client.headers["bilayer-user"].replace("/", "%2F")
        assert erase(plain_stack, quoted)["state"] == "done"
        assert user.search("kept") == []


def test_asked_again_while_it_runs_the_same_erasure_answers(folder: Path) -> None:
    with Stack(folder, workers=0) as stack:
        user = stack.user("u1")
        user.say("s1", "remember: I keep my boat Petrel in the marina")
        with stack.admin() as admin:
            first = admin.delete("/v1/users/u1").json()["erasure_id"]
            assert admin.delete("/v1/users/u1").json()["erasure_id"] == first
            assert admin.get(f"/v1/erasures/{first}").json()["state"] == "queued"
            # No worker has run, and yet nothing of the user is found.
            assert_nothing_answers(user)
            # Jobs that were due or queued for the user write nothing back.
            stack.start_part("worker-0")
            stack.start_part("scheduler")
            wait_done(admin, first, wait_seconds=60)
        assert_nothing_answers(user)


def test_an_erasure_that_is_killed_goes_on_where_it_was(folder: Path) -> None:
    with Stack(folder, workers=0) as stack:
        user = stack.user("u1")
        for number in range(6):
            said = [{"role": "user", "content": f"Petrel number {number}.{i} 海燕"} for i in range(100)]
            user.client.post(f"/v1/sessions/s{number}/messages", json={"messages": said})
        stack.start_part("worker-0")
        stack.start_part("scheduler")
        for number in range(6):
            user.flush(f"s{number}")
        scope_id = scope_id_of(stack, "u1")
        with stack.admin() as admin:
            erasure_id = admin.delete("/v1/users/u1").json()["erasure_id"]
            deadline = time.monotonic() + 20
            while admin.get(f"/v1/erasures/{erasure_id}").json()["state"] == "queued":
                assert time.monotonic() < deadline
            stack.kill_part("worker-0")
            state = admin.get(f"/v1/erasures/{erasure_id}").json()["state"]
            left = _count(stack, scope_id)
            assert (state, left > 0) == ("running", True)
            stack.start_part("worker-0")
            admin.post("/v1/jobs/run", json={"job": "erase"})
            done = wait_done(admin, erasure_id, wait_seconds=60)
            assert admin.get("/v1/audit/verify").json()["ok"] is True
        assert _count(stack, scope_id) == 0
        # 600 episodes with their 600 index rows, counted once each whatever the kill cut off.
        assert done["receipt"]["stores"]["ltm_rows"] >= 1_200
        assert_nothing_answers(user)


def _count(stack: Stack, scope_id: str) -> int:
    connection = apsw.Connection(str(stack.data_dir / "ltm.db"), flags=apsw.SQLITE_OPEN_READONLY)
    found = connection.execute("SELECT count(*) FROM episodes WHERE scope_id = ?", (scope_id,)).get
    connection.close()
    return int(found)
