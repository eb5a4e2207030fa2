"""How a reranker's scores and a search's own become one score."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.recall.relevance import RELEVANCE_WEIGHT, blend_scores

SCORES = (0.5, 0.4, 0.3, 0.1)
CASES = [
    pytest.param((0.1, 0.1, 0.9, 0.1), [2, 0, 1, 3], id="what it likes best rises over near equals"),
    pytest.param((0.1, 0.1, 0.1, 0.9), [0, 3, 1, 2], id="but not over one that is far better"),
    pytest.param((-7.0, -6.5, 4.0, -7.0), [2, 0, 1, 3], id="logits count as shares do"),
    pytest.param((900.0, 910.0, 1000.0, 900.0), [2, 0, 1, 3], id="whatever their scale"),
    pytest.param((0.4, 0.3, 0.2, 0.1), [0, 1, 2, 3], id="two of one mind change nothing"),
    pytest.param((0.3, 0.3, 0.3, 0.3), [0, 1, 2, 3], id="one that likes all the same says nothing"),
    pytest.param((0.0, 0.2, 0.9, 1.0), [2, 0, 1, 3], id="of two of opposite minds the search leads"),
]


@pytest.mark.parametrize(("relevance", "order"), CASES)
def test_both_have_a_say_in_the_order(relevance: tuple[float, ...], order: list[int]) -> None:
    blended = blend_scores(SCORES, relevance)
    assert sorted(range(len(SCORES)), key=lambda place: -blended[place]) == order


def test_the_best_that_both_find_keeps_its_score_and_the_worst_of_one_keeps_the_other_s_share() -> None:
    assert blend_scores((0.5, 0.2), (9.0, 1.0)) == pytest.approx([0.5, 0.2 * (1 - RELEVANCE_WEIGHT)])
    assert blend_scores((0.5, 0.2), (3.0, 3.0)) == [0.5, 0.2]
    assert blend_scores((), ()) == []


FINITE = st.floats(-1e12, 1e12)


@given(st.lists(st.tuples(st.floats(0.05, 1.0), FINITE), min_size=1, max_size=50))
def test_no_score_rises_above_the_best_and_who_is_better_in_both_stays_before(
    pairs: list[tuple[float, float]],
) -> None:
    scores, relevance = [score for score, _ in pairs], [value for _, value in pairs]
    blended = blend_scores(scores, relevance)
    assert all(0 <= score <= max(scores) * (1 + 1e-9) for score in blended)
    by_both = sorted(zip(scores, relevance, blended, strict=True))
    for (_, low, first), (_, high, second) in pairwise(by_both):
        assert low > high or first <= second + 1e-9
