"""Nothing that was acknowledged is lost, whatever dies; nothing that was said lies in clear on the disk."""

from __future__ import annotations

import stat
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import pytest
from redis import Redis

from shared.engines.rq_queue import QUEUE_NAME
from tests.e2e.stack import Stack, User

pytestmark = pytest.mark.e2e

WORDS = {"BILAYER_IDLE_FLUSH_SECONDS": "1", "BILAYER_ARCHIVE_MESSAGES": "6"}


def test_a_fact_is_known_a_second_later_without_any_worker(folder: Path) -> None:
    """P12, and the story of SRCH-05."""
    with Stack(folder, workers=0) as stack:
        user = stack.user("岚")
        user.turn("a", "所有报表用企业微信接收")
        user.turn("a", "记住：报销截止日是25号")
        assert "企业微信" in user.prompt("b", "报告怎么接收？")
        assert "25" in user.prompt("b", "报销截止日是哪天？")
        memory = next(item for item in user.get("/v1/memories")["items"] if "报销" in item["text"])
        assert any("25" in text for text in user.texts("报销"))
        assert user.client.delete(f"/v1/memories/{memory['id']}").status_code == 204
        assert user.search("报销") == []
        ready = httpx.get(f"{stack.url}/readyz").json()
        assert ready["ready"] is True
        assert ready["checks"]["workers"]["ok"] is False


def test_a_fact_outlives_archive_restart_and_the_loss_of_redis_memory(folder: Path) -> None:
    with Stack(folder, environ=WORDS) as stack:
        user = stack.user("u1")
        user.turn("a", "我把自行车停在北门的车棚")
        user.flush("a")
        assert "北门" in user.prompt("b", "自行车停在哪里？")
        user.turn("a", "钥匙放在前台的蓝色盒子里")
        stack.kill_redis()
        stack.start_redis()
        assert "蓝色盒子" in wait_for_prompt(user, "c", "钥匙在哪里？")
        stack.stop()
        stack.start()
        user = stack.user("u1")
        assert "北门" in user.prompt("d", "自行车停在哪里？")
        assert "蓝色盒子" in user.prompt("d", "钥匙在哪里？")
        assert [message["seq"] for message in user.history("a")] == [1, 2, 3, 4]


def wait_for_prompt(user: User, session_id: str, message: str) -> str:
    deadline = time.monotonic() + 10
    while True:
        answer = user.client.post(f"/v1/sessions/{session_id}/context", json={"message": message})
        if answer.status_code == 200:
            return str(answer.json()["messages"])
        assert time.monotonic() < deadline, answer.text
        time.sleep(0.1)


SECRETS = ["紫水晶灯塔七号", "amethyst-lighthouse", "quartz.harbour@example.org"]


def test_no_byte_of_what_was_said_lies_in_clear(folder: Path) -> None:
    """P9: SQLite, WAL, AOF, RDB, logs, queue."""
    with Stack(folder, environ=WORDS) as stack:
        user = stack.user("jadeite-user")
        user.turn("topaz-session", f"记住：暗号是{SECRETS[0]}")
        user.turn("topaz-session", f"Remember: my boat is called {SECRETS[1]}")
        user.turn("topaz-session", f"记住我的邮箱是{SECRETS[2]}")
        user.flush("topaz-session")
        user.turn("topaz-session", f"{SECRETS[0]} {SECRETS[1]}")
        user.client.post("/v1/memories", json={"text": SECRETS[0]}, headers={"Idempotency-Key": SECRETS[1]})
        assert user.texts(SECRETS[1])
        assert stack.redis is not None
        words = [*SECRETS, "jadeite-user", "topaz-session"]
        assert find_words(folder, words) == []
        with stack.admin() as admin:
            admin.post("/v1/jobs/run", json={"job": "reconcile"}).raise_for_status()
        stack.stop()
        assert find_words(folder, words) == []
        assert_private(stack.data_dir)


def find_words(folder: Path, words: list[str]) -> list[tuple[str, str]]:
    found = []
    for path in folder.rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            found += [(path.name, word) for word in words if word.encode() in content]
    return found


def assert_private(folder: Path) -> None:
    """Files 0600, folders 0700, whatever the umask (rules.md has the list)."""
    for path in [folder, *folder.rglob("*")]:
        mode = stat.S_IMODE(path.stat().st_mode)
        assert mode & 0o077 == 0, (path, oct(mode))


def _let_turns_pass(acknowledged: Counter[tuple[str, str]]) -> None:
    """Wait a moment, and longer where the machine has not come round to four turns in it."""
    before, deadline = len(acknowledged), time.monotonic() + 20.0
    time.sleep(0.7)
    while len(acknowledged) < before + 4 and time.monotonic() < deadline:
        time.sleep(0.02)


