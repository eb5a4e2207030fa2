"""The choice of rows: their order, the prior among near equals, the prompt's cut."""

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.recall.fuse import DEFAULT_CUT, is_past_cut, order_by_score, prior, prior_parts, reorder_by_prior
from shared.recall.rows import Floats, Ints


def floats(*values: float) -> Floats:
    """An array of scores."""
    return np.array(values, dtype=np.float64)


def ints(*values: int) -> Ints:
    """An array of positions."""
    return np.array(values, dtype=np.int32)


def test_rows_without_a_score_are_not_ordered_and_ties_go_to_the_newer() -> None:
    assert order_by_score(floats(0.2, 0, 0.5, 0.2), np.array([1, 2, 3, 4], dtype=np.int64)).tolist() == [
        2,
        3,
        0,
    ]


def test_the_prior_weighs_importance_recency_and_accesses() -> None:
    hours, accesses = floats(1e9, 0.0, 24.0, 1e9), ints(0, 0, 0, 50)
    worth = prior(prior_parts(floats(1.0, 0.0, 0.0, 0.0), hours, access_count=accesses))
    np.testing.assert_allclose(worth, [0.6, 0.2, 0.1, 0.2], atol=1e-6)


def test_the_prior_reorders_only_near_equals() -> None:
    scores = floats(0.50, 0.49, 0.40)
    assert reorder_by_prior(ints(0, 1, 2), scores, priors=floats(0.1, 0.5, 1.0)).tolist() == [1, 0, 2]


@pytest.mark.parametrize(
    ("score", "taken", "is_past"),
    [(0.9, 0, False), (0.2, 2, False), (0.2, 3, True), (0.6, 3, False), (0.6, 30, True), (0.5, 29, False)],
)
def test_the_cut_takes_a_share_of_the_best_and_a_few_rows_at_least(
    score: float, taken: int, *, is_past: bool
) -> None:
    assert is_past_cut(score, best=0.9, taken=taken, cut=DEFAULT_CUT) is is_past


@given(
    scores=st.lists(st.floats(0, 1), max_size=20), seed=st.lists(st.floats(0, 1), min_size=20, max_size=20)
)
def test_the_prior_never_lifts_a_row_over_a_much_better_one(scores: list[float], seed: list[float]) -> None:
    values, priors = floats(*scores), floats(*seed)
    order = order_by_score(values, np.arange(len(scores), dtype=np.int64))
    arranged = reorder_by_prior(order, values, priors=priors)
    assert sorted(arranged.tolist()) == sorted(order.tolist())
    for earlier, later in pairwise(arranged):
        assert values[earlier] >= values[later] * 0.95 - 1e-12
