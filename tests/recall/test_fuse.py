"""The choice of rows: prior among near equals, duplicates, the prompt's cut, the embedding's share."""

from itertools import pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shared.recall.fuse import (
    PromptCut,
    add_embedding,
    cut_for_prompt,
    drop_duplicates,
    order_by_score,
    prior,
    reorder_by_prior,
)
from shared.recall.rows import Floats, Ints
from tests.evals.memory_index import build_index
from tests.recall.test_score import talk


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
    worth = prior(floats(1.0, 0.0, 0.0, 0.0), floats(1e9, 0.0, 24.0, 1e9), access_count=ints(0, 0, 0, 50))
    np.testing.assert_allclose(worth, [0.6, 0.2, 0.1, 0.2], atol=1e-6)


def test_the_prior_reorders_only_near_equals() -> None:
    scores = floats(0.50, 0.49, 0.40)
    assert reorder_by_prior(ints(0, 1, 2), scores, priors=floats(0.1, 0.5, 1.0)).tolist() == [1, 0, 2]


def test_equal_normal_forms_stand_once() -> None:
    assert drop_duplicates(ints(4, 2, 9), ["a", "b", "a"]).tolist() == [4, 2]


def test_the_cut_takes_a_share_of_the_best_with_a_floor_of_rows() -> None:
    scores = floats(0.9, 0.8, 0.3, 0.2, 0.1)
    assert cut_for_prompt(ints(0, 1, 2, 3, 4), scores).tolist() == [0, 1, 2]
    assert cut_for_prompt(ints(0, 1, 2, 3, 4), scores, cut=PromptCut(most=1)).tolist() == [0]
    assert cut_for_prompt(ints(), scores).tolist() == []


def test_nothing_below_the_absolute_floor_is_taken_unless_an_asked_day_found_it() -> None:
    scores = floats(0.04, 0.03)
    assert cut_for_prompt(ints(0, 1), scores).tolist() == []
    assert cut_for_prompt(ints(0, 1), scores, dated=np.array([False, True])).tolist() == [1]


def test_the_embedding_lifts_a_row_without_words_and_knows_rows_without_a_vector() -> None:
    rows = build_index([talk(("user", "a"), ("user", "b")), talk(("user", "c"), name="t")]).rows
    scores = floats(0.5, 0.0, 0.0)
    fused = add_embedding(scores, floats(0.1, 0.9, np.nan), rows=rows)
    assert fused[1] > fused[2] == 0
    assert fused[0] > fused[1]
    np.testing.assert_array_equal(add_embedding(scores, np.full(3, np.nan), rows=rows), scores)


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
