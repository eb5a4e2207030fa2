"""Importance by rule, over a table of both languages, and its bounds for every text."""

from __future__ import annotations

from typing import cast, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.extraction.filler import is_filler
from shared.extraction.importance import LEAST, MAX_SHIFT, importance_of
from shared.model.memory import MemoryKind
from tests.extraction.tables import read_table

KINDS = get_args(MemoryKind)


@pytest.mark.parametrize(("kind", "text", "confirmed", "want"), read_table("importance.tsv"))
def test_a_memory_weighs_what_its_kind_and_words_say(kind: str, text: str, confirmed: str, want: str) -> None:
    assert importance_of(cast("MemoryKind", kind), text, confirmed=confirmed == "yes") == float(want)


@pytest.mark.parametrize(("text", "want"), read_table("filler.tsv"))
def test_only_what_says_nothing_is_filler(text: str, want: str) -> None:
    assert is_filler(text) is (want == "yes")


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(KINDS), st.text(max_size=200), st.booleans(), st.none() | st.floats(-5, 5))
def test_importance_stays_in_its_range_and_a_model_moves_it_little(
    kind: MemoryKind, text: str, confirmed: bool, model_score: float | None
) -> None:
    by_rule = importance_of(kind, text, confirmed=confirmed)
    scored = importance_of(kind, text, confirmed=confirmed, model_score=model_score)
    assert LEAST <= by_rule <= 1
    assert LEAST <= scored <= 1
    assert abs(scored - by_rule) <= MAX_SHIFT + 0.01
    assert importance_of(kind, text, confirmed=True) >= importance_of(kind, text)
