"""Moments as stores keep them: whole Unix milliseconds, and back to aware UTC times."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

_EARLIEST: Final = datetime(1, 1, 3, tzinfo=UTC)
_LATEST: Final = datetime(9999, 12, 29, tzinfo=UTC)
"""Two days inside of what Python can tell, so that every time zone can show them."""


def to_ms(moment: datetime) -> int:
    """Return an aware time as whole Unix milliseconds."""
    return int(moment.timestamp() * 1000)


def from_ms(moment_ms: int) -> datetime:
    """Return Unix milliseconds as an aware UTC time.

    A row out of all time (a broken clock, a damaged file) is given the first or last day there is, so that
    it cannot make everything unreadable that stands beside it.
    """
    try:
        moment = datetime.fromtimestamp(moment_ms / 1000, UTC)
    except (OverflowError, ValueError, OSError):
        return _LATEST if moment_ms > 0 else _EARLIEST
    return min(max(moment, _EARLIEST), _LATEST)
