"""Times of every notation, and rows whose times nobody can read. Names in brackets are the stories'."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import apsw
import pytest

from tests.e2e.stack import Stack

pytestmark = pytest.mark.e2e

SAME_MOMENT = ["2024-01-01T00:00:00Z", "2024-01-01T08:00:00+08:00", "2023-12-31T19:00:00.000-05:00"]
NO_MOMENTS = [
    "2024-01-01T00:00:00",
    "not a date",
    "2024-13-01T00:00:00Z",
    "2024-01-01T25:00:00",
    "",
    {},
    [],
    True,
]
OUT_OF_TIME = [-(10**17), 10**17, 2**62]


BREAK_MEMORY = """
UPDATE memories SET created_at_ms = ?1, valid_from_ms = ?1, last_accessed_at_ms = ?1 WHERE memory_id = ?2
"""
JOBS = ("archive", "compact", "touch", "reconcile")


@pytest.fixture
def own_stack(tmp_path: Path) -> Iterator[Stack]:
    """A stack whose file may be tampered with."""
    with Stack(tmp_path / "stack", workers=1) as running:
        yield running


def run_jobs(stack: Stack) -> None:
    """Run every job that is due, and wait until it has finished."""
    user = stack.user("jobs")
    with stack.admin() as admin:
        for name in JOBS:
            done = admin.post("/v1/jobs/run", json={"job": name}).json()
            assert user.job(done["job_id"])["status"] == "finished"


def told(*moments: object) -> list[dict[str, object]]:
    return [
        {"role": "user", "content": f"row {letter}: the kettle is green", "created_at": moment}
        for letter, moment in zip("ABCDE", moments, strict=False)
    ]


def test_one_moment_in_any_notation_is_one_moment(own_stack: Stack) -> None:
    """The story of DATE-05: times of any zone, and none at all, are archived, searched and dated alike."""
    user = own_stack.user("amy")
    user.client.post(
        "/v1/sessions/s/messages", json={"messages": told(*SAME_MOMENT, None)}
    ).raise_for_status()
    kept = user.get("/v1/sessions/s/messages")["items"]
    assert [each["created_at"][:19] for each in kept[:3]] == ["2024-01-01T00:00:00"] * 3
    run_jobs(own_stack)
    found = {hit["memory"]["text"][4]: hit["memory"]["created_at"] for hit in user.search("green kettle")}
    assert set(found) == set("ABCD")
    assert found["A"] == found["B"] == found["C"] < found["D"]


@pytest.mark.parametrize("moment", NO_MOMENTS, ids=str)
def test_what_is_no_time_is_refused_at_the_door(plain_stack: Stack, moment: object) -> None:
    user = plain_stack.user("times")
    answer = user.client.post("/v1/sessions/s/messages", json={"messages": told(SAME_MOMENT[0], moment)})
    assert answer.status_code == 422
    assert answer.json()["field"].startswith("messages.1.created_at")
    assert user.client.get("/v1/sessions/s/messages").status_code == 404


def test_the_file_takes_no_text_for_a_time(own_stack: Stack) -> None:
    user = own_stack.user("amy")
    user.client.post("/v1/memories", json={"text": "The kettle is green"}).raise_for_status()
    file = apsw.Connection(str(own_stack.data_dir / "ltm.db"))
    for broken in ("2024-01-01T00:00:00", "not a date", None):
        with pytest.raises(apsw.ConstraintError):
            file.execute("UPDATE memories SET created_at_ms = ?", (broken,))


def test_a_row_out_of_all_time_blocks_no_other(own_stack: Stack) -> None:
    """The story of DATE-05, its end: a bad row is shown at the end of time, never fatal."""
    user = own_stack.user("amy")
    texts = [
        f"The kettle on shelf {place} is {color}"
        for place, color in enumerate(("green", "red", "blue", "gold"))
    ]
    for text in texts:
        user.client.post("/v1/memories", json={"text": text}).raise_for_status()
    user.turn("s", "The yellow kettle is mine")
    user.flush("s")
    file = apsw.Connection(str(own_stack.data_dir / "ltm.db"))
    ids = [row[0] for row in file.execute("SELECT memory_id FROM memories ORDER BY created_at_ms")]
    for broken, memory_id in zip(OUT_OF_TIME, ids, strict=False):
        file.execute(BREAK_MEMORY, (broken, memory_id))
    file.execute("UPDATE episodes SET created_at_ms = ?1, received_at_ms = ?1", (OUT_OF_TIME[0],))
    file.close()
    user = own_stack.user("amy", url=own_stack.start_front())
    listed = {item["text"]: item["created_at"] for item in user.get("/v1/memories")["items"]}
    assert set(listed) == set(texts)
    assert [listed[text][:4] for text in texts[:3]] == ["0001", "9999", "9999"]
    assert set(user.texts("kettle shelf")) >= set(texts)
    assert user.history("s")[0]["content"] == "The yellow kettle is mine"
    assert texts[3] in user.prompt("s2", "Where is the gold kettle?")
    assert user.turn("s2", "Where is the gold kettle?", timezone="Asia/Shanghai")["recalled"]
    run_jobs(own_stack)
