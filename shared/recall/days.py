"""The days that the best rows were said on: what one day holds is often of one matter. Pure."""

from typing import Final

import numpy as np

from shared.model.recall import ScopeRows
from shared.recall.rows import Flags, Floats

_BEST_ROWS: Final = 5
_IN_A_TALK: Final = 0.3
"""What counts of it for rows that stand in no log: all of a talk is heard as one already."""


def day_share(rows: ScopeRows, scores: Floats, *, in_logs: Flags) -> Floats:
    """Return each row's day's share of the best rows' scores, against the best day's; 0 without a score."""
    shares = np.zeros(len(rows))
    top = np.argpartition(-scores, min(_BEST_ROWS, len(rows)) - 1)[:_BEST_ROWS]
    top = top[(scores[top] > 0) & (rows.day[top] > 0)]
    if not len(top):
        return shares
    days, of_day = np.unique(rows.day[top], return_inverse=True)
    sums = np.bincount(of_day, weights=scores[top])
    for day, share in zip(days, sums / sums.max(), strict=True):
        shares[rows.day == day] = share
    shares[scores <= 0] = 0.0
    return shares * np.where(in_logs, 1.0, _IN_A_TALK)
