"""Dates: a table of expressions in both languages, the reading of queries, and what holds for any text."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.language.dates import asks_when, cut_spans, find_dates, find_query_dates, has_time_expression
from tests.language.tables import read_table

SAID_ON = date(2024, 3, 13)


def show(first: date, last: date) -> str:
    """A range as the table writes it."""
    return f"{first}" if first == last else f"{first}..{last}"


@pytest.mark.parametrize(("text", "expected"), read_table("dates.tsv"))
def test_an_expression_means_its_days(text: str, expected: str) -> None:
    found = find_dates(text, today=SAID_ON)
    assert " ".join(show(span.start, span.end) for span in found) == expected.replace(
        "-", "", expected == "-"
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("5月6号我读了什么书", ["2022-05-06", "2023-05-06"]),
        ("What did I read on May 6?", ["2022-05-06", "2023-05-06"]),
        ("2023年5月6号", ["2023-05-06"]),
        ("May 6, 2023", ["2023-05-06"]),
        ("昨天", ["2024-03-12"]),
        ("in May", ["2022-05-01..2022-05-31", "2023-05-01..2023-05-31"]),
    ],
)
def test_a_query_without_a_year_means_every_year_of_the_scope(text: str, expected: list[str]) -> None:
    found = find_query_dates(text, today=SAID_ON, years=[2022, 2023])
    assert [show(span.start, span.end) for span in found] == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("下周五交稿", "2026-03-13"),
        ("这周五交稿", "2026-03-06"),
        ("周五交稿", "2026-03-06"),
        ("下礼拜一开会", "2026-03-09"),
        ("下下周一出差", "2026-03-16"),
        ("上周五说的", "2026-02-27"),
        ("3月底前完成", "2026-03-31"),
        ("月底结账", "2026-03-31"),
        ("后天到货", "2026-03-06"),
        ("大后天到货", "2026-03-07"),
        ("15号前付款", "2026-03-15"),
        ("by next Friday", "2026-03-13"),
    ],
)
def test_a_weekday_is_of_the_week_it_says(text: str, expected: str) -> None:
    """The story of DATE-01, said on a Wednesday; the last day of a span is the day that counts."""
    (found,) = find_dates(text, today=date(2026, 3, 4))
    assert f"{found.end}" == expected
    assert found.quote in text


def test_date_words_leave_the_text() -> None:
    text = "在5月6号我读了一本书"
    assert cut_spans(text, find_query_dates(text, today=SAID_ON, years=[2022, 2023])) == "在 我读了一本书"


@pytest.mark.parametrize(
    "text", ["我们什么时候见面", "哪天交付", "When did Ana move?", "How long is it?", "what date"]
)
def test_questions_for_a_time_are_known(text: str) -> None:
    assert asks_when(text)


@pytest.mark.parametrize("text", ["谁来了", "What did Ana buy?", "whenever", ""])
def test_other_questions_do_not_ask_for_a_time(text: str) -> None:
    assert not asks_when(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("昨天晚上", True), ("two days ago", True), ("at 5 pm", True), ("I may go", False), ("喜欢电影", False)],
)
def test_time_expressions_are_seen(text: str, *, expected: bool) -> None:
    assert has_time_expression(text) is expected


PIECES = st.sampled_from(
    [
        "年",
        "月",
        "日",
        "上",
        "周",
        "五",
        "底",
        "前",
        "后",
        "3",
        "15",
        "2024",
        "-",
        "/",
        " ",
        "last ",
        "week",
        "May ",
        "in ",
        "to ",
        "😀",
    ]
)
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=12).map("".join))
DAYS = st.dates()


@given(text=TEXTS, today=DAYS)
def test_spans_lie_in_the_text_in_order_whatever_the_day(text: str, today: date) -> None:
    position = 0
    for span in find_dates(text, today=today):
        assert span.start <= span.end
        assert position <= span.text_start < span.text_end <= len(text)
        assert span.quote == text[span.text_start : span.text_end]
        position = span.text_end


@given(text=TEXTS, today=DAYS)
def test_queries_never_raise(text: str, today: date) -> None:
    spans = find_query_dates(text, today=today, years=[1, 2023, 9999])
    cut_spans(text, spans)
    asks_when(text)


@given(day=st.dates(date(1900, 1, 1), date(2099, 12, 31)))
def test_written_days_are_read_back(day: date) -> None:
    for text in (f"{day}", f"{day.year}年{day.month}月{day.day}日", f"{day.day} {day:%B} {day.year}"):
        assert [(span.start, span.end) for span in find_dates(text, today=SAID_ON)] == [(day, day)]


@given(today=st.dates(date(1900, 1, 1), date(2099, 12, 31)), days=st.integers(1, 99))
def test_days_ago_and_days_later_count_days(today: date, days: int) -> None:
    for text, expected in ((f"{days}天前", -days), (f"{days} days ago", -days), (f"{days}天后", days)):
        assert [span.start for span in find_dates(text, today=today)] == [today + timedelta(days=expected)]
