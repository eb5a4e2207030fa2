"""The numbers that short-term memory and the due store keep to."""

from __future__ import annotations

from shared.model.base import Value
from shared.settings import Settings


class StmLimits(Value):
    """Lives and thresholds. `lease_seconds`, `request_lease_seconds` and the wait are real time.

    `compact_tokens` of messages that no summary holds make a compaction due.
    """

    session_ttl_seconds: int = 7 * 86_400
    idle_flush_seconds: float = 30.0
    archive_messages: int = 50
    archive_tokens: int = 4_000
    compact_tokens: int = 2_400
    session_wait_seconds: float = 30.0
    lease_seconds: float = 15.0
    request_lease_seconds: float = 60.0
    claim_seconds: int = 86_400
    touch_seconds: float = 60.0
    due_lease_seconds: float = 120.0

    @property
    def idle_ms(self) -> int:
        """How long a session is silent before it is archived."""
        return int(self.idle_flush_seconds * 1000)


def limits_of(settings: Settings) -> StmLimits:
    """Return the limits that a deployment has set; all others are the defaults."""
    return StmLimits(
        session_ttl_seconds=settings.session_ttl_seconds,
        idle_flush_seconds=settings.idle_flush_seconds,
        archive_messages=settings.archive_messages,
        archive_tokens=settings.archive_tokens,
        compact_tokens=settings.summary_marks()[0],
        session_wait_seconds=settings.session_wait_seconds,
    )
