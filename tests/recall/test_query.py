"""Questions parsed: a table of both languages, greetings and thanks among them."""

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.language.synonyms import NO_SYNONYMS, make_synonyms
from shared.recall.query import NAME_WEIGHT, plan_query, wider_terms

SPEAKERS = {"user": 0, "assistant": 1, "Ana": 2, "张三": 3}
LINES = Path(__file__).with_name("queries.tsv").read_text(encoding="utf-8").splitlines()
CASES = [line.split("\t") for line in LINES if not line.startswith("#")]


@pytest.mark.parametrize("case", CASES, ids=[case[0] for case in CASES])
def test_a_question_is_parsed(case: list[str]) -> None:
    text, terms, dates, speaker, leans_to, asks = (cell if cell != "-" else "" for cell in case)
    query = plan_query(text, today=date(2024, 3, 13), years=[2022, 2023], speakers=SPEAKERS)
    assert [term.term for term in query.terms] == terms.split()
    days = [date.fromisoformat(day).toordinal() for day in dates.split()]
    assert list(query.dates) == [(day, day) for day in days]
    assert query.speaker == SPEAKERS.get(speaker)
    assert query.leans_to == SPEAKERS.get(leans_to)
    last = None if query.last_talk_before is None else "last"
    found = {"when": query.asks_when, "many": query.asks_many, "first": query.first_talk, "last": last}
    assert [word for word, asked in found.items() if asked] == asks.split()


def test_a_named_speaker_counts_little_as_a_word() -> None:
    for text in ("What does Ana paint?", "张三 画画"):
        query = plan_query(text, today=date(2024, 3, 13), years=[2023], speakers=SPEAKERS)
        weights = {term.term: term.weight for term in query.terms}
        assert weights.pop("ana" if "ana" in weights else "张三") == NAME_WEIGHT
        assert set(weights.values()) == {1.0}


@given(text=st.text())
def test_any_text_is_parsed(text: str) -> None:
    plan_query(text, today=date(2024, 3, 13), years=[2023], speakers=SPEAKERS)


@pytest.mark.parametrize(
    ("text", "term", "is_sought"),
    [
        ("What pets do I have?", "dog", True),
        ("我有哪些宠物", "小狗", True),
        ("When did my pet die?", "dog", False),
        ("我的宠物叫什么名字", "小狗", False),
    ],
)
def test_members_of_a_kind_are_sought_where_several_are_asked_for(
    text: str, term: str, *, is_sought: bool
) -> None:
    query = plan_query(text, today=date(2024, 3, 13), years=[2023], speakers=SPEAKERS)
    assert (term in {each.term for each in wider_terms(query, NO_SYNONYMS)}) is is_sought


def test_synonyms_and_kinds_widen_a_query_together() -> None:
    query = plan_query("我有哪些宠物报表", today=date(2024, 3, 13), years=[2023], speakers=SPEAKERS)
    found = {each.term for each in wider_terms(query, make_synonyms([["报表", "汇总"]]))}
    assert {"汇总", "小狗"} <= found
