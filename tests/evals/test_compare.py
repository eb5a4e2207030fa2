"""A change is told from chance: paired by question, with an interval, and nothing under two points counts."""

from __future__ import annotations

from typing import Any

import pytest

from tests.evals.asking import Answered, by_category, summarise
from tests.evals.compare import METRICS, as_records, compare, describe, incomparable
from tests.evals.metrics import comes_first
from tests.evals.report import as_section, as_table, renew_page
from tests.evals.sets import Question


def records(*hits: float, category: str = "all kinds") -> list[dict[str, Any]]:
    return [{"category": category, **dict.fromkeys(METRICS, hit)} for hit in hits]


def verdict(before: list[float], after: list[float]) -> str:
    changes = list(compare({"s": records(*before)}, {"s": records(*after)}))
    return next(change.verdict for change in changes if (change.category, change.metric) == ("all", "R@10"))


VERDICTS = [
    ([0.0] * 40 + [1.0] * 60, [1.0] * 100, "better"),
    ([1.0] * 100, [0.0] * 40 + [1.0] * 60, "worse"),
    ([0.0] + [1.0] * 99, [1.0] * 100, "no progress (under 2 points)"),
    ([0.0, 1.0] * 50, [1.0, 0.0] * 50, "no progress (under 2 points)"),
    ([0.0] * 3 + [1.0] * 2 + [0.5] * 15, [1.0] * 3 + [0.0] * 2 + [0.5] * 15, "not certain"),
]


@pytest.mark.parametrize(("before", "after", "said"), VERDICTS)
def test_only_a_change_that_is_large_and_certain_is_progress(
    before: list[float], after: list[float], said: str
) -> None:
    assert verdict(before, after) == said


def test_a_set_whose_questions_differ_is_not_compared() -> None:
    before = {"s": records(1.0), "t": records(1.0, category="old"), "u": records(0.0)}
    after = {"s": records(1.0, 0.0), "t": records(1.0, category="new"), "u": records(1.0), "v": []}
    assert {change.name for change in compare(before, after)} == {"u"}
    assert incomparable(before, after) == ["s", "t"]


def test_what_is_kept_apart_does_not_count_towards_all() -> None:
    before = {"s": records(0.0) + records(1.0, category="adversarial")}
    after = {"s": records(1.0) + records(0.0, category="adversarial")}
    points = {(c.category, c.metric): c.points for c in compare(before, after)}
    assert (points["all", "MRR"], points["adversarial", "MRR"]) == (100.0, -100.0)
    assert "s, all, MRR: +100.0 points [+100.0, +100.0], n=1: better" in describe(
        list(compare(before, after))
    )


def answer(
    *ranked: str, gold: str = "", stale: str = "", forbidden: int = 0, category: str = "c"
) -> Answered:
    question = Question(
        "?", tuple(frozenset([each]) for each in gold.split()), category, stale=frozenset(stale.split())
    )
    return Answered("u", question, ranked, len(ranked), forbidden, 1.0)


ANSWERS = [
    answer("a", "b", gold="a b"),
    answer("x", "a", gold="a", stale="x"),
    answer("a", "x", gold="a", stale="x"),
    answer(),
    answer("q", forbidden=1),
]


def test_questions_without_evidence_count_for_silence_alone() -> None:
    figures = summarise(ANSWERS)
    assert (figures.questions, figures.recall, figures.mrr) == (5, (100.0, 100.0, 100.0), 83.3)
    assert (figures.current, figures.silent, figures.forbidden) == (50.0, 50.0, 1)
    assert len(as_records(ANSWERS)) == 3


def test_where_no_question_tells_there_is_no_figure() -> None:
    figures = summarise([answer()])
    assert (figures.recall, figures.mrr, figures.current) == ((None,) * 3, None, None)
    assert as_table("s", {"all": figures})[1][1:4] == ["1", "–", "–"]


@pytest.mark.parametrize(
    ("ranked", "first"), [("a x", 1.0), ("x a", 0.0), ("q a", 1.0), ("q", 0.0), ("", 0.0)]
)
def test_evidence_comes_first_where_it_stands_before_all_that_is_stale(ranked: str, first: float) -> None:
    assert comes_first(ranked.split(), [frozenset(["a"])], stale=frozenset(["x"])) == first


def test_a_page_keeps_the_sections_that_a_run_did_not_measure() -> None:
    figures = {name: summarise(group) for name, group in by_category(ANSWERS)}
    own, other = as_table("own", figures), as_table("locomo", figures)
    first = renew_page("", {"own": as_section(own, how="first run"), "locomo": as_section(other, how="kept")})
    second = renew_page(first, {"own": as_section(own, how="second run")})
    assert ("first run" in second, "second run" in second, "kept" in second) == (False, True, True)
    assert renew_page(second, {}) == second
