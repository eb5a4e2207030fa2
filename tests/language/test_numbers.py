"""Numbers: a table of amounts in both languages, and what holds for any text."""

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.language.numbers import canonical_number, find_numbers
from tests.language.tables import read_table

PIECES = st.sampled_from(
    [*"零一二两三十百千万亿点半个元%0123456789.,-kmA ", "百分之", "half ", "million", "3月", "😀"]
)
TEXTS = st.one_of(st.text(), st.lists(PIECES, max_size=12).map("".join))


@pytest.mark.parametrize(("text", "expected"), read_table("numbers.tsv"))
def test_an_amount_has_its_value_and_unit(text: str, expected: str) -> None:
    found = [(span.value, span.unit) for span in find_numbers(text)]
    wanted = [cell.partition(" ") for cell in expected.split("; ")] if expected != "-" else []
    assert found == [(Decimal(value), unit or None) for value, _, unit in wanted]


@given(text=TEXTS)
def test_spans_lie_in_the_text_and_do_not_overlap(text: str) -> None:
    position = 0
    for span in find_numbers(text):
        assert position <= span.start < span.end <= len(text)
        assert span.quote == text[span.start : span.end]
        position = span.end


@given(value=st.integers(0, 10**10 - 1))
def test_written_numbers_are_read_back(value: int) -> None:
    for text in (f"{value}", f"{value:,}"):
        assert [(span.value, span.unit) for span in find_numbers(text + "元")] == [(Decimal(value), "CNY")]


@given(value=st.decimals(0, 10**9, places=2))
def test_the_canonical_form_is_read_back(value: Decimal) -> None:
    assert [span.value for span in find_numbers("¥" + canonical_number(value))] == [value]


def to_chinese(value: int) -> str:
    """The plain Chinese numeral of 1 to 99,999,999."""
    if value >= 10_000:
        rest = value % 10_000
        return (
            to_chinese(value // 10_000) + "万" + ("零" * (0 < rest < 1000) + to_chinese(rest) if rest else "")
        )
    text, gap = "", False
    for unit, name in ((1000, "千"), (100, "百"), (10, "十"), (1, "")):
        digit = value // unit % 10
        if digit:
            text += "零" * (gap and bool(text)) + "零一二三四五六七八九"[digit] + name
        gap = not digit
    return text


@given(value=st.integers(1, 99_999_999))
def test_chinese_numerals_are_read_back(value: int) -> None:
    assert [span.value for span in find_numbers(to_chinese(value) + "元")] == [value]
