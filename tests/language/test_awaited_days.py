"""The day that a text is to name: with its weekday, by its holiday, and never one that there is not."""

from datetime import date

import pytest

from shared.language.awaited_days import contradicts_weekday, find_awaited_dates, names_no_day
from tests.language.tables import read_table

TUESDAY = date(2026, 12, 1)


@pytest.mark.parametrize(("text", "expected"), read_table("awaited_days.tsv"))
def test_the_awaited_day_is_found_whole(text: str, expected: str) -> None:
    found = find_awaited_dates(text, today=TUESDAY)
    assert [f"{span.end}" for span in found] == expected.replace("-", "", expected == "-").split()
    assert all(span.quote == text[span.text_start : span.text_end] for span in found)


@pytest.mark.parametrize(
    "text",
    [
        "2月30日",
        "Feb 30",
        "31 June",
        "2027年2月29日",
        "周二，2026年12月18号",
        "Tuesday, Dec 18, 2026",
        "Tue Dec 18 2026",
        "2026年12月18号（周二）",
        "Dec 18, 2026 (Tuesday)",
    ],
)
def test_a_day_that_there_is_not_is_told(text: str) -> None:
    assert names_no_day(text, today=TUESDAY)


@pytest.mark.parametrize("text", ["周五，12月18号", "Friday, Dec 18", "next Friday", "下周五", "soon"])
def test_a_day_that_there_is_raises_no_doubt(text: str) -> None:
    assert not names_no_day(text, today=TUESDAY)


@pytest.mark.parametrize(
    ("words", "is_wrong"),
    [("Thurs. Dec 17", False), ("Wednesday", True), ("星期天", True), ("周四", False), ("month", False)],
)
def test_a_weekday_is_held_against_its_day(words: str, *, is_wrong: bool) -> None:
    assert contradicts_weekday(words, date(2026, 12, 17)) is is_wrong
