"""Snapshots of a running service, and the way back while people write (story SQL-03)."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any, Self

import apsw
import pytest

from tests.e2e.stack import Stack, User
from tests.e2e.test_erase import erase

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(300)]


def add(user: User, text: str) -> int:
    """Add a memory; returns the status."""
    return user.client.post("/v1/memories", json={"text": text}).status_code


def texts(user: User) -> list[str]:
    """Return the texts of all memories."""
    found: list[str] = []
    cursor = None
    while True:
        page = user.get("/v1/memories", limit=200, **({"cursor": cursor} if cursor else {}))
        found += [row["text"] for row in page["items"]]
        cursor = page["next_cursor"]
        if cursor is None:
            return found


class Writers:
    """Write all the time, one memory after the other, and note what was answered."""

    def __init__(self, stack: Stack) -> None:
        self.user = stack.user("writer")
        self.answers: list[int] = []
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()

    def _run(self) -> None:
        number = 0
        while not self._stop.is_set():
            self.answers.append(add(self.user, f"written meanwhile {number}"))
            number += 1
            time.sleep(0.01)


def test_a_restore_under_writes_brings_back_what_stood_and_nothing_half(folder: Path) -> None:
    with Stack(folder) as stack, stack.admin() as admin:
        user = stack.user("u1")
        assert {add(user, f"lantern {number}") for number in range(50)} == {201}
        made = admin.post("/v1/snapshots", json={"tag": "pre_deploy"})
        assert made.status_code == 201, made.text
        snapshot = made.json()
        assert {add(user, f"anchor {number}") for number in range(50)} == {201}
        assert user.search("anchor 7") != []
        with Writers(stack) as writers:
            time.sleep(0.5)
            answer = admin.post(f"/v1/snapshots/{snapshot['id']}/restore", json={})
            assert answer.status_code == 200, answer.text
            time.sleep(0.5)
        assert set(writers.answers) <= {201, 503}
        assert writers.answers[-1] == 201
        kept = texts(user)
        assert sorted(kept) == sorted(f"lantern {number}" for number in range(50))
        assert {hit["memory"]["text"] for hit in user.search("lantern", limit=100)} <= set(kept)
        assert user.search("lantern") != []
        assert all("anchor" not in hit["memory"]["text"] for hit in user.search("anchor 7"))
        listed = {each["id"]: each["tag"] for each in admin.get("/v1/snapshots").json()["items"]}
        assert listed[answer.json()["safety_id"]] == "pre_restore"
        assert listed[snapshot["id"]] == "pre_deploy"
        for part in ("api", "worker-0"):
            stack.kill_part(part)
            stack.start_part(part)
        stack.wait_until_ready()
        assert sorted(texts(user)) == sorted(kept)
        # What was written after the restore is whole: each row stands, and is found.
        survivors = texts(writers.user)
        assert survivors
        assert admin.get("/v1/audit/verify").json()["ok"] is True
        check_file(stack.data_dir / "ltm.db")


def check_file(database: Path) -> None:
    connection = apsw.Connection(str(database))
    assert connection.execute("PRAGMA integrity_check").get == "ok"
    connection.execute("INSERT INTO search_index (search_index) VALUES ('integrity-check')")
    rows = connection.execute("SELECT count(*) FROM memories WHERE row_id IS NOT NULL").get
    assert connection.execute("SELECT count(*) FROM search_rows WHERE kind = 'm'").get == rows
    connection.close()


def test_a_snapshot_under_load_verifies_and_restores_into_an_empty_folder(folder: Path) -> None:
    with Stack(folder) as stack, stack.admin() as admin:
        user = stack.user("u1")
        user.say("s1", "remember: my boat is called Petrel")
        user.flush("s1")
        with Writers(stack) as writers:
            time.sleep(0.3)
            snapshot = admin.post("/v1/snapshots").json()
            time.sleep(0.3)
        assert set(writers.answers) == {201}
        seen = admin.get(f"/v1/snapshots/{snapshot['id']}/verify").json()
        assert (seen["ok"], seen["rows"]) == (True, snapshot["rows"])
        data_dir, environ = stack.data_dir, stack.environ
    fresh = folder / "fresh"
    for part in ("snapshots", "keys"):
        shutil.copytree(data_dir / part, fresh / part)
    run_cli("restore", snapshot["id"], environ={**environ, "BILAYER_DATA_DIR": str(fresh)})
    second = Stack(folder / "second")
    second.folder.mkdir()
    fresh.rename(second.data_dir)
    second._key = stack._key  # restored with the rest
    with second:
        again = second.user("u1")
        assert any("Petrel" in text for text in again.texts("boat"))
        assert len(texts(second.user("writer"))) == snapshot["tables"]["memories"] - len(texts(again))


def run_cli(*words: str, environ: dict[str, str]) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "shared.cli", "snapshot", *words],
        cwd=Path(__file__).resolve().parents[2],
        env={**os.environ, **environ},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_yesterdays_snapshot_cannot_bring_an_erased_user_back(folder: Path) -> None:
    with Stack(folder) as stack, stack.admin() as admin:
        gone, stays = stack.user("gone"), stack.user("stays")
        for user in (gone, stays):
            user.say("s1", "remember: my boat is called Petrel")
            user.flush("s1")
        snapshot = admin.post("/v1/snapshots").json()
        assert erase(stack, "gone")["receipt"]["stores"]["snapshots_darkened"] == 1
        report = admin.post(f"/v1/snapshots/{snapshot['id']}/restore").json()
        assert report["dark_rows"] > 0
        assert gone.search("Petrel") == []
        assert gone.get("/v1/memories")["items"] == []
        assert any("Petrel" in text for text in stays.texts("Petrel"))


def test_the_daily_snapshot_is_made_at_three_and_once_a_day(folder: Path) -> None:
    with Stack(folder, environ={"BILAYER_TEST_CLOCK": "1"}) as stack, stack.admin() as admin:
        add(stack.user("u1"), "one")

        def daily() -> list[str]:
            found = admin.get("/v1/snapshots").json()["items"]
            return sorted(each["id"] for each in found if each["tag"] == "daily")

        for moment, wanted in (
            ("2031-03-01T02:59:00Z", ["snap_20310228_daily"]),
            ("2031-03-01T03:00:30Z", ["snap_20310228_daily", "snap_20310301_daily"]),
            ("2031-03-01T12:00:00Z", ["snap_20310228_daily", "snap_20310301_daily"]),
        ):
            admin.post("/v1/test/clock", json={"now": moment})
            wait_for(lambda: [name for name in daily() if name.startswith("snap_2031")], wanted)


def wait_for(ask: Any, wanted: object, *, seconds: float = 20.0) -> None:
    deadline = time.monotonic() + seconds
    while ask() != wanted:
        assert time.monotonic() < deadline, ask()
        time.sleep(0.1)


@pytest.mark.parametrize(
    ("address", "body", "status", "field"),
    [
        ("/v1/snapshots", {"tag": "Two words"}, 422, "tag"),
        ("/v1/snapshots", {"tga": "x"}, 422, "tga"),
        ("/v1/snapshots/snap_none/restore", {}, 404, None),
        ("/v1/snapshots/snap_none/restore", {"user_id": "u1"}, 422, "user_id"),
    ],
)
def test_bad_input_is_named(
    plain_stack: Stack, address: str, body: dict[str, str], status: int, field: str | None
) -> None:
    with plain_stack.admin() as admin:
        answer = admin.post(address, json=body)
        assert answer.status_code == status
        assert answer.json().get("field") == field
        assert admin.get("/v1/snapshots/snap_none/verify").status_code == 404
    user = plain_stack.user("u1")
    with plain_stack.admin() as admin:
        key = admin.post("/v1/keys", json={"permissions": ["chat", "erase"]}).json()["key"]
    plain = plain_stack.user("u1", key=key)
    assert plain.client.get("/v1/snapshots").status_code == 403
    assert plain.client.post(address, json=body).status_code in {403, 422}
    assert user.get("/v1/fields") is not None
