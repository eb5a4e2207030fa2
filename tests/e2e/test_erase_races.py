"""Erasing a user whose jobs run or wait: whatever ends later writes nothing back (story DEL-04)."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest
from redis import Redis

from shared.engines.sqlite.erasing import KEPT_TABLES
from tests.e2e.stack import Stack, User
from tests.e2e.test_erase import assert_nothing_answers, scope_id_of, wait_done
from tests.fakes.upstream import Script, Upstream, UpstreamThread

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]


def wait_until(claim: Callable[[], bool], *, seconds: float = 30.0) -> None:
    deadline = time.monotonic() + seconds
    while not claim():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def rows_left(stack: Stack, scope_id: str) -> dict[str, int]:
    """Return how many rows each table still holds of a scope, but those that stay by design."""
    connection = apsw.Connection(str(stack.data_dir / "ltm.db"), flags=apsw.SQLITE_OPEN_READONLY)
    tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_schema WHERE type = 'table'")]
    left = {}
    for table in set(tables) - KEPT_TABLES:
        columns = {row[1] for row in connection.execute(f"PRAGMA table_info('{table}')")}
        if "scope_id" in columns:
            count = f"SELECT count(*) FROM {table} WHERE scope_id = ?"  # noqa: S608
            left[table] = int(connection.execute(count, (scope_id,)).get)
    connection.close()
    return {table: count for table, count in left.items() if count}


def keys_left(stack: Stack, scope_id: str) -> list[str]:
    with Redis.from_url(stack.redis_url) as client:
        found = [key.decode() for key in client.scan_iter(match=f"{{{scope_id}}}:*", count=1_000)]
    return sorted(found)


def talk_long(user: User) -> None:
    """Say so much that a summary is due."""
    said = [
        {"role": role, "content": f"My boat Petrel {number} lies in the marina of Kiel. " * 12}
        for number in range(30)
        for role in ("user", "assistant")
    ]
    assert user.client.post("/v1/sessions/s1/messages", json={"messages": said}).status_code == 201


def test_a_job_that_runs_while_its_user_is_erased_writes_nothing_back(folder: Path) -> None:
    upstream = Upstream(default=Script(first_delay_seconds=4.0))
    with UpstreamThread(upstream):
        environ = {"BILAYER_LLM_BASE_URL": upstream.base_url, "BILAYER_LLM_FIRST_TOKEN_TIMEOUT_SECONDS": "20"}
        # Two workers, so that the erasure overtakes the summary that is being written.
        with Stack(folder, environ=environ, workers=2) as stack, stack.admin() as admin:
            user = stack.user("u1")
            talk_long(user)
            wait_until(lambda: bool(upstream.requests))
            scope_id = scope_id_of(stack, "u1")
            erasure_id = admin.delete("/v1/users/u1").json()["erasure_id"]
            done = wait_done(admin, erasure_id, wait_seconds=60)
            assert done["receipt"]["stores"]["stm_keys"] > 0
            left_at = upstream.disconnects
            # The summary comes, and finds nobody to write it to.
            wait_until(lambda: upstream.disconnects > left_at or not admin_runs(stack), seconds=30)
            time.sleep(1.0)
            assert rows_left(stack, scope_id) == {}
            assert keys_left(stack, scope_id) in ([f"{{{scope_id}}}:g"], [])
            assert_nothing_answers(user)
            dead = admin.get("/v1/jobs", params={"status": "dead"}).json()["items"]
            assert [job for job in dead if job["job"] != "erase"] == []


def admin_runs(stack: Stack) -> bool:
    """Whether any job of a user is still running."""
    with stack.admin() as admin:
        return bool(
            [
                job
                for job in admin.get("/v1/jobs", params={"status": "running"}).json()["items"]
                if job["job"] in {"compact", "archive"}
            ]
        )


def test_jobs_that_wait_when_their_user_is_erased_do_nothing(folder: Path) -> None:
    with Stack(folder, workers=0) as stack, stack.admin() as admin:
        user, other = stack.user("u1"), stack.user("u2")
        for each in (user, other):
            talk_long(each)
            each.client.post("/v1/sessions/s1/flush")
        scope_id = scope_id_of(stack, "u1")
        erasure_id = admin.delete("/v1/users/u1").json()["erasure_id"]
        # A turn that was under way when the user went can be no more either.
        assert user.client.post("/v1/sessions/s1/flush").status_code in {202, 404}
        stack.start_part("worker-0")
        stack.start_part("scheduler")
        done = wait_done(admin, erasure_id, wait_seconds=60)
        assert done["receipt"]["stores"]["jobs"] >= 1
        wait_until(lambda: bool(other.search("Petrel", limit=5)))
        assert rows_left(stack, scope_id) == {}
        assert keys_left(stack, scope_id) in ([f"{{{scope_id}}}:g"], [])
        assert_nothing_answers(user)
