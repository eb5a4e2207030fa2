"""Meaning in logs: what rows have in common, what goes on from what, and the day that the best rows share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime

import numpy as np
import pytest

from shared.model.meaning import Meaning, RowVectors
from shared.recall.nearness import Nearness, find_nearness
from shared.recall.query import plan_query
from shared.recall.score import DEFAULT_WEIGHTS, in_monologue, score_rows
from tests.evals.memory_index import MemoryIndex, build_index
from tests.evals.sets import Message

TODAY = date(2025, 6, 16)


def log_of(*sessions: Sequence[str], days: Sequence[str], speakers: Sequence[str] = ("user",)) -> MemoryIndex:
    """An index of one session a day, whose rows are said by the speakers in turn."""
    return build_index(
        [
            [
                Message(
                    f"{day}/{number}", speakers[number % len(speakers)], text, datetime.fromisoformat(day)
                )
                for number, text in enumerate(session)
            ]
            for day, session in zip(days, sessions, strict=True)
        ]
    )


def vectors_of(directions: Sequence[Sequence[float]]) -> RowVectors:
    """Unit vectors of those directions, row by row."""
    values = np.array(directions, dtype=np.float32)
    values /= np.linalg.norm(values, axis=1, keepdims=True)
    return RowVectors(np.arange(len(values)), values, np.zeros(len(values), dtype=np.bool_))


def nearness_of(index: MemoryIndex, vectors: RowVectors, asked: Sequence[float]) -> Nearness:
    """How near the rows are to a question of that direction."""
    vector = np.array(asked, dtype=np.float32)
    meaning = Meaning("m", vector / np.linalg.norm(vector), is_han=False)
    found = find_nearness(index.rows, vectors, meaning=meaning, alone=in_monologue(index.rows))
    assert found is not None
    return found


COFFEE, HIKING, TAXES, RUNNING = np.eye(4).tolist()
ROWS = ("first", "second", "third", "fourth", "fifth", "sixth")


def mixed(one: list[float], other: list[float], share: float) -> list[float]:
    return [share * a + (1 - share) * b for a, b in zip(one, other, strict=True)]


def test_a_row_of_a_log_is_heard_with_what_goes_on_from_it_and_not_with_what_stands_between() -> None:
    # The second says little of coffee; the fourth, which is alike, says it. The third is of another matter.
    said = [HIKING, mixed(COFFEE, RUNNING, 0.5), TAXES, mixed(COFFEE, RUNNING, 0.8), HIKING, TAXES]
    thread = nearness_of(log_of(ROWS, days=["2025-06-01"]), vectors_of(said), COFFEE)
    apart = nearness_of(
        log_of(*[[row] for row in ROWS], days=[f"2025-06-0{n}" for n in range(1, 7)]),
        vectors_of(said),
        COFFEE,
    )
    assert thread.z[1] > apart.z[1]
    assert thread.z[1] == pytest.approx(thread.z[3], abs=0.1)
    assert not thread.z[[0, 2, 4, 5]].any()


def test_threads_end_with_the_session() -> None:
    said = [TAXES, HIKING, mixed(COFFEE, RUNNING, 0.5), COFFEE, HIKING, TAXES]
    whole = nearness_of(log_of(ROWS, days=["2025-06-01"]), vectors_of(said), COFFEE)
    two = log_of(ROWS[:3], ROWS[3:], days=["2025-06-01", "2025-06-02"])
    assert nearness_of(two, vectors_of(said), COFFEE).z[2] < whole.z[2]


def test_threads_follow_the_rows_where_the_vectors_stay_the_same() -> None:
    said = vectors_of([TAXES, HIKING, mixed(COFFEE, RUNNING, 0.5), COFFEE, HIKING, TAXES])
    whole = log_of(ROWS, days=["2025-06-01"])
    two = log_of(ROWS[:3], ROWS[3:], days=["2025-06-01", "2025-06-02"])
    first = nearness_of(whole, said, COFFEE).z
    assert nearness_of(two, said, COFFEE).z[2] != pytest.approx(first[2])
    assert nearness_of(whole, said, COFFEE).z == pytest.approx(first)


def test_what_all_rows_have_in_common_says_nothing() -> None:
    index = log_of(*[[row] for row in ROWS], days=[f"2025-06-0{n}" for n in range(1, 7)])
    # The last row says nothing but what all say; the question has much of it too.
    shared = [[*direction, 2.0] for direction in (COFFEE, HIKING, TAXES, RUNNING, HIKING)]
    found = nearness_of(index, vectors_of([*shared, [0, 0, 0, 0, 1.0]]), [*COFFEE, 2.0])
    assert found.z[0] > 3 * found.z[5]


def test_rows_that_all_mean_the_same_are_told_apart_by_nothing() -> None:
    index = log_of(ROWS, days=["2025-06-01"])
    found = nearness_of(index, vectors_of([COFFEE] * 6), COFFEE)
    assert np.isfinite(found.z).all()
    assert found.z.max() == pytest.approx(found.z.min(), abs=1e-3)


@pytest.mark.parametrize(
    ("question", "best", "same"),
    [
        ("annual marathon training", "marathon training plan", "training shoes were bought"),
        ("年度马拉松训练", "马拉松训练计划", "训练鞋买好了"),
    ],
)
def test_the_day_of_the_best_rows_lifts_what_else_the_log_holds_of_it(
    question: str, best: str, same: str
) -> None:
    others = [["weather report", "天气预报", "bus was late", "公交晚点"] for _ in range(3)]
    index = log_of(["news", same], [same, best], *others, days=[f"2025-05-0{n}" for n in range(1, 6)])
    query = plan_query(question, today=TODAY, years=index.years, speakers=index.speakers)
    rows, weights = index.rows, replace(DEFAULT_WEIGHTS, session=0.0)
    near = nearness_of(index, vectors_of([TAXES] * 4 + [HIKING] * 12), RUNNING)
    words = score_rows(rows, query, postings=index.postings, weights=weights)
    both = score_rows(rows, query, postings=index.postings, nearness=near, weights=weights)
    assert not words.session.any(), "without a model the days count where they are asked for"
    assert both.session[2] > both.session[1] > 0
    assert not both.scores[4:].any(), "a day lends nothing to rows without a score"


@pytest.mark.parametrize(
    ("question", "advice", "note", "asks_advice"),
    [
        ("What did the bicycle cost?", "a bicycle can cost much", "bicycle cost", "What did you suggest?"),
        ("自行车花了多少钱？", "买自行车要花不少", "自行车花费", "你推荐过什么？"),
    ],
)
def test_beside_a_log_what_the_assistant_said_stands_behind_unless_it_is_asked_for(
    question: str, advice: str, note: str, asks_advice: str
) -> None:
    chat = [
        Message("c0", "user", "hello 你好", datetime.fromisoformat("2025-05-01")),
        Message("c1", "assistant", advice, datetime.fromisoformat("2025-05-01")),
    ]
    log = [
        Message(f"l{number}", "user", text, datetime.fromisoformat("2025-05-02"))
        for number, text in enumerate([note, "other things", "别的事"])
    ]
    for sessions, factor in (([chat, log], 0.85), ([chat, log[:1]], 1.0)):
        index = build_index(sessions)
        for text, expected in ((question, factor), (asks_advice, 1.4)):
            query = plan_query(text, today=TODAY, years=index.years, speakers=index.speakers)
            scored = score_rows(index.rows, query, postings=index.postings)
            assert scored.boost[1] == pytest.approx(expected)
