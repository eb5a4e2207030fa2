"""What a request asks of the stores, counted: round trips to Redis, transactions of long-term memory.

A stack without workers whose front reaches Redis through a counting proxy. Transactions are the commit
frames of the write-ahead log (https://www.sqlite.org/fileformat2.html#the_write_ahead_log). Scripts are sent
once before counting, since a Redis that does not have one yet asks for it in a round trip of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench.proxy import CountingProxy
from tests.e2e.stack import Stack, User

WARM_UP_TURNS = 8
_HEADER_BYTES = 32
_FRAME_BYTES = 24


class CountedStack(Stack):
    """A stack whose parts reach Redis through a proxy that counts."""

    def __init__(self, folder: Path, *, upstream_url: str) -> None:
        super().__init__(folder, workers=0, environ={"BILAYER_LLM_BASE_URL": upstream_url})
        self.proxy: CountingProxy | None = None

    def start_redis(self) -> None:
        """Start Redis, then the proxy before it."""
        super().start_redis()
        if self.proxy is None:
            assert self.redis is not None
            self.proxy = CountingProxy(self.redis.url).__enter__()

    def stop_redis(self) -> None:
        """End the proxy, then Redis."""
        if self.proxy is not None:
            self.proxy.__exit__(None, None, None)
            self.proxy = None
        super().stop_redis()

    @property
    def environ(self) -> dict[str, str]:
        """The environment of the parts."""
        assert self.proxy is not None
        return {**super().environ, "BILAYER_REDIS_URL": self.proxy.url}


@dataclass(frozen=True, slots=True)
class Counted:
    """What one request did: round trips to Redis, and transactions that wrote to long-term memory."""

    round_trips: int
    commits: int


class Counter:
    """Counts what requests do, one after the other."""

    def __init__(self, stack: CountedStack) -> None:
        assert stack.proxy is not None
        self._proxy = stack.proxy
        self._log = stack.data_dir / "ltm.db-wal"

    def count(self, request: Callable[[], object]) -> Counted:
        """Return what a request did."""
        trips, (log, commits) = self._proxy.round_trips, count_commits(self._log)
        request()
        new_log, new_commits = count_commits(self._log)
        before = commits if new_log == log else 0
        return Counted(self._proxy.round_trips - trips, new_commits - before)


def count_commits(path: Path) -> tuple[bytes, int]:
    """Return the salt of a write-ahead log, which a new one changes, and how many transactions it holds."""
    log = path.read_bytes() if path.exists() else b""
    if len(log) < _HEADER_BYTES:
        return b"", 0
    salt, page_bytes = log[16:24], int.from_bytes(log[8:12], "big")
    commits = 0
    for start in range(_HEADER_BYTES, len(log) - _FRAME_BYTES - page_bytes + 1, _FRAME_BYTES + page_bytes):
        if log[start + 8 : start + 16] != salt:
            break
        commits += int.from_bytes(log[start + 4 : start + 8], "big") != 0
    return salt, commits


@contextmanager
def counting(folder: Path, *, upstream_url: str) -> Iterator[tuple[User, Counter]]:
    """Return a user with a memory and some turns in session `s`, and a counter of what its requests do."""
    with CountedStack(folder, upstream_url=upstream_url) as stack:
        user = stack.user("counted")
        user.client.post("/v1/memories", json={"text": "The bicycle is in the north shed"}).raise_for_status()
        for number in range(WARM_UP_TURNS):
            user.turn("s", f"It rained on the {number} hills again")
        user.prompt("s", "bicycle")
        user.search("bicycle")
        yield user, Counter(stack)
