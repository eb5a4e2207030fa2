"""The choice of rows: their order, the prior among near equals, the prompt's cut."""

from itertools import pairwise
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.recall.fuse import DEFAULT_CUT, is_past_cut, order_by_prior, order_by_score, prior_of
from shared.recall.rows import Floats


def floats(*values: float) -> Floats:
    """An array of scores."""
    return np.array(values, dtype=np.float64)


def test_rows_without_a_score_are_not_ordered_and_ties_go_to_the_newer() -> None:
    assert order_by_score(floats(0.2, 0, 0.5, 0.2), np.array([1, 2, 3, 4], dtype=np.int64)).tolist() == [
        2,
        3,
        0,
    ]


@given(scores=st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9]), max_size=40), seed=st.randoms())
def test_equal_scores_are_ordered_by_row_wherever_they_stand(scores: list[float], seed: Random) -> None:
    row_ids = list(range(1, len(scores) + 1))
    seed.shuffle(row_ids)
    order = order_by_score(floats(*scores), np.array(row_ids, dtype=np.int64)).tolist()
    wanted = sorted(
        (place for place, score in enumerate(scores) if score > 0),
        key=lambda place: (-scores[place], -row_ids[place]),
    )
    assert order == wanted


@given(
    scores=st.lists(st.sampled_from([0.0, 0.1, 0.25, 0.5, 0.9]), max_size=40),
    most=st.integers(min_value=1, max_value=40),
)
def test_the_first_rows_are_those_of_the_whole_order(scores: list[float], most: int) -> None:
    row_ids = np.arange(len(scores), dtype=np.int64)
    whole = order_by_score(floats(*scores), row_ids).tolist()
    first = order_by_score(floats(*scores), row_ids, most=most).tolist()
    assert first == whole[: len(first)]
    assert len(first) >= min(most, len(whole))


def test_the_prior_weighs_importance_recency_and_accesses() -> None:
    used = [(1.0, 1e9, 0), (0.0, 0.0, 0), (0.0, 24.0, 0), (0.0, 1e9, 50), (0.0, -5.0, 0)]
    worth = [prior_of(importance, hours, access_count=count).worth for importance, hours, count in used]
    assert worth == pytest.approx([0.6, 0.2, 0.1, 0.2, 0.2], abs=1e-6)


def test_the_prior_reorders_only_near_equals() -> None:
    assert order_by_prior([0.50, 0.49, 0.40], [0.1, 0.5, 1.0]) == [1, 0, 2]


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
    best_first = sorted(scores, reverse=True)
    arranged = order_by_prior(best_first, seed)
    assert sorted(arranged) == list(range(len(scores)))
    for earlier, later in pairwise(arranged):
        assert best_first[earlier] >= best_first[later] * 0.95 - 1e-12
