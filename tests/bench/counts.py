"""What a request asks of the stores, counted: round trips to Redis, commits to long-term memory.

A stack without workers whose front reaches Redis through a counting proxy. A second connection watches
the file: `PRAGMA data_version` moves when anybody else has committed. Scripts are sent once before counting,
since a Redis that does not have one yet asks for it in a round trip of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import apsw

from tests.bench.proxy import CountingProxy
from tests.e2e.stack import Stack, User

WARM_UP_TURNS = 8


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
    """What one request did: round trips to Redis; whether anything was committed to long-term memory."""

    round_trips: int
    has_written: bool


class Counter:
    """Counts what requests do, one after the other."""

    def __init__(self, stack: CountedStack) -> None:
        assert stack.proxy is not None
        self._proxy = stack.proxy
        self._watching = apsw.Connection(str(stack.data_dir / "ltm.db"), flags=apsw.SQLITE_OPEN_READONLY)

    def count(self, request: Callable[[], object]) -> Counted:
        """Return what a request did."""
        trips, version = self._proxy.round_trips, self._version()
        request()
        return Counted(self._proxy.round_trips - trips, self._version() != version)

    def close(self) -> None:
        """Stop watching."""
        self._watching.close()

    def _version(self) -> int:
        return int(self._watching.execute("PRAGMA data_version").get)


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
        counter = Counter(stack)
        try:
            yield user, counter
        finally:
            counter.close()
