"""From scores to a choice: the embedding's share, the prior among near equals, duplicates, the prompt's cut.

Relevance comes first everywhere: the prior only reorders rows whose scores lie within 5 % of each other, and
nothing below the absolute floor is chosen, however few rows there are.
"""

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from shared.model.recall import ScopeRows
from shared.recall.rows import Flags, Floats, Ints, Longs

EMBEDDING_WEIGHT: Final = 0.35
_NEIGHBOUR_COSINE: Final = 0.25
_DEVIATIONS: Final = 4.0
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
    floor: float = ABSOLUTE_FLOOR


DEFAULT_CUT: Final = PromptCut()


def add_embedding(
    scores: Floats, cosines: Floats, *, rows: ScopeRows, weight: float = EMBEDDING_WEIGHT
) -> Floats:
    """Scores with the embedding's weighted share: score / best + weight * z, put back on the scale of 0..1.

    z = max(0, (cos - mean) / sd) / 4 over the scope, where cos is a row's own cosine plus a quarter of each
    neighbour's in its session. NaN marks a row without a vector: it gets nothing.
    """
    own = np.nan_to_num(cosines)
    around = own.copy()
    together = rows.session[1:] == rows.session[:-1]
    around[1:] += np.where(together, _NEIGHBOUR_COSINE * own[:-1], 0.0)
    around[:-1] += np.where(together, _NEIGHBOUR_COSINE * own[1:], 0.0)
    known = ~np.isnan(cosines)
    if not known.any():
        return scores
    spread = float(around[known].std()) or 1.0
    z = np.clip((around - float(around[known].mean())) / spread, 0.0, _DEVIATIONS) / _DEVIATIONS
    best = float(scores.max(initial=0.0)) or 1.0
    fused: Floats = (scores / best + weight * np.where(known, z, 0.0)) / (1.0 + weight) * best
    return fused


def order_by_score(scores: Floats, row_ids: Longs) -> Ints:
    """Row positions with a score, best first; of equal scores the newer row id first."""
    scored = np.flatnonzero(scores > 0)
    order: Ints = scored[np.lexsort((-row_ids[scored], -scores[scored]))].astype(np.int32)
    return order


def prior(importance: Floats, hours_since_access: Floats, *, access_count: Ints) -> Floats:
    """0.6 * importance + 0.2 * recency + 0.2 * min(accesses / 10, 1), recency = 1 / (1 + hours / 24)."""
    recency = 1.0 / (1.0 + np.maximum(hours_since_access, 0.0) / 24.0)
    accesses = np.minimum(access_count / _FULL_ACCESS, 1.0)
    worth: Floats = _IMPORTANCE * importance + _RECENCY * recency + _ACCESS * accesses
    return worth


def reorder_by_prior(order: Ints, scores: Floats, *, priors: Floats) -> Ints:
    """The order with each run of near equals sorted by the prior.

    A run starts at its best row and holds the rows within 5 % of that row's score, so that a row never passes
    one that is more than 5 % better. `scores` and `priors` are by row position.
    """
    arranged: list[int] = []
    start = 0
    while start < len(order):
        lowest = scores[order[start]] * (1 - NEAR_EQUAL)
        end = start
        while end < len(order) and scores[order[end]] >= lowest:
            end += 1
        run = order[start:end]
        arranged.extend(run[np.argsort(-priors[run], kind="stable")].tolist())
        start = end
    return np.array(arranged, dtype=np.int32)


def drop_duplicates(order: Ints, normal_forms: Sequence[Hashable]) -> Ints:
    """The order without rows whose normal form (`normal_forms[i]` of `order[i]`) an earlier one has."""
    seen: set[Hashable] = set()
    kept: list[int] = []
    for position, form in zip(order.tolist(), normal_forms, strict=True):
        if form not in seen:
            seen.add(form)
            kept.append(position)
    return np.array(kept, dtype=np.int32)


def cut_for_prompt(
    order: Ints, scores: Floats, *, dated: Flags | None = None, cut: PromptCut = DEFAULT_CUT
) -> Ints:
    """The first rows of the order that a prompt takes; may be none.

    Args:
        order: row positions, best first.
        scores: the score of every row, by position.
        dated: rows that an asked day found; they pass the floor whatever their score. None: no day was asked.
        cut: share of the best score, bounds and floor.
    """
    if not len(order):
        return order
    ranked = scores[order]
    above = ranked >= cut.floor
    if dated is not None:
        above |= dated[order]
    near_best = ranked >= cut.share * float(ranked.max())
    near_best[: cut.least] = True
    return order[above & near_best][: cut.most]
