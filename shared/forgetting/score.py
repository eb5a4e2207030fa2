"""When a memory has faded, by how much it mattered and how long nobody needed it. Pure.

    forget_score = importance * (1 - min(idle_days / 45, 1)) + min(access_count / 20, 0.5)

`idle_days` are the user's own: the days since its last use on which the user said anything. Somebody who
comes back after two months finds their memory as they left it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Final

from shared.model.base import Value
from shared.model.life import AgingMemory

DAY_MS: Final = 86_400_000
_ACCESSES_FOR_ONE: Final = 20
_MOST_FOR_ACCESSES: Final = 0.5
# A score of just the least one stays, however the sum is rounded in binary.
_DIGITS: Final = 9


class ForgetRules(Value):
    """The numbers of forgetting; a `max_rows` of 0 is no cap. Days are of 24 hours, but for idle ones."""

    max_rows: int = 2_000
    min_score: float = 0.15
    base_ttl_days: int = 45
    undo_days: int = 7
    young_days: int = 7
    event_days: int = 30
    idle_calendar_days: int = 730
    episode_days: int = 730
    max_episodes: int = 100_000


def forget_score(importance: float, *, idle_days: int, access_count: int, base_ttl_days: int) -> float:
    """Return the score of a memory, from 0 to 1.5; below `ForgetRules.min_score` it fades."""
    kept = importance * (1 - min(idle_days / base_ttl_days, 1))
    return round(kept + min(access_count / _ACCESSES_FOR_ONE, _MOST_FOR_ACCESSES), _DIGITS)


def count_idle_days(memory: AgingMemory, *, active_days: Sequence[int]) -> int:
    """Return on how many of the user's days since its last use the memory was not used.

    `active_days` are ascending numbers of days since 1970.
    """
    return len(active_days) - bisect_right(active_days, memory.last_used_at_ms // DAY_MS)


def score_of(memory: AgingMemory, *, active_days: Sequence[int], rules: ForgetRules) -> float:
    """Return the forget score of a memory."""
    return forget_score(
        memory.importance,
        idle_days=count_idle_days(memory, active_days=active_days),
        access_count=memory.access_count,
        base_ttl_days=rules.base_ttl_days,
    )
