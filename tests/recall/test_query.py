"""Questions parsed: a table of both languages, greetings and thanks among them."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.recall.query import plan_query

SPEAKERS = {"user": 0, "assistant": 1, "Ana": 2, "张三": 3}
LINES = Path(__file__).with_name("queries.tsv").read_text(encoding="utf-8").splitlines()
CASES = [line.split("\t") for line in LINES if not line.startswith("#")]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_a_question_is_parsed(case: list[str]) -> None:
    text, terms, dates, speaker, leans_to, when = (cell if cell != "-" else "" for cell in case)
    query = plan_query(text, today=date(2024, 3, 13), years=[2022, 2023], speakers=SPEAKERS)
    assert [term.term for term in query.terms] == terms.split()
    days = [date.fromisoformat(day).toordinal() for day in dates.split()]
    assert list(query.dates) == [(day, day) for day in days]
    assert query.speaker == SPEAKERS.get(speaker)
    assert query.leans_to == SPEAKERS.get(leans_to)
    assert query.asks_when == (when == "yes")


@given(text=st.text())
def test_any_text_is_parsed(text: str) -> None:
    plan_query(text, today=date(2024, 3, 13), years=[2023], speakers=SPEAKERS)
