"""When a value is known again: its normal form, its slot with numbers and polarity."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from shared.ltm.authority import is_outranked
from shared.ltm.tombstones import keys_of, normal_value, text_keys
from shared.model.memory import FieldVersion, Origin, Source

_ROWS = [
    line.split("\t")
    for line in (Path(__file__).parent / "same_values.tsv").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]


@pytest.mark.parametrize(("first", "second", "wanted"), _ROWS)
def test_a_text_is_known_again_by_its_words_or_its_slot(first: str, second: str, wanted: str) -> None:
    shared = set(text_keys(first)) & set(text_keys(second))
    assert bool(shared) is (wanted == "same")


VALUES: list[tuple[Any, Any, bool]] = [
    ("SaaS", "saas ", True),
    (500000, 500000.0, True),
    ("設計評審", "设计评审", True),
    (["a"], ["a"], True),
    (500000, 600000, False),
    (True, False, False),
]


@pytest.mark.parametrize(("first", "second", "is_same"), VALUES)
def test_a_fields_value_has_one_normal_form(first: Any, second: Any, *, is_same: bool) -> None:
    assert (normal_value(first) == normal_value(second)) is is_same


def test_the_same_value_of_another_path_is_another_thing() -> None:
    assert set(keys_of("a.b", 1)).isdisjoint(keys_of("a.c", 1))
    assert set(keys_of("a.b", ["x", "y"])) == {*keys_of("a.b", "x"), *keys_of("a.b", "y")}


RANKS: list[tuple[Origin, Origin, bool]] = [
    ("user", "system", True),
    ("system", "user", False),
    ("api", "user", True),
    ("user", "user", False),
    ("user", "api", False),
    ("rule", "api", True),
    ("model", "rule", True),
    ("import", "api", False),
]


@pytest.mark.parametrize(("newer", "standing", "loses"), RANKS)
def test_a_lower_rank_loses_and_an_equal_one_that_is_newer_wins(
    newer: Origin, standing: Origin, *, loses: bool
) -> None:
    field = FieldVersion(
        path="a.b",
        value=1,
        version=1,
        valid_from_ms=1,
        valid_to_ms=None,
        recorded_at_ms=1,
        origin=standing,
        source=Source(),
    )
    assert is_outranked(newer, field) is loses
    assert not is_outranked(newer, None)
