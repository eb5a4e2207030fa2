"""What a process has opened lately: a bounded cache whose entries go when nobody uses them.

Two generations stand side by side. What is used comes into the younger one; once that is full or old it
becomes the older one, and what was in there is forgotten. So an entry answers for at least one lifetime after
its last use and for at most two. Taking thousands of entries down at once would hold up one request by 10 ms:
they go a few with each one that comes, and memory is bounded by three generations. Keys carry the scope:
nothing that one scope has opened answers another.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Hashable
from typing import Final, Generic, TypeVar

T = TypeVar("T")

LIFETIME_SECONDS: Final = 30.0
MOST_BYTES: Final = 8_000_000
_ENTRY_BYTES: Final = 1_000
"""About what an entry takes beside its content: keys, dictionaries, objects."""
_GO_AT_ONCE: Final = 8


class RecentlyUsed(Generic[T]):
    """Values by key. `most_bytes` bounds a generation, counted as each entry's `size` and a fixed share."""

    def __init__(
        self,
        *,
        most_bytes: int = MOST_BYTES,
        lifetime_seconds: float = LIFETIME_SECONDS,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self._most_bytes = most_bytes
        self._lifetime_seconds = lifetime_seconds
        self._monotonic = monotonic
        self._young: dict[Hashable, tuple[T, int]] = {}
        self._old: dict[Hashable, tuple[T, int]] = {}
        self._leaving: dict[Hashable, tuple[T, int]] = {}
        self._bytes = 0
        self._turns_at = monotonic() + lifetime_seconds

    def get(self, key: Hashable) -> T | None:
        """Return what is kept under `key`, and note that it was used."""
        if self._monotonic() >= self._turns_at:
            self._grow_old()
        found = self._young.get(key)
        if found is not None:
            return found[0]
        found = self._old.get(key)
        if found is None:
            return None
        self.put(key, found[0], size=found[1])
        return found[0]

    def put(self, key: Hashable, value: T, *, size: int) -> T:
        """Keep `value`, which takes about `size` bytes, and return it."""
        self._young[key] = (value, size)
        self._bytes += size + _ENTRY_BYTES
        if self._bytes > self._most_bytes:
            self._turn_over()
        for _ in range(min(len(self._leaving), _GO_AT_ONCE)):
            self._leaving.popitem()
        return value

    def clear(self) -> None:
        """Keep nothing."""
        for _ in ("young", "old", "leaving"):
            self._turn_over()

    def drop(self, key: Hashable) -> None:
        """Keep nothing under `key`."""
        self._leaving.pop(key, None)
        self._old.pop(key, None)
        gone = self._young.pop(key, None)
        if gone is not None:
            self._bytes -= gone[1] + _ENTRY_BYTES

    def _grow_old(self) -> None:
        is_over_age = self._monotonic() >= self._turns_at + self._lifetime_seconds
        self._turn_over()
        if is_over_age:
            self._leaving |= self._old
            self._old = {}

    def _turn_over(self) -> None:
        self._leaving, self._old, self._young = self._old, self._young, {}
        self._bytes = 0
        self._turns_at = self._monotonic() + self._lifetime_seconds
