"""How rows age: what the sweep looks at, and what it decides; never a word of a row."""

from __future__ import annotations

from typing import Literal

from shared.model.base import Value
from shared.model.memory import MemoryKind, MemoryStatus, Origin

SweepAction = Literal["expire", "fade", "purge"]
SweepReason = Literal[
    "expires_at",
    "event_over",
    "idle_calendar_days",
    "low_score",
    "over_cap",
    "undo_over",
    "episode_age",
    "episode_cap",
]


class AgingMemory(Value):
    """A memory as its age sees it; `status` is what is written, whatever the time says of it.

    `last_day` is the last day that an event speaks of (a proleptic ordinal), None for other kinds.
    `ended_at_ms` is when it faded or expired.
    """

    id: str
    kind: MemoryKind
    status: MemoryStatus
    origin: Origin
    importance: float
    pinned: bool
    access_count: int
    created_at_ms: int
    last_accessed_at_ms: int | None = None
    expires_at_ms: int | None = None
    ended_at_ms: int | None = None
    last_day: int | None = None

    @property
    def last_used_at_ms(self) -> int:
        """When it was made or recalled last."""
        return max(self.created_at_ms, self.last_accessed_at_ms or 0)


class SweepStep(Value):
    """One row's turn: what becomes of it, and by which rule."""

    id: str
    action: SweepAction
    reason: SweepReason
