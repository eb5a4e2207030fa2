"""Which stretches of a text are taken already: overlap is asked for in logarithmic time.

A hostile text makes thousands of readings; to compare each with each would take its length squared.
Invariant: the stretches held are in order and do not overlap.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable


class Taken:
    """Stretches [start, end) of one text."""

    def __init__(self, stretches: Iterable[tuple[int, int]] = ()) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in sorted(stretches):
            if self._ends and start < self._ends[-1]:
                self._ends[-1] = max(self._ends[-1], end)
            else:
                self._starts.append(start)
                self._ends.append(end)

    def overlaps(self, start: int, end: int) -> bool:
        """True where one of the stretches has a character of [start, end)."""
        return bisect_right(self._ends, start) < bisect_left(self._starts, end)

    def take(self, start: int, end: int) -> bool:
        """Add a stretch and return True, unless it overlaps with one that is held."""
        if self.overlaps(start, end):
            return False
        place = bisect_left(self._starts, start)
        self._starts.insert(place, start)
        self._ends.insert(place, end)
        return True
