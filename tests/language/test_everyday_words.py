"""Words of home life that mean the same: they hold whatever a tenant's table says."""

from __future__ import annotations

from datetime import date

import pytest

from shared.language.everyday_words import EVERYDAY
from shared.language.synonyms import find_unfit, make_synonyms
from shared.language.terms import query_terms
from shared.recall.query import plan_query, wider_terms
from tests.language.tables import read_table


@pytest.mark.parametrize(("query", "phrase", "verdict"), read_table("everyday_words.tsv"))
def test_everyday_words_are_looked_for_beside_any_table(query: str, phrase: str, verdict: str) -> None:
    plan = plan_query(query, today=date(2026, 3, 2), years=[2026], speakers={})
    looked_for = {term.term for term in wider_terms(plan, make_synonyms([["甲方案", "plan alpha"]]))}
    terms = {term.term for term in query_terms(phrase)}
    assert (terms <= looked_for) == (verdict == "yes"), looked_for


def test_the_everyday_words_are_fit_and_bilingual() -> None:
    assert find_unfit(EVERYDAY.groups) is None
    for group in EVERYDAY.groups:
        assert any(phrase.isascii() for phrase in group), group
        assert any(not phrase.isascii() for phrase in group), group
