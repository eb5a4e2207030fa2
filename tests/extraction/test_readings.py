"""Statements, candidates, answers and consent: tables of both languages, and invariants over any text."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.errors import InvalidInput
from shared.extraction.answers import Consent, answer_for, mentions_noun, read_consent
from shared.extraction.patterns import find_candidates
from shared.extraction.statements import find_statements
from shared.ltm.schema import DEFAULT_SCHEMA
from tests.extraction.tables import full_path, read_table, shown

TODAY = date(2024, 3, 1)
WEDNESDAY = date(2026, 3, 4)


def _values(cell: str) -> list[str]:
    if cell == "-":
        return []
    pairs = (part.partition("=") for part in cell.split(" && "))
    return [f"{full_path(path)}={value}" for path, _, value in pairs]


def test_statements_are_exact() -> None:
    wrong = {}
    for text, want in read_table("statements.tsv"):
        found = find_statements(text, schema=DEFAULT_SCHEMA, today=TODAY)
        got = [f"{each.path}={shown(each.value)} {each.verb}" for each in found]
        assert all(text[each.start : each.end] == each.quote for each in found)
        if got != _values(want):
            wrong[text] = got
    assert wrong == {}


def test_candidates_are_exact() -> None:
    wrong = {}
    for text, want in read_table("candidates.tsv"):
        found = find_candidates(text, schema=DEFAULT_SCHEMA, today=WEDNESDAY)
        got = [f"{each.path}={shown(each.value)}" for each in found]
        assert all(text[each.start : each.end] == each.quote for each in found)
        if got != _values(want):
            wrong[text] = got
    assert wrong == {}


def test_confidence_orders_stated_before_hedged_and_implied() -> None:
    def confidence(text: str) -> float:
        return find_candidates(text, schema=DEFAULT_SCHEMA, today=WEDNESDAY)[0].confidence

    assert confidence("预算是50万") > confidence("预算大概是50万") > confidence("大概3月底前完成")
    assert confidence("the budget is 500k") > confidence("the budget is about 500k")


def test_answers_are_exact() -> None:
    wrong = {}
    for path, text, want in read_table("answers.tsv"):
        value = answer_for(full_path(path), text, schema=DEFAULT_SCHEMA, today=TODAY)
        got = "-" if value is None else shown(value)
        if got != want:
            wrong[path, text] = got
    assert wrong == {}


def test_an_answer_to_an_unknown_path_names_the_nearest_one() -> None:
    with pytest.raises(InvalidInput, match=r"business_context\.project_id") as caught:
        answer_for("business_context.projct_id", "PROJ-1", schema=DEFAULT_SCHEMA, today=TODAY)
    assert caught.value.code == "unknown_path"


def test_consent_is_exact() -> None:
    wrong = {}
    for text, want in read_table("consent.tsv"):
        got = _told(read_consent(text))
        if got != want:
            wrong[text] = got
    assert wrong == {}


def _told(consent: Consent) -> str:
    picks = (
        f"{pick.noun or pick.index or pick.rest}{'+' if pick.accepts else '-'}" for pick in consent.picks
    )
    return " ".join([consent.answer, *picks])


@pytest.mark.parametrize(
    ("path", "text", "speaks_of_it"),
    [
        ("project_id", "你好，我是张工，负责ABC项目", True),
        ("project_id", "這個專案的項目進度", True),
        ("project_id", "I lead the ABC project", True),
        ("project_id", "our Projects are late", True),
        ("project_id", "今天天气不错", False),
        ("project_id", "the projector is broken", False),
        ("order_id", "我的订单还没到", True),
        ("order_id", "my order has not arrived", True),
        ("order_id", "in alphabetical border", False),
        ("deadline", "截止日快到了", True),
    ],
)
def test_a_noun_is_heard_in_both_languages(path: str, text: str, *, speaks_of_it: bool) -> None:
    assert mentions_noun(full_path(path), text, schema=DEFAULT_SCHEMA) is speaks_of_it


_PATHS = st.sampled_from([each.path for each in DEFAULT_SCHEMA.paths])
_WORDS = (
    "预算|是|50万|，|订单号|AB-1|3月15日|截止|？|第一个|对|不对|yes|the first|my email is|a@b.com|。| |每人"
)
_PIECES = st.sampled_from(_WORDS.split("|"))
_TEXTS = st.one_of(st.text(max_size=120), st.lists(_PIECES, max_size=10).map("".join))


@settings(max_examples=200, deadline=None)
@given(_TEXTS, _PATHS)
def test_no_text_raises(text: str, path: str) -> None:
    for found in find_candidates(text, schema=DEFAULT_SCHEMA, today=WEDNESDAY):
        assert text[found.start : found.end] == found.quote
        assert 0 < found.confidence <= 1
    answer_for(path, text, schema=DEFAULT_SCHEMA, today=TODAY)
    mentions_noun(path, text, schema=DEFAULT_SCHEMA)
    assert read_consent(text).answer in {"yes", "no", "acknowledge", "none"}
