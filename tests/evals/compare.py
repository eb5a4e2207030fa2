"""Whether two runs differ: each question against itself, and how much of it could be chance.

The mean change over the questions that both runs asked, with the interval in which 95 % of 2,000 resamples of
these questions lie (the paired bootstrap: Efron and Tibshirani, An Introduction to the Bootstrap, 1993).
Changes under 2 points are no progress, whatever the interval says.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from tests.evals.asking import APART, DEPTHS, Answered
from tests.evals.metrics import hit_at, recall_at, reciprocal_rank

LEAST_POINTS: Final = 2.0
_RESAMPLES: Final = 2_000
_TAILS: Final = (2.5, 97.5)
METRICS: Final = (*(f"R@{depth}" for depth in DEPTHS), *(f"hit@{depth}" for depth in DEPTHS), "MRR")


@dataclass(frozen=True, slots=True)
class Change:
    """How one figure moved, in points; `low` and `high` bound it in 95 of 100 resamples."""

    name: str
    category: str
    metric: str
    questions: int
    points: float
    low: float
    high: float

    @property
    def verdict(self) -> str:
        """What may be said of it."""
        if abs(self.points) < LEAST_POINTS:
            return "no progress (under 2 points)"
        if self.low <= 0 <= self.high:
            return "not certain"
        return "better" if self.points > 0 else "worse"


def as_records(answered: Sequence[Answered]) -> list[dict[str, Any]]:
    """Return what each question with evidence reached, in order; no text of the set is among it."""
    return [
        {
            "category": each.question.category,
            **{f"R@{k}": recall_at(each.ranked, each.question.gold, k=k) for k in DEPTHS},
            **{f"hit@{k}": hit_at(each.ranked, each.question.gold, k=k) for k in DEPTHS},
            "MRR": reciprocal_rank(each.ranked, each.question.gold),
        }
        for each in answered
        if each.question.gold
    ]


def compare(before: Mapping[str, Any], after: Mapping[str, Any]) -> Iterator[Change]:
    """Yield how each figure moved, set by set, for sets whose questions are the same in both runs."""
    for name, records in after.items():
        former = before.get(name, [])
        if [each["category"] for each in former] != [each["category"] for each in records] or not records:
            continue
        pairs = list(zip(former, records, strict=True))
        yield from _changes(name, "all", [pair for pair in pairs if pair[1]["category"] != APART])
        for category in sorted({each["category"] for each in records}):
            yield from _changes(name, category, [pair for pair in pairs if pair[1]["category"] == category])


def incomparable(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[str]:
    """Return the sets of `after` whose questions are not those of `before`."""
    compared = {change.name for change in compare(before, after)}
    return [name for name, records in after.items() if records and name not in compared]


def describe(changes: Sequence[Change]) -> str:
    """Return the changes as lines of text."""
    return "".join(
        f"{each.name}, {each.category}, {each.metric}: {each.points:+.1f} points "
        f"[{each.low:+.1f}, {each.high:+.1f}], n={each.questions}: {each.verdict}\n"
        for each in changes
    )


def _changes(
    name: str, category: str, pairs: Sequence[tuple[Mapping[str, Any], Mapping[str, Any]]]
) -> Iterator[Change]:
    if not pairs:
        return
    moved = np.array([[new[metric] - old[metric] for metric in METRICS] for old, new in pairs]) * 100
    count = len(pairs)
    drawn = np.random.default_rng(1).multinomial(count, [1 / count] * count, size=_RESAMPLES)
    low, high = np.percentile(drawn @ moved / count, _TAILS, axis=0)
    for place, metric in enumerate(METRICS):
        points = float(moved[:, place].mean())
        yield Change(name, category, metric, count, points, float(low[place]), float(high[place]))
