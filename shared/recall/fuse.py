"""From scores to a choice: the order, the prior among near equals, the prompt's cut.

Relevance comes first everywhere: the prior only reorders rows whose scores lie within 5 % of each other, and
nothing below the absolute floor is chosen, however few rows there are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from shared.recall.rows import Floats, Ints, Longs

_IMPORTANCE: Final = 0.6
_RECENCY: Final = 0.2
_ACCESS: Final = 0.2
_FULL_ACCESS: Final = 10.0
NEAR_EQUAL: Final = 0.05
ABSOLUTE_FLOOR: Final = 0.05
"""Below this share of the best possible a row does not answer the query (docs/decisions/0010)."""


@dataclass(frozen=True, slots=True)
class PromptCut:
    """What a prompt takes: `least` to `most` rows, beyond `least` those of at least `share` of the best."""

    share: float = 0.55
    least: int = 3
    most: int = 30


DEFAULT_CUT: Final = PromptCut()


def order_by_score(scores: Floats, row_ids: Longs, *, most: int | None = None) -> Ints:
    """Row positions with a score, best first; of equal scores the newer row id first.

    With `most` only so many, and those that score as much as the last of them. Few scores are equal: sorting
    by one key and then those by two takes a fifth of the time.
    """
    scored = (scores > 0).nonzero()[0]
    if most is not None and len(scored) > most:
        least = np.partition(scores[scored], len(scored) - most)[len(scored) - most]
        scored = (scores >= least).nonzero()[0]
    order = scored[(-scores[scored]).argsort()]
    best_first = scores[order]
    repeats = best_first[1:] == best_first[:-1]
    if repeats.any():
        equal = np.zeros(len(order), dtype=np.bool_)
        equal[1:] |= repeats
        equal[:-1] |= repeats
        among = order[equal]
        order[equal] = among[np.lexsort((-row_ids[among], -scores[among]))]
    ordered: Ints = order.astype(np.int32)
    return ordered


class Prior(NamedTuple):
    """What is known of a row beside its words, each 0..1."""

    importance: float
    recency: float
    access: float

    @property
    def worth(self) -> float:
        """0.6 * importance + 0.2 * recency + 0.2 * access."""
        return _IMPORTANCE * self.importance + _RECENCY * self.recency + _ACCESS * self.access


def prior_of(importance: float, hours_since_access: float, *, access_count: int) -> Prior:
    """Importance, recency = 1 / (1 + hours / 24) and access = min(accesses / 10, 1) of a row."""
    return Prior(
        importance=importance,
        recency=1.0 / (1.0 + max(hours_since_access, 0.0) / 24.0),
        access=min(access_count / _FULL_ACCESS, 1.0),
    )


def order_by_prior(scores: Sequence[float], worths: Sequence[float]) -> list[int]:
    """The places of rows, best score first, with each run of near equals sorted by their prior's worth.

    A run starts at its best row and holds the rows within 5 % of that row's score, so that a row never passes
    one that is more than 5 % better.
    """
    arranged: list[int] = []
    start = 0
    while start < len(scores):
        lowest = scores[start] * (1 - NEAR_EQUAL)
        end = start
        while end < len(scores) and scores[end] >= lowest:
            end += 1
        arranged += sorted(range(start, end), key=worths.__getitem__, reverse=True)
        start = end
    return arranged


def is_past_cut(score: float, *, best: float, taken: int, cut: PromptCut) -> bool:
    """Whether a prompt takes no row of this score any more, after `taken` better ones."""
    return taken >= cut.most or (taken >= cut.least and score < cut.share * best)