def test_a_flush_ends_whose_job_was_lost_and_whose_work_another_flush_did(folder: Path) -> None:
    with Stack(folder, environ=WORDS | {"BILAYER_TEST_CLOCK": "1"}) as stack, stack.admin() as admin:
        user = stack.user("u1")
        user.turn("a", "我把自行车停在北门的车棚")
        stack.kill_part("worker-0")
        lost, done = (user.client.post("/v1/sessions/a/flush").json()["job_ids"] for _ in range(2))
        with Redis.from_url(stack.redis_url) as client:  # as the queue leaves what a killed worker had taken
            for job_id in lost:
                assert client.lrem(f"rq:queue:{QUEUE_NAME}", 1, job_id) == 1
                client.delete(f"rq:job:{job_id}")
        stack.start_part("worker-0")
        assert {user.job(job_id)["status"] for job_id in done} == {"finished"}
        assert {user.get(f"/v1/jobs/{job_id}")["status"] for job_id in lost} == {"queued"}
        later = datetime.now(UTC) + timedelta(minutes=3)
        admin.post("/v1/test/clock", json={"now": later.isoformat()}).raise_for_status()
        assert {user.job(job_id)["status"] for job_id in lost} == {"finished"}
        assert [message["seq"] for message in user.history("a")] == [1, 2]


VICTIMS = ["api", "worker-0", "scheduler", "horse"]


@pytest.mark.parametrize("victim", VICTIMS)
def test_every_acknowledged_turn_survives_a_kill(folder: Path, victim: str) -> None:
    """P8: kill -9 in the middle of a running load; afterwards each turn stands exactly once."""
    with Stack(folder, environ=WORDS) as stack:
        acknowledged: Counter[tuple[str, str]] = Counter()
        stop = threading.Event()
        with ThreadPoolExecutor(4) as pool:
            running = [pool.submit(_chat, stack, f"user-{n}", stop, acknowledged) for n in range(4)]
            for _ in range(2):
                _let_turns_pass(acknowledged)
                _kill(stack, victim)
            stack.wait_until_ready()
            _let_turns_pass(acknowledged)
            stop.set()
            for task in running:
                task.result()
        assert len(acknowledged) > 8
        for number in range(4):
            user = stack.user(f"user-{number}")
            texts = Counter(str(m["content"]) for m in user.history("s") if m["role"] == "user")
            for owner, text in acknowledged:
                if owner == f"user-{number}":
                    assert texts[text] == 1, text
            _assert_archived_once(user)


def _kill(stack: Stack, victim: str) -> None:
    """Kill a part and start it again; a horse is ended in the middle of its job, its worker goes on."""
    if victim == "horse":
        assert stack.kill_horse("worker-0") or sys.platform != "linux"
        return
    stack.kill_part(victim)
    time.sleep(0.1)
    stack.start_part(victim)


def _chat(stack: Stack, user_id: str, stop: threading.Event, acknowledged: Counter[tuple[str, str]]) -> None:
    user = stack.user(user_id)
    number = 0
    while not stop.is_set() and number < 400:
        text = f"{user_id} says {number}"
        headers = {"Idempotency-Key": f"{user_id}-{number}"}
        try:
            answer = user.client.post("/v1/sessions/s/turns", json={"message": text}, headers=headers)
        except httpx.HTTPError:
            time.sleep(0.05)
            continue
        if answer.status_code == 200:
            acknowledged[user_id, text] += 1
            number += 1
        else:
            assert answer.status_code in {409, 503}, answer.text
            time.sleep(0.05)


def _assert_archived_once(user: User) -> None:
    """After a flush every message is an episode, once, in order."""
    deadline = time.monotonic() + 60
    user.client.post("/v1/sessions/s/flush").raise_for_status()
    messages = user.history("s")
    last = messages[-1]["seq"]
    while user.get("/v1/sessions/s")["archived_to"] < last:
        assert time.monotonic() < deadline
        time.sleep(0.2)
    assert [message["seq"] for message in messages] == list(range(1, last + 1))
    ids = [message["id"] for message in messages]
    assert len(set(ids)) == len(ids)


@pytest.mark.timeout(300)
def test_thirty_two_users_at_once_lose_nothing(folder: Path) -> None:
    """2,000 turns: nothing lost, order kept within each session, no lock error."""
    with Stack(folder, workers=2) as stack:

        def chat(number: int) -> int:
            user = stack.user(f"user-{number}")
            for turn in range(62 + (number < 16)):
                user.turn("s", f"turn {turn}")
            return number

        with ThreadPoolExecutor(32) as pool:
            assert sorted(pool.map(chat, range(32))) == list(range(32))
        for number in range(32):
            user = stack.user(f"user-{number}")
            said = [str(m["content"]) for m in user.history("s") if m["role"] == "user"]
            assert said == [f"turn {turn}" for turn in range(62 + (number < 16))]
        for log in stack.logs.iterdir():
            assert b"database is locked" not in log.read_bytes()
