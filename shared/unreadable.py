"""Stored values that do not open: each is logged and counted once in a while, and the rest is used.

A value that was damaged on the disk or in Redis must not take its whole session or memory with it. The
log names its place, never what it told; the counts are this process's own.
"""

from __future__ import annotations

import collections
from collections.abc import Mapping

from shared.log import get_logger

_COUNTS: collections.Counter[str] = collections.Counter()


def tell_unreadable(kind: str, *, scope_id: str, **place: str) -> None:
    """Log and count a value that does not open; `kind` is `row`, `message`, `notes` or `summary`."""
    _COUNTS[kind] += 1
    get_logger().error("unreadable_" + kind, scope_id=scope_id, **place)


def unreadable_counts() -> Mapping[str, int]:
    """Return how many values of each kind did not open."""
    return dict(_COUNTS)
