"""A search's order and a reranker's made into one. Pure.

The reranker knows what words mean and nothing of days, speakers, talks and use; the search knows those. So
both speak, and what is settled by more than likeness stays: of statements on one thing the newest comes
first, what holds no longer and the question itself go behind (docs/decisions/0015).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from shared.recall.answers import Hit
from shared.recall.collect import SearchQuery
from shared.recall.past import answers_first, asks_for_past, newest_first

RELEVANCE_WEIGHT: Final = 0.4
"""How much of a score is the reranker's."""


def blend_scores(scores: Sequence[float], relevance: Sequence[float]) -> list[float]:
    """Return a score for each answer, none above the best that was given.

    best * ((1 - weight) * score / best + weight * share), where `share` is the reranker's score between its
    lowest (0) and its highest (1) of these answers, whatever its scale. Where it gives all the same, it says
    nothing.
    """
    lowest, best = min(relevance, default=0.0), max(scores, default=0.0)
    spread = max(relevance, default=0.0) - lowest
    if spread <= 0:
        return list(scores)
    return [
        (1 - RELEVANCE_WEIGHT) * score + RELEVANCE_WEIGHT * best * (value - lowest) / spread
        for score, value in zip(scores, relevance, strict=True)
    ]


def order_by_relevance(hits: Sequence[Hit], relevance: Sequence[float], *, query: SearchQuery) -> list[Hit]:
    """Return the hits, best first by both; `why` of each has what the reranker gave it as `rerank`."""
    blended = blend_scores([hit.score for hit in hits], relevance)
    scored = [
        hit._replace(score=score, why={**hit.why, "rerank": value})
        for hit, score, value in zip(hits, blended, relevance, strict=True)
    ]
    ordered = newest_first(sorted(scored, key=lambda hit: -hit.score))
    is_past = query.as_of_ms is None and asks_for_past(query.text)
    return answers_first(ordered, query.text, is_past=is_past)
