"""Run a Redis server so that nothing it acknowledged is lost.

It keeps an append-only file synced at every write and evicts nothing. It listens on a Unix socket inside the
data folder, which only the owner can open; where that path is too long for a socket, on a loopback port
behind a random password. All it writes is 0600. Who supervises the process is not decided here.
"""

import secrets
import socket
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import redis

from shared.engines.redis_server.failure import RedisStartError

# A socket address holds 104 bytes on macOS and 108 on Linux, its closing zero included.
SOCKET_PATH_BYTES = 100
LOG_TAIL_LINES = 5


@dataclass(frozen=True)
class RedisLaunch:
    """How to start one server: `argv` with umask 077, then clients use `url`."""

    argv: tuple[str, ...]
    url: str
    log_file: Path


def plan_redis(binary: Path, data_dir: Path) -> RedisLaunch:
    """Write the server's folder (0700) and files (0600) below the data folder, and say how to start it."""
    folder = (data_dir / "redis").absolute()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    folder.chmod(0o700)
    socket_path = folder / "redis.sock"
    lines = [
        f"dir {_quoted(folder)}",
        "appendonly yes",
        "appendfsync always",
        "maxmemory-policy noeviction",
        'save ""',
        "loglevel notice",
        f"logfile {_quoted(folder / 'redis.log')}",
        "daemonize no",
        "protected-mode yes",
    ]
    if len(str(socket_path).encode()) <= SOCKET_PATH_BYTES:
        lines += ["port 0", f"unixsocket {_quoted(socket_path)}", "unixsocketperm 600"]
        url = f"unix://{quote(str(socket_path))}?db=0"
    else:
        port, password = _free_port(), secrets.token_urlsafe(32)
        lines += ["bind 127.0.0.1", f"port {port}", f"requirepass {password}"]
        url = f"redis://:{password}@127.0.0.1:{port}/0"
    config = folder / "redis.conf"
    _write_private(config, "\n".join([*lines, ""]))
    _write_private(folder / "url", url)
    return RedisLaunch(argv=(str(binary), str(config)), url=url, log_file=folder / "redis.log")


def _write_private(file: Path, text: str) -> None:
    file.touch(mode=0o600)
    file.chmod(0o600)
    file.write_text(text, encoding="utf-8")


def _quoted(path: Path) -> str:
    text = str(path).replace("\\", "\\\\").replace('"', '\\"')
    return f'"{text}"'


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def start_redis(data_dir: Path, *, binary: Path, wait_seconds: float = 10.0) -> "RedisServer":
    """Start a server on this data folder and wait until it answers; for one that nobody supervises."""
    end_left_over(data_dir)
    launch = plan_redis(binary, data_dir)
    process = subprocess.Popen(  # noqa: S603 - the operator's own program
        launch.argv, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, umask=0o077, start_new_session=True
    )
    server = RedisServer(launch=launch, process=process)
    try:
        wait_for_redis(launch, wait_seconds=wait_seconds, is_alive=lambda: process.poll() is None)
    except BaseException:  # raised again: a server that nobody holds must not go on
        server.stop()
        raise
    return server


@dataclass(frozen=True)
class RedisServer:
    launch: RedisLaunch
    process: "subprocess.Popen[bytes]"

    @property
    def url(self) -> str:
        return self.launch.url

    def stop(self, *, wait_seconds: float = 5.0) -> None:
        """TERM lets the server sync its file; KILL follows if it takes too long."""
        self.process.terminate()
        try:
            self.process.wait(wait_seconds)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


def wait_for_redis(launch: RedisLaunch, *, wait_seconds: float, is_alive: Callable[[], bool]) -> None:
    """Return once the server answers PING; loading a large file counts as starting.

    Raises:
        RedisStartError: it ended, or did not answer in time; the text holds its last log lines.
    """
    deadline = time.monotonic() + wait_seconds
    while not answers(launch.url):
        if not is_alive():
            raise RedisStartError(f"Redis ended while starting. {_log_tail(launch.log_file)}")
        if time.monotonic() > deadline:
            raise RedisStartError(
                f"Redis did not answer within {wait_seconds:g} seconds. {_log_tail(launch.log_file)}"
            )
        time.sleep(0.02)


def _log_tail(log_file: Path) -> str:
    try:
        lines = log_file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return f"It wrote no log; {log_file} would hold it."
    return f"The last lines of {log_file}:\n" + "\n".join(lines[-LOG_TAIL_LINES:])


def answers(url: str) -> bool:
    try:
        with redis.Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2) as client:
            return bool(client.ping())
    except (redis.RedisError, OSError):
        return False


def running_url(data_dir: Path) -> str | None:
    """The address of a server started on this data folder, None if none answers there."""
    try:
        url = (data_dir / "redis" / "url").read_text(encoding="utf-8")
    except OSError:
        return None
    return url if answers(url) else None


def end_left_over(data_dir: Path, *, wait_seconds: float = 10.0) -> bool:
    """Ask a server that outlived its supervisor to end, so that two never write one append-only file.

    The caller holds the data folder's lock, so whoever answers at its address has no owner any more.
    """
    url = running_url(data_dir)
    if url is None:
        return False
    deadline = time.monotonic() + wait_seconds
    with redis.Redis.from_url(url, socket_timeout=wait_seconds) as client:
        client.shutdown()
    while answers(url):
        if time.monotonic() > deadline:
            raise RedisStartError(
                f"A Redis from an earlier start still runs on {data_dir / 'redis'}. End it, then start again."
            )
        time.sleep(0.05)
    return True
