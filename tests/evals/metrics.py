"""Figures of retrieval: the share of evidence among the first k rows, the rank of the first of it."""

from collections.abc import Sequence
from statistics import fmean


def recall_at(ranked: Sequence[str], gold: Sequence[frozenset[str]], *, k: int) -> float:
    """The share of the pieces of evidence of which any message is among the first k."""
    first = set(ranked[:k])
    return fmean(1.0 if piece & first else 0.0 for piece in gold)


def hit_at(ranked: Sequence[str], gold: Sequence[frozenset[str]], *, k: int) -> float:
    """1 where any piece of evidence is among the first k, else 0."""
    first = set(ranked[:k])
    return 1.0 if any(piece & first for piece in gold) else 0.0


def reciprocal_rank(ranked: Sequence[str], gold: Sequence[frozenset[str]]) -> float:
    """1 / rank of the first message that is evidence; 0 where there is none."""
    wanted = frozenset().union(*gold)
    return next((1.0 / rank for rank, row in enumerate(ranked, start=1) if row in wanted), 0.0)


def comes_first(ranked: Sequence[str], gold: Sequence[frozenset[str]], *, stale: frozenset[str]) -> float:
    """1 where a message that is evidence stands among the rows, and before all that was true once."""
    wanted = frozenset().union(*gold)
    first = next((row for row in ranked if row in wanted or row in stale), None)
    return 1.0 if first in wanted else 0.0
