"""When the collector of reference cycles walks the whole heap: while nobody waits.

A full collection of a warm front takes some 300 ms, one of 10,000 young objects 5 to 25 ms, and CPython
starts either in the middle of whatever request happens to allocate the next object. Here the young are walked
as soon as an answer is out and no other request runs, while they are few; the whole heap only when no request
has run for a second, and on a front that is never idle every ten minutes.
"""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Callable
from dataclasses import dataclass, field

YOUNG_OBJECTS = 10_000
"""So many new objects are walked at a time (CPython's 700 or 2,000 come several times in one turn)."""

_WORTH_A_WALK = 1_000
"""So many young objects are walked between two requests: some 0.5 ms."""
_NEVER_ON_ITS_OWN = 1_000_000_000
_LOOK_SECONDS = 5.0


@dataclass(slots=True)
class Traffic:
    """The requests of this process: how many run now, and when the last one ended."""

    now: Callable[[], float] = time.monotonic
    running: int = 0
    ended_at: float = field(default=0.0)

    def begin(self) -> None:
        """Note that a request has come."""
        self.running += 1

    def end(self) -> None:
        """Note that a request is answered, and clear up after it where nobody waits."""
        self.running -= 1
        self.ended_at = self.now()
        if self.running == 0:
            walk_young()


@dataclass(frozen=True, slots=True)
class Calm:
    """When the whole heap may be walked, in seconds."""

    idle_seconds: float = 1.0
    between_seconds: float = 60.0
    at_most_seconds: float = 600.0

    def is_time(self, traffic: Traffic, *, collected_at: float) -> bool:
        """True where nobody waits and the last walk is a minute ago, or ten minutes whoever waits."""
        since = traffic.now() - collected_at
        is_idle = traffic.running == 0 and traffic.now() - traffic.ended_at >= self.idle_seconds
        return since >= self.at_most_seconds or (is_idle and since >= self.between_seconds)


def take_over_collector() -> None:
    """Set what came with the start aside, and keep CPython from walking more than the young on its own."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(YOUNG_OBJECTS, _NEVER_ON_ITS_OWN, _NEVER_ON_ITS_OWN)


def walk_young() -> None:
    """Collect the young objects, where they are enough to be worth it and too few to be felt."""
    if gc.get_count()[0] >= _WORTH_A_WALK:
        gc.collect(0)


async def collect_when_calm(traffic: Traffic, calm: Calm = Calm()) -> None:
    """Walk the whole heap from time to time, until cancelled."""
    collected_at = traffic.now()
    while True:
        await asyncio.sleep(_LOOK_SECONDS)
        if calm.is_time(traffic, collected_at=collected_at):
            gc.collect()
            collected_at = traffic.now()
