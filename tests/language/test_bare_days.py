"""Bare days of what is to come: the next one, today included; what says which day it is stays."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.language.awaited_days import find_awaited_dates
from shared.language.bare_days import coming_day
from shared.language.dates import find_dates

TUESDAY = date(2026, 12, 1)


@pytest.mark.parametrize(
    ("said", "want"),
    [
        ("25号", "2026-12-25"),
        ("the 25th", "2026-12-25"),
        ("二十五号", "2026-12-25"),
        ("25th", "2026-12-25"),
        ("Friday, the 18th", "2026-12-18"),
        ("周五，18号", "2026-12-18"),
        ("18号周五", "2026-12-18"),
        ("周一", "2026-12-07"),
        ("Monday", "2026-12-07"),
        ("星期天", "2026-12-06"),
        ("on Sunday", "2026-12-06"),
    ],
)
def test_a_bare_day_is_the_next_one(said: str, want: str) -> None:
    found = find_awaited_dates(said, today=TUESDAY)
    assert len(found) == 1
    assert str(coming_day(found[0].quote, found[0].end, today=TUESDAY)) == want


@pytest.mark.parametrize(
    "said", ["上周一", "last Monday", "本周一", "这个月25号", "11月25号", "November 25", "昨天", "yesterday"]
)
def test_what_says_which_day_it_is_is_not_bare(said: str) -> None:
    found = find_dates(said, today=TUESDAY)[0]
    assert coming_day(found.quote, found.end, today=TUESDAY) is None


@pytest.mark.parametrize("said", ["the 25th", "he lives on the 4th"])
def test_a_row_does_not_read_an_ordinal_as_a_day(said: str) -> None:
    assert find_dates(said, today=TUESDAY) == []
    assert len(find_awaited_dates(said, today=TUESDAY)) == 1


@given(st.dates(date(2020, 1, 1), date(2040, 1, 1)), st.integers(1, 31))
def test_the_next_day_of_a_month_is_never_behind(today: date, number: int) -> None:
    for said in (f"{number}号", f"the {number}th"):
        for found in find_awaited_dates(said, today=today):
            day = coming_day(found.quote, found.end, today=today)
            assert day is not None
            assert day.day == number
            assert timedelta(0) <= day - today <= timedelta(days=62)
