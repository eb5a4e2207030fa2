"""The real thing for tests: Redis, front, workers and scheduler as processes, spoken to over HTTP.

Each part can be killed and started again by name, so that a test can take away any of them at any moment.
"""

from __future__ import annotations

import contextlib
import os
import signal
import ssl
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

import httpx

from shared.engines.redis_server import RedisServer, find_redis_binary, start_redis
from tests.e2e.nursery import Part, start_module
from tests.ports import free_port

NO_TLS = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
"""For clients on loopback: to read the certificates anew takes most of what a client costs."""
_START_SECONDS = 30.0
_MODULES = {"api": ["api"], "worker": ["workers"], "scheduler": ["workers", "--schedule"]}


class Stack:
    """A running Bilayer on a folder of its own; `parts` are started in order, workers by number."""

    def __init__(self, folder: Path, *, workers: int = 1, environ: Mapping[str, str] | None = None) -> None:
        self.folder = folder
        self.data_dir = folder / "data"
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.logs = folder / "logs"
        self.workers = workers
        self.redis: RedisServer | None = None
        self.processes: dict[str, Part] = {}
        self._environ = dict(environ or {})
        self._key = ""
        self._clients: list[httpx.Client] = []

    def __enter__(self) -> Self:
        self.folder.mkdir(parents=True, exist_ok=True)
        self.logs.mkdir(exist_ok=True)
        try:
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Start everything that is not running; the first start makes the key."""
        self.start_redis()
        if not self._key:
            self._key = self._first_key()
        self.start_part("api")
        for number in range(self.workers):
            self.start_part(f"worker-{number}")
        if self.workers:
            self.start_part("scheduler")
        self.wait_until_ready()

    def restart_with(self, environ: Mapping[str, str]) -> None:
        """End everything and start it again with these settings beside its own."""
        self.stop()
        self._environ |= environ
        self.start()

    def stop(self) -> None:
        """End everything, Redis last."""
        for client in self._clients:
            client.close()
        self._clients.clear()
        for process in self.processes.values():
            process.terminate()
        for process in self.processes.values():
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait(5)
        self.processes.clear()
        self.stop_redis()

    def start_redis(self) -> None:
        """Start Redis on the data folder, where it finds its append-only file again."""
        if self.redis is None:
            self.data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
            self.redis = start_redis(self.data_dir, binary=find_redis_binary(os.environ))

    def stop_redis(self) -> None:
        """End Redis in good order."""
        if self.redis is not None:
            self.redis.stop()
            self.redis = None

    def kill_redis(self) -> None:
        """Take Redis away without a word."""
        assert self.redis is not None
        self.redis.process.kill()
        self.redis.process.wait(5)
        self.redis = None

    def start_part(self, name: str, *, port: int | None = None) -> None:
        """Start one part, such as `api`, `worker-0` or `scheduler`, unless it runs."""
        running = self.processes.get(name)
        if running is not None and running.poll() is None:
            return
        environ = self.environ | ({"BILAYER_PORT": str(port)} if port else {})
        words = _MODULES[name.partition("-")[0]]
        self.processes[name] = start_module(words, environ=environ, log=self.logs / f"{name}.log")

    def kill_part(self, name: str) -> None:
        """Kill one part at once (and what it forked, as a machine's crash would)."""
        process = self.processes.pop(name)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait(5)

    def kill_horse(self, name: str, *, wait_seconds: float = 5.0) -> bool:
        """Kill the process in which a worker runs a job right now; False where none ran in time."""
        deadline = time.monotonic() + wait_seconds
        while time.monotonic() < deadline:
            for pid in _children_of(self.processes[name].pid):
                with contextlib.suppress(ProcessLookupError):
                    os.kill(pid, signal.SIGKILL)
                    return True
            time.sleep(0.001)
        return False

    @property
    def environ(self) -> dict[str, str]:
        """The environment of the parts."""
        assert self.redis is not None
        kept = {name: value for name, value in os.environ.items() if not name.startswith("BILAYER_")}
        return {
            **kept,
            "BILAYER_DATA_DIR": str(self.data_dir),
            "BILAYER_PORT": str(self.port),
            "BILAYER_REDIS_URL": self.redis.url,
            **self._environ,
        }

    def wait_until_ready(self, url: str | None = None) -> None:
        """Wait until the front answers. Raises `AssertionError` with its log where it does not."""
        deadline = time.monotonic() + _START_SECONDS
        while time.monotonic() < deadline:
            with contextlib.suppress(httpx.HTTPError):
                if httpx.get(f"{url or self.url}/readyz", timeout=2, verify=NO_TLS).status_code == 200:
                    return
            time.sleep(0.02)
        raise AssertionError((self.logs / "api.log").read_text("utf-8")[-3000:])

    def start_front(self) -> str:
        """Start a second front and return its address."""
        port = free_port()
        self.start_part("api-2", port=port)
        url = f"http://127.0.0.1:{port}"
        self.wait_until_ready(url)
        return url

    @property
    def redis_url(self) -> str:
        """The address of the stack's Redis."""
        assert self.redis is not None
        return self.redis.url

    def user(self, user_id: str, *, key: str | None = None, url: str | None = None) -> User:
        """Return a client that speaks for one user."""
        user = User(url or self.url, key=key or self._key, user_id=user_id)
        self._clients.append(user.client)
        return user

    def admin(self) -> httpx.Client:
        """Return a client without a user."""
        headers = {"Authorization": f"Bearer {self._key}"}
        return httpx.Client(base_url=self.url, headers=headers, timeout=30, verify=NO_TLS)

    def _first_key(self) -> str:
        said = self.folder / "first-key"
        start_module(["tests.e2e.first_key"], environ=self.environ, log=said).wait(_START_SECONDS)
        key = said.read_text("utf-8").strip()
        said.unlink()
        assert key.startswith("bl_"), key
        return key


class User:
    """One end user, as a team's back end speaks for them."""

    def __init__(self, url: str, *, key: str, user_id: str) -> None:
        headers = {"Authorization": f"Bearer {key}", "Bilayer-User": quote(user_id)}
        self.client = httpx.Client(base_url=url, headers=headers, timeout=40, verify=NO_TLS)

    def turn(self, session_id: str, message: str, **more: Any) -> dict[str, Any]:
        """Take a turn and return its answer."""
        answer = self.client.post(f"/v1/sessions/{session_id}/turns", json={"message": message, **more})
        assert answer.status_code == 200, answer.text
        result: dict[str, Any] = answer.json()
        return result

    def say(self, session_id: str, message: str, **more: Any) -> str:
        """Take a turn and return the reply's text."""
        text: str = self.turn(session_id, message, **more)["reply"]["content"]
        return text

    def get(self, address: str, /, **params: Any) -> Any:
        """Return what a GET answers."""
        answer = self.client.get(address, params=params)
        assert answer.status_code == 200, answer.text
        return answer.json()

    def fields(self) -> dict[str, Any]:
        """Return the current fields by path."""
        return {item["path"]: item for item in self.get("/v1/fields")["items"]}

    def search(self, query: str, **more: Any) -> list[dict[str, Any]]:
        """Return the hits of a search."""
        answer = self.client.post("/v1/memories/search", json={"query": query, **more})
        assert answer.status_code == 200, answer.text
        items: list[dict[str, Any]] = answer.json()["items"]
        return items

    def texts(self, query: str, **more: Any) -> list[str]:
        """Return the texts of a search's hits."""
        return [hit["memory"]["text"] for hit in self.search(query, **more)]

    def history(self, session_id: str) -> list[dict[str, Any]]:
        """Return all messages of a session, page by page."""
        items: list[dict[str, Any]] = []
        cursor = None
        while True:
            page = self.get(
                f"/v1/sessions/{session_id}/messages", limit=200, **({"cursor": cursor} if cursor else {})
            )
            items += page["items"]
            cursor = page["next_cursor"]
            if cursor is None:
                return items

    def prompt(self, session_id: str, message: str) -> str:
        """Return the prompt that a turn would send, as one text."""
        answer = self.client.post(f"/v1/sessions/{session_id}/context", json={"message": message})
        assert answer.status_code == 200, answer.text
        return "\n".join(str(part["content"]) for part in answer.json()["messages"])

    def flush(self, session_id: str, *, wait_seconds: float = 20.0) -> list[dict[str, Any]]:
        """Archive a session and wait until its jobs are done."""
        answer = self.client.post(f"/v1/sessions/{session_id}/flush")
        assert answer.status_code == 202, answer.text
        return [self.job(job_id, wait_seconds=wait_seconds) for job_id in answer.json()["job_ids"]]

    def job(self, job_id: str, *, wait_seconds: float = 20.0) -> dict[str, Any]:
        """Return a job once it has ended."""
        return wait_for_job(self.client, job_id, seconds=wait_seconds)


def wait_for_job(client: httpx.Client, job_id: str, *, seconds: float) -> dict[str, Any]:
    """Return a job once it has ended."""
    deadline = time.monotonic() + seconds
    while True:
        job: dict[str, Any] = client.get(f"/v1/jobs/{job_id}").raise_for_status().json()
        if job["status"] in {"finished", "dead"}:
            return job
        assert time.monotonic() < deadline, job
        time.sleep(0.05)


def _children_of(parent: int) -> list[int]:
    """Return the direct children of a process; empty where there is no /proc."""
    children = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):
            fields = stat.read_text("ascii", errors="replace").rpartition(")")[2].split()
            if int(fields[1]) == parent:
                children.append(int(stat.parent.name))
    return children
