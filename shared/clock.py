"""Time as the product sees it: aware UTC, with an offset that only tests may set.

The offset moves expiry, idle times, slots, ages and back-off. Leases, network time-outs and the
queue's own heartbeats use real time and never come here.
"""

from __future__ import annotations

from datetime import UTC, datetime, timedelta


class Clock:
    """The service's clock; one per process."""

    def __init__(self) -> None:
        self.offset = timedelta(0)

    def now(self) -> datetime:
        """Return the present as an aware UTC time, offset included."""
        return datetime.now(UTC) + self.offset

    def now_ms(self) -> int:
        """Return the present as Unix milliseconds, offset included."""
        return int(self.now().timestamp() * 1000)
