"""`bilayer up` as a whole, with tiny programs in place of front and workers and a real Redis."""

import os
import shutil
import signal
import socket
import sys
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import cast

import pytest
import redis

from shared.cli import doctor, up
from shared.cli.checks import Check
from shared.cli.children import CODE_FOLDER, Child, child_commands, child_environ
from shared.cli.config import StartError
from shared.cli.front import address_of
from shared.cli.supervise import Patience, Supervisor
from shared.engines.redis_server import RedisStartError, answers
from tests.cli.stand_in import PlainSettings
from tests.cli.waiting import wait_until
from tests.ports import free_port

FRONT = """
import http.server, os, sys
class Front(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.send_header("Content-Length", "0"); self.end_headers()
    def log_message(self, *_): pass
http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Front).serve_forever()
"""


@pytest.fixture
def folder() -> Iterator[Path]:
    path = Path("/tmp") / f"bilayer-up-{os.getpid()}"  # noqa: S108 - short enough for a socket
    yield path
    shutil.rmtree(path, ignore_errors=True)


class Stack:
    """What a run said, and a supervisor that ends once it has greeted."""

    def __init__(self, *, stop_at: str = "listens on") -> None:
        self.said: list[str] = []
        self.stop_at = stop_at
        self.supervisor = Supervisor(say=self.say, patience=Patience(first_restart=0.05, stop=3))
        self.given: Mapping[str, str] = {}

    def say(self, text: str) -> None:
        self.said.append(text)
        if self.stop_at in text:
            self.supervisor.ask_to_stop()

    def prepare(self, environ: Mapping[str, str]) -> str | None:
        self.given = environ
        with redis.Redis.from_url(environ["BILAYER_REDIS_URL"]) as client:
            return None if client.incr("starts") > 1 else "bl_first"

    def run(self, settings: PlainSettings) -> None:
        up.run_up(settings, self.supervisor, environ=os.environ, prepare=self.prepare, say=self.say)


@pytest.fixture
def tiny_children(monkeypatch: pytest.MonkeyPatch) -> int:
    port = free_port()

    def commands(*, workers: int, environ: Mapping[str, str]) -> list[Child]:
        sleeper = (sys.executable, "-c", "import time; time.sleep(60)")
        front = Child("api", (sys.executable, "-c", FRONT, str(port)), environ)
        return [front, *(Child(f"worker-{n}", sleeper, environ) for n in range(workers))]

    monkeypatch.setattr(up, "child_commands", commands)
    return port


def test_it_starts_greets_with_the_first_key_once_and_finds_its_data_again(
    folder: Path, tiny_children: int
) -> None:
    settings = PlainSettings(folder, port=tiny_children)
    first, second = Stack(), Stack()
    first.run(settings)
    assert "Your first key, shown only now: bl_first" in first.said[-1]
    assert f"curl -s http://127.0.0.1:{tiny_children}/v1/sessions/first/turns" in first.said[-1]
    assert Path(first.given["BILAYER_DATA_DIR"]).is_absolute()
    second.run(settings)
    assert "bl_first" not in second.said[-1]
    assert folder.stat().st_mode & 0o777 == 0o700


def test_doctor_finds_the_running_stack_in_order(folder: Path, tiny_children: int) -> None:
    settings = PlainSettings(folder, port=tiny_children)
    stack, found = Stack(stop_at="never said"), list[Check]()

    def examine() -> None:
        try:
            wait_until(lambda: any("listens on" in line for line in stack.said))
            found.extend(doctor.examine(settings, environ=os.environ, inspect=lambda: None))
        finally:
            stack.supervisor.ask_to_stop()

    with ThreadPoolExecutor(1) as pool:
        examined = pool.submit(examine)
        stack.run(settings)
        examined.result()
    details = {check.name: check.detail for check in found if check.ok}
    assert details["port"] == f"Bilayer answers on http://127.0.0.1:{tiny_children}"
    assert details["redis"].endswith("keeps every write, evicts nothing")


def test_being_asked_to_stop_while_redis_starts_is_no_failure(folder: Path) -> None:
    stack = Stack()
    stack.supervisor.ask_to_stop()
    stack.run(PlainSettings(folder, port=free_port()))
    assert stack.said == ["Starting Redis ..."]


