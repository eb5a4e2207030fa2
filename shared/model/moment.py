"""Moments as stores keep them: whole Unix milliseconds, and back to aware UTC times."""

from __future__ import annotations

from datetime import UTC, datetime


def to_ms(moment: datetime) -> int:
    """Return an aware time as whole Unix milliseconds."""
    return int(moment.timestamp() * 1000)


def from_ms(moment_ms: int) -> datetime:
    """Return Unix milliseconds as an aware UTC time."""
    return datetime.fromtimestamp(moment_ms / 1000, UTC)
