"""Clock times: a table of both languages, and what holds for any text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.language.clock_times import find_clock_time
from tests.language.tables import read_table


@pytest.mark.parametrize(("text", "expected"), read_table("clock_times.tsv"))
def test_a_clock_time_means_its_time_of_day(text: str, expected: str) -> None:
    found = find_clock_time(text)
    assert (found.at.isoformat() if found else "-") == expected


@given(st.text(alphabet="0123456789:点半刻下午三十pm .to past half", max_size=40))
def test_any_text_is_read_without_error_and_the_span_lies_in_it(text: str) -> None:
    found = find_clock_time(text)
    assert found is None or 0 <= found.start < found.end <= len(text)
