"""Which snapshots go: seven days, four weeks, and nothing much older than that."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from shared.ltm.retention import plan_retention
from shared.model.snapshot import Snapshot

DAY = 86_400_000
# A Monday, 03:00 UTC.
MONDAY = 1_717_383_600_000


def made(day: float, tag: str = "daily") -> Snapshot:
    at_ms = MONDAY + int(day * DAY)
    return Snapshot(
        id=f"snap_{tag}_{day}", tag=tag, created_at_ms=at_ms, environment="test", schema_version=1, tables={}
    )


def live_through(days: int) -> Iterator[tuple[int, list[Snapshot]]]:
    """A snapshot a day, and what has had its time goes."""
    standing: list[Snapshot] = []
    for day in range(days):
        standing.append(made(day))
        gone = set(plan_retention(standing, now_ms=MONDAY + day * DAY))
        standing = [each for each in standing if each.id not in gone]
        yield day, standing


def test_a_year_of_days_leaves_seven_days_and_four_weeks() -> None:
    for day, standing in live_through(365):
        ages = sorted(day - round((each.created_at_ms - MONDAY) / DAY) for each in standing)
        assert ages[:7] == list(range(min(day + 1, 7)))
        assert len(standing) <= 11
        assert ages[-1] <= 28
        if day > 28:
            weeks = {(day - age) // 7 for age in ages}
            assert len(weeks) == 4


@pytest.mark.parametrize(
    ("tag", "age", "goes"),
    [
        ("", 27.9, False),
        ("", 28.1, True),
        ("pre_deploy", 27.9, False),
        ("pre_deploy", 28.1, True),
        ("pre_restore", 28.1, True),
        ("pre_migrate", 29.9, False),
        ("pre_migrate", 30.1, True),
        ("daily", 0.5, False),
        ("daily", 28.1, True),
    ],
)
def test_what_was_asked_for_stays_four_weeks(tag: str, age: float, goes: bool) -> None:
    newest, old = made(40, "newest"), made(40 - age, tag)
    planned = plan_retention([old, newest], now_ms=MONDAY + 40 * DAY)
    assert planned == ([old.id] if goes else [])


def test_the_newest_stays_however_old() -> None:
    assert plan_retention([made(0), made(1)], now_ms=MONDAY + 900 * DAY) == ["snap_daily_0"]
    assert plan_retention([], now_ms=MONDAY) == []
