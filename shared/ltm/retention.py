"""Which snapshots have had their time. Pure.

Of the daily ones stay the newest 7 and the newest of each of the last 4 weeks that have any; of all others
those of the last 28 days, and of `pre_migrate` those of 30. What a user has forgotten lies in old snapshots,
sealed, until they go: so none grows older than that, but for the newest of all.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from shared.model.moment import from_ms
from shared.model.snapshot import DAILY, PRE_MIGRATE, Snapshot

DAILY_KEPT: Final = 7
WEEKLY_KEPT: Final = 4
MOST_DAYS: Final = 28
PRE_MIGRATE_DAYS: Final = 30
_DAY_MS: Final = 86_400_000


def plan_retention(snapshots: Sequence[Snapshot], *, now_ms: int) -> list[str]:
    """Return the ids of the snapshots that go, oldest last; the newest one always stays."""
    newest_first = sorted(snapshots, key=lambda each: (each.created_at_ms, each.id), reverse=True)
    wanted = _wanted_daily(newest_first)
    return [
        each.id
        for each in newest_first[1:]
        if _is_old(each, now_ms=now_ms) or (each.tag == DAILY and each.id not in wanted)
    ]


def _wanted_daily(newest_first: Sequence[Snapshot]) -> set[str]:
    daily = [each for each in newest_first if each.tag == DAILY]
    of_week: dict[tuple[int, int], str] = {}
    for each in daily:
        year, week, _ = from_ms(each.created_at_ms).isocalendar()
        of_week.setdefault((year, week), each.id)
    return {each.id for each in daily[:DAILY_KEPT]} | set(list(of_week.values())[:WEEKLY_KEPT])


def _is_old(snapshot: Snapshot, *, now_ms: int) -> bool:
    days = PRE_MIGRATE_DAYS if snapshot.tag == PRE_MIGRATE else MOST_DAYS
    return snapshot.created_at_ms < now_ms - days * _DAY_MS
