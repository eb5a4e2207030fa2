"""The schema: labels, nearest paths, normal forms of values in both languages, and documents of tenants."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.errors import InvalidInput
from shared.language.scripts import fold_aligned
from shared.ltm.raw_words import RawWords
from shared.ltm.schema import (
    DEFAULT_SCHEMA,
    SchemaPath,
    normalise_value,
    parse_schema,
    show_value,
    vanished_paths,
)
from tests.extraction.tables import full_path

TODAY = date(2024, 3, 1)
_LINES = (Path(__file__).parent / "values.tsv").read_text(encoding="utf-8").splitlines()
ROWS = [line.split("\t") for line in _LINES if line and not line.startswith("#")]


def typed(kind: str, **more: Any) -> SchemaPath:
    return SchemaPath.model_validate({"path": "a.b", "type": kind, **more})


@pytest.mark.parametrize(("path", "raw", "want"), ROWS)
def test_text_values_have_one_normal_form(path: str, raw: str, want: str) -> None:
    found = DEFAULT_SCHEMA.find(full_path(path))
    if want == "!":
        with pytest.raises(InvalidInput) as caught:
            normalise_value(found, raw, today=TODAY)
        assert caught.value.field == "value"
        return
    value = normalise_value(found, raw, today=TODAY)
    assert value == json.loads(want)
    assert normalise_value(found, value, today=TODAY) == value


@pytest.mark.parametrize(
    ("kind", "raw", "want"),
    [
        ("integer", 5, 5),
        ("integer", 5.0, 5),
        ("number", 5.5, 5.5),
        ("boolean", True, True),
        ("boolean", "是", True),
        ("boolean", "否", False),
        ("boolean", "不需要", False),
        ("boolean", "Yes", True),
        ("boolean", "no.", False),
        ("string", 7, "7"),
        ("string[]", ["a", "b", "a"], ["a", "b"]),
        ("string[]", [], []),
        ("date", "2024-03-15", "2024-03-15"),
        ("datetime", "2024-03-15T10:00:00+08:00", "2024-03-15T10:00:00+08:00"),
        ("datetime", "3月15日下午3点半", "2024-03-15T15:30:00"),
        ("datetime", "March 15 at 3:30 pm", "2024-03-15T15:30:00"),
        ("datetime", "2024-03-15 15:30", "2024-03-15T15:30:00"),
        ("object", {"a": [1]}, {"a": [1]}),
    ],
)
def test_json_values_have_one_normal_form(kind: str, raw: Any, want: Any) -> None:
    value = normalise_value(typed(kind), raw, today=TODAY)
    assert value == want
    assert type(value) is type(want)


@pytest.mark.parametrize(
    ("kind", "raw"),
    [
        ("integer", 5.5),
        ("integer", True),
        ("number", float("nan")),
        ("number", float("inf")),
        ("number", 1e30),
        ("number", []),
        ("number", None),
        ("boolean", 1),
        ("boolean", "perhaps"),
        ("string", None),
        ("string", True),
        ("string", ""),
        ("string", "x" * 2001),
        ("string", {"a": 1}),
        ("date", 20240315),
        ("date", "3月15日和4月1日"),
        ("string[]", [1, None]),
        ("string[]", ["ok", ""]),
        ("string[]", 5),
        ("string[]", ["x"] * 201),
        ("object", [1]),
        ("object", {"a": "x" * 9000}),
    ],
)
def test_values_of_another_type_are_refused_by_field(kind: str, raw: Any) -> None:
    with pytest.raises(InvalidInput) as caught:
        normalise_value(typed(kind), raw, today=TODAY)
    assert caught.value.field == "value"


def test_a_deadline_without_a_year_lies_ahead() -> None:
    deadline = DEFAULT_SCHEMA.find("business_context.deadline")
    assert normalise_value(deadline, "3月15日", today=date(2024, 8, 20)) == "2025-03-15"
    assert normalise_value(deadline, "3月15日", today=date(2024, 3, 20)) == "2024-03-15"
    assert normalise_value(deadline, "2024年3月15日", today=date(2024, 8, 20)) == "2024-03-15"


@pytest.mark.parametrize(
    ("path", "value", "zh", "en"),
    [
        ("budget.ceiling", 500000, "500,000", "500,000"),
        ("deadline", "2024-03-15", "2024年3月15日", "2024-03-15"),
        ("excluded_technologies", ["PHP", "Perl"], "PHP、Perl", "PHP, Perl"),
        ("email", "dev@abc.com", "dev@abc.com", "dev@abc.com"),
        ("email", None, "（空）", "(empty)"),
    ],
)
def test_values_are_shown_in_both_languages(path: str, value: Any, zh: str, en: str) -> None:
    found = DEFAULT_SCHEMA.find(full_path(path))
    assert show_value(found, value, language="zh") == zh
    assert show_value(found, value, language="en") == en
    assert show_value(typed("boolean"), value=True, language="zh") == "是"


@pytest.mark.parametrize(
    ("wrong", "near"),
    [
        ("business_context.budget.ceilling", "business_context.budget.ceiling"),
        ("business_context.projectid", "business_context.project_id"),
        ("user_profile.email", "user_profile.contact.email"),
        ("current_task.constraints[]", "current_task.constraints"),
        ("deadline", "business_context.deadline"),
        ("user.phone", "user_profile.contact.phone"),
    ],
)
def test_an_unknown_path_names_the_nearest(wrong: str, near: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        DEFAULT_SCHEMA.find(wrong)
    assert caught.value.code == "unknown_path"
    assert near in caught.value.detail


@pytest.mark.parametrize(
    ("label", "path"),
    [
        ("项目编号", "project_id"),
        ("項目編號", "project_id"),
        ("项目阶段", "phase"),
        ("截止日", "deadline"),
        ("预算上限", "budget.ceiling"),
        ("Budget Ceiling", "budget.ceiling"),
        ("budget_ceiling", "budget.ceiling"),
        ("E-mail", "email"),
        ("business_context.phase", "phase"),
        ("公司所属行业", "industry"),
    ],
)
def test_labels_name_their_path_in_any_script_and_case(label: str, path: str) -> None:
    found = DEFAULT_SCHEMA.path_for_label(label)
    assert found is not None
    assert found.path == full_path(path)
    assert DEFAULT_SCHEMA.path_for_label("天气") is None


def test_the_default_schema_holds_what_the_contract_lists() -> None:
    assert {each.path for each in DEFAULT_SCHEMA.paths} == {
        "user_profile.name",
        "user_profile.role",
        "user_profile.contact.email",
        "user_profile.contact.phone",
        "user_profile.company.industry",
        "current_task.type",
        "current_task.scope",
        "current_task.constraints",
        "current_task.last_cost",
        "business_context.project_id",
        "business_context.phase",
        "business_context.deadline",
        "business_context.budget.ceiling",
        "business_context.budget.unit",
        "business_context.budget.per_person",
        "business_context.order_id",
        "business_context.excluded_technologies",
    }
    required = [each.path for each in DEFAULT_SCHEMA.paths if "contract_review" in each.required_for]
    assert required == ["business_context.project_id", "business_context.deadline"]
    assert DEFAULT_SCHEMA.find("business_context.project_id").ask == "when_mentioned"
    assert all(each.labels.zh and each.labels.en for each in DEFAULT_SCHEMA.paths)


def test_no_two_paths_share_a_name() -> None:
    names = [name.casefold() for each in DEFAULT_SCHEMA.paths for name in each.names]
    assert len(names) == len(set(names))


def test_a_schema_survives_its_own_document() -> None:
    document = json.loads(DEFAULT_SCHEMA.model_dump_json())
    assert parse_schema(document) == DEFAULT_SCHEMA
    assert set(document["paths"][0]) >= {
        "path",
        "type",
        "labels",
        "sensitivity",
        "policy",
        "priority",
        "expires",
    }


@pytest.mark.parametrize(
    ("paths", "field"),
    [
        ([{"path": "A.b", "type": "string"}], "paths.0.path"),
        ([{"path": "a", "type": "text"}], "paths.0.type"),
        ([{"path": "a"}], "paths.0.type"),
        ([{"path": "a", "type": "string", "colour": "red"}], "paths.0.colour"),
        ([{"path": "a", "type": "string", "policy": "maybe"}], "paths.0.policy"),
        ([{"path": "a", "type": "string"}, {"path": "a", "type": "string"}], "schema"),
        ([{"path": "a", "type": "object"}, {"path": "a.b", "type": "string"}], "schema"),
        ("none", "paths"),
    ],
)
def test_a_bad_document_is_refused_by_its_place(paths: Any, field: str) -> None:
    with pytest.raises(InvalidInput) as caught:
        parse_schema({"version": 1, "paths": paths})
    assert caught.value.field == field


def test_deadlines_and_lives_are_read() -> None:
    paths = [
        {"path": "a", "type": "date", "expires": "path is a deadline"},
        {"path": "b", "type": "string", "expires": 3600},
    ]
    schema = parse_schema({"version": 2, "paths": paths})
    assert [each.expires for each in schema.paths] == ["deadline", 3600]


def test_vanished_paths_are_those_gone_or_of_another_type() -> None:
    old = parse_schema(
        {"version": 1, "paths": [{"path": name, "type": "string"} for name in ("a", "b", "c")]}
    )
    kept = [{"path": "a", "type": "string"}, {"path": "b", "type": "number"}]
    assert vanished_paths(old, parse_schema({"version": 2, "paths": kept})) == ("b", "c")


@pytest.mark.parametrize(
    ("text", "holds"),
    [
        ("預算五十萬", True),
        ("ＢＵＤＧＥＴ", True),
        ("my BUDGET, please", True),
        ("the project_id is", True),
        ("今天天气不错", False),
        ("an imbudgeted plan", False),
    ],
)
def test_raw_words_are_seen_in_any_script_and_case(text: str, *, holds: bool) -> None:
    assert DEFAULT_SCHEMA.may_hold_label(text) is holds
    assert RawWords([]).occur_in(text) in {False, "Ｂ" in text}


@given(
    text=st.lists(
        st.sampled_from([*"预预算算預的了一下记住住 ab", "记一", "write ", "down ", "Ｂ"]), max_size=9
    ).map("".join)
)
def test_raw_words_are_found_at_their_places(text: str) -> None:
    """A shorter word is not hidden by a longer one that begins like it."""
    words = ["预算", "记", "记一下再说", "住的了", "write down", "down"]
    raw, folded = RawWords(words), fold_aligned(text)
    places = {
        match.start() for word in words if not word.isascii() for match in re.finditer(f"(?={word})", folded)
    }
    places |= {match.start() for match in re.finditer(r"(?<![a-z0-9])(?:write +)?down(?![a-z0-9])", folded)}
    assert places <= set(raw.places_in(folded))
    assert raw.occur_in(text) or not places


_ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda below: st.lists(below, max_size=3) | st.dictionaries(st.text(max_size=5), below, max_size=3),
    max_leaves=5,
)
_KINDS = st.sampled_from(["string", "integer", "number", "boolean", "date", "datetime", "string[]", "object"])


@settings(max_examples=300, deadline=None)
@given(_KINDS, _ANY_JSON)
def test_a_value_is_normalised_or_refused(kind: str, raw: Any) -> None:
    path = typed(kind)
    try:
        value = normalise_value(path, raw, today=TODAY)
    except InvalidInput:
        return
    assert normalise_value(path, value, today=TODAY) == value
    assert isinstance(show_value(path, value, language="zh"), str)


@pytest.mark.parametrize(
    "raw",
    [
        "3月15日",
        "March 15",
        "2024-03-15",
        "3月15日3点半",
        "March 15, half past three",
        "下午3点半",
        "3:30 pm",
        "三月",
        5,
    ],
)
def test_a_moment_is_refused_where_its_day_or_its_time_is_not_said(raw: Any) -> None:
    with pytest.raises(InvalidInput) as caught:
        normalise_value(typed("datetime"), raw, today=TODAY)
    assert caught.value.field == "value"
