"""Terms: a table of rows and queries, the scripts they are folded from, and what holds for any text."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.language.dates import DateSpan
from shared.language.scripts import detect_language, fold, fold_aligned, is_han
from shared.language.terms import date_terms, index_terms, query_terms, row_terms
from tests.language.tables import read_table


@pytest.mark.parametrize(("text", "row", "query"), read_table("terms.tsv"))
def test_a_text_has_its_terms(text: str, row: str, *, query: str) -> None:
    assert index_terms(text) == row.split()
    assert [term.term for term in query_terms(text)] == query.split()


def test_a_row_is_indexed_without_stop_words() -> None:
    assert row_terms("She went home with the 预算") == ["go", "home", "预算"]
    assert row_terms("I will") == []


def test_a_lone_han_character_is_flagged() -> None:
    assert [term.single_character for term in query_terms("盘")] == [True]
    assert [term.single_character for term in query_terms("预算")] == [False]


def test_a_short_range_has_all_its_days_and_a_long_one_its_months() -> None:
    short = DateSpan(date(2024, 2, 28), date(2024, 3, 1), 0, 1, "x")
    assert date_terms([short]) == ["d:2024-02-28", "d:2024-02-29", "d:2024-03-01", "m:2024-02", "m:2024-03"]
    long = DateSpan(date(2023, 11, 1), date(2024, 2, 29), 0, 1, "x")
    assert date_terms([long]) == ["m:2023-11", "m:2023-12", "m:2024-01", "m:2024-02"]
    endless = DateSpan(date(1, 1, 1), date(9999, 12, 31), 0, 1, "x")
    assert len(date_terms([endless])) == 24


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("把 deadline 改成 Friday", "zh"),
        ("预算多少", "zh"),
        ("My friend 张三 and I went to the long river", "en"),
        ("", "en"),
        ("😀", "en"),
    ],
)
def test_the_language_of_a_text_is_seen(text: str, language: str) -> None:
    assert detect_language(text) == language


def test_scripts_fold_to_one_form() -> None:
    assert fold("臺灣專案預算 ＡＢＣ\u200b") == "台湾专案预算 abc"
    assert is_han("预")
    assert not is_han("a")


def test_a_common_character_folds_as_in_any_company() -> None:
    """One character outside the common ones makes the whole text go the long way."""
    common = [chr(code) for code in (*range(0x80), *range(0x3000, 0x3003), *range(0x4E00, 0xA000))]
    common += [chr(code) for code in range(0xFF01, 0xFF5F)]
    assert [ch for ch in common if fold(ch) + "é" != fold(ch + "é")] == []
    assert fold("".join(common)) + "é" == fold("".join(common) + "é")


@given(text=st.text(alphabet="预算預算，ＡbC：1é "))
def test_folding_in_place_agrees_with_folding_where_lengths_agree(text: str) -> None:
    assert fold_aligned(text) == fold(text)


@given(text=st.text())
def test_folding_is_idempotent(text: str) -> None:
    assert fold(fold(text)) == fold(text)
    assert fold_aligned(fold_aligned(text)) == fold_aligned(text)
    assert len(fold_aligned(text)) == len(text)


@given(text=st.text())
def test_any_text_has_terms_without_raising(text: str) -> None:
    index_terms(text)
    query_terms(text)
    detect_language(text)


@given(text=st.text(alphabet="预算上限喜欢电影报告北京"))
def test_what_a_query_looks_for_a_row_of_the_same_text_holds(text: str) -> None:
    assert {term.term for term in query_terms(text)} <= set(index_terms(text))
