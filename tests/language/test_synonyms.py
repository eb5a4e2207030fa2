"""Which other words a query looks for."""

from __future__ import annotations

import pytest

from shared.language.synonyms import (
    DEFAULT_SYNONYMS,
    MOST_ADDED,
    NO_SYNONYMS,
    WEIGHT,
    find_unfit,
    make_synonyms,
    synonym_terms,
)
from shared.language.terms import query_terms
from tests.language.tables import read_table


def added(query: str, groups: list[list[str]] | None = None) -> dict[str, float]:
    table = DEFAULT_SYNONYMS if groups is None else make_synonyms(groups)
    return {term.term: term.weight for term in synonym_terms(query_terms(query), table)}


@pytest.mark.parametrize(("query", "phrase", "verdict"), read_table("synonyms.tsv"))
def test_the_table_that_ships_knows_everyday_office_words(query: str, phrase: str, verdict: str) -> None:
    looked_for = added(query)
    terms = {term.term for term in query_terms(phrase)}
    assert (terms <= looked_for.keys()) == (verdict == "yes"), looked_for


def test_the_table_that_ships_is_fit_and_bilingual() -> None:
    assert find_unfit(DEFAULT_SYNONYMS.groups) is None
    assert len(DEFAULT_SYNONYMS.groups) >= 50
    for group in DEFAULT_SYNONYMS.groups:
        assert any(phrase.isascii() for phrase in group), group
        assert any(not phrase.isascii() for phrase in group), group


def test_groups_that_share_a_phrase_meet_in_it_alone() -> None:
    groups = [["报表", "report"], ["报表", "dashboard"]]
    assert set(added("报表", groups)) == {"report", "dashboard"}
    assert set(added("report", groups)) == {"报表"}
    assert set(added("dashboard", groups)) == {"报表"}


def test_a_phrase_of_several_terms_weighs_no_more_than_one_of_one() -> None:
    found = added("报告", [["报告", "数据汇总", "report"]])
    assert found == {"report": WEIGHT, **dict.fromkeys(("数据", "据汇", "汇总"), WEIGHT / 3)}


def test_a_phrase_must_stand_whole_in_the_query() -> None:
    groups = [["purchase order", "采购单"]]
    assert "采购" in added("where is the purchase order", groups)
    assert not added("in what order", groups)


def test_a_query_is_widened_only_so_far() -> None:
    groups = [["报告", *(f"alpha{number} beta{number}" for number in range(19))]]
    assert len(added("报告", groups)) == MOST_ADDED


def test_no_table_widens_nothing() -> None:
    assert synonym_terms(query_terms("报告"), NO_SYNONYMS) == []
    assert added("报告", []) == {}


@pytest.mark.parametrize(
    ("groups", "number"),
    [
        ([["报表"]], 0),
        ([["a b", "c"], ["report", "Report "]], 1),
        ([["报表", "的"]], None),
        ([["报表", "！！"]], 0),
        ([], None),
        ([["報表", "报表"]], 0),
    ],
)
def test_a_group_that_says_nothing_is_named(groups: list[list[str]], number: int | None) -> None:
    found = find_unfit(groups)
    assert (None if found is None else found[0]) == number