def test_a_second_one_on_the_same_folder_is_told_so_and_not_of_the_port(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(up, "PORT_PATIENCE_SECONDS", 0.0)
    up.make_data_folder(folder)
    with up.locked(folder), socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        with pytest.raises(StartError, match=rf"already running on .*\(process {os.getpid()}\)"):
            Stack().run(PlainSettings(folder, port=holder.getsockname()[1]))


def test_a_lock_file_that_nobody_holds_refuses_nobody(folder: Path, tiny_children: int) -> None:
    up.make_data_folder(folder)
    (folder / up.LOCK).write_text("1")
    stack = Stack()
    stack.run(PlainSettings(folder, port=tiny_children))
    assert "listens on" in stack.said[-1]


def test_what_it_does_is_said_before_it_is_done(folder: Path, tiny_children: int) -> None:
    stack = Stack()
    stack.run(PlainSettings(folder, port=tiny_children))
    heads = ["Starting Redis", "Opening long-term memory in", "Starting the front", "Bilayer listens on"]
    assert [line[: len(head)] for line, head in zip(stack.said, heads, strict=True)] == heads


def test_a_taken_port_is_told_before_anything_starts(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(up, "PORT_PATIENCE_SECONDS", 0.0)
    with socket.socket() as holder:
        holder.bind(("127.0.0.1", 0))
        holder.listen()
        with pytest.raises(StartError, match="BILAYER_PORT="):
            Stack().run(PlainSettings(folder, port=holder.getsockname()[1]))
    assert not folder.exists()


def test_a_lost_key_is_told_before_anything_starts(folder: Path) -> None:
    folder.mkdir(mode=0o700)
    (folder / "ltm.sqlite").write_bytes(b"")
    with pytest.raises(StartError, match="Put the key back"):
        Stack().run(PlainSettings(folder, port=free_port()))


def test_a_configured_redis_that_is_down_is_told(folder: Path, tiny_children: int) -> None:
    with pytest.raises(RedisStartError, match="cannot be reached"):
        Stack().run(PlainSettings(folder, port=tiny_children, redis_url="redis://127.0.0.1:1"))


def test_a_front_that_cannot_start_ends_the_whole(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    broken = [Child("api", (sys.executable, "-c", "raise SystemExit(7)"), dict(os.environ))]
    monkeypatch.setattr(up, "child_commands", lambda **_: broken)
    with pytest.raises(StartError, match=r"ended while starting \(exit code 7\)"):
        Stack().run(PlainSettings(folder, port=free_port()))
    assert not list((folder / "redis").glob("redis.sock"))


def test_a_killed_redis_comes_back_with_its_data(folder: Path, tiny_children: int) -> None:
    stack = Stack(stop_at="never said")

    def kill_and_read() -> bytes | None:
        try:
            wait_until(lambda: any("listens on" in line for line in stack.said))
            url, killed = stack.given["BILAYER_REDIS_URL"], stack.supervisor.pid_of("redis")
            assert killed is not None
            os.kill(killed, signal.SIGKILL)
            wait_until(lambda: stack.supervisor.pid_of("redis") not in {None, killed} and answers(url))
            with redis.Redis.from_url(url) as client:
                return cast("bytes | None", client.get("starts"))
        finally:
            stack.supervisor.ask_to_stop()

    with ThreadPoolExecutor(1) as pool:
        kept = pool.submit(kill_and_read)
        stack.run(PlainSettings(folder, port=tiny_children))
        assert kept.result() == b"1"


def test_the_children_are_front_workers_and_scheduler_on_our_own_code() -> None:
    environ = child_environ({"PYTHONPATH": "/theirs"}, redis_url="unix:///x")
    children = child_commands(workers=2, environ=environ)
    assert [child.name for child in children] == ["api", "worker-1", "worker-2", "scheduler"]
    assert all(child.argv[1:3] == ("-P", "-m") for child in children)
    assert environ["PYTHONPATH"].split(os.pathsep) == [str(CODE_FOLDER), "/theirs"]
    assert environ["BILAYER_REDIS_URL"] == "unix:///x"


@pytest.mark.parametrize(
    ("host", "address"),
    [("0.0.0.0", "http://127.0.0.1:8420"), ("::1", "http://[::1]:8420"), ("box", "http://box:8420")],  # noqa: S104
)
def test_the_address_is_one_a_client_can_use(tmp_path: Path, host: str, address: str) -> None:
    assert address_of(PlainSettings(tmp_path, host=host)) == address
