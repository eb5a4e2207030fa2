"""Amounts of money written short are written out, and keep their places."""

import pytest

from shared.language.amounts import write_out_scales
from shared.language.numbers import find_numbers
from tests.language.tables import read_table


@pytest.mark.parametrize(("text", "amount"), read_table("amounts.tsv"))
def test_an_amount_is_read_with_its_scale(text: str, amount: str) -> None:
    written = write_out_scales(text)
    assert len(written) == len(text)
    assert [number.canonical for number in find_numbers(written)] == [amount]


@pytest.mark.parametrize("text", ["2026 500", "12 3456", "mb", "5 members", "三个月", "20 grandmothers"])
def test_what_is_no_scale_stays(text: str) -> None:
    assert write_out_scales(text) == text
