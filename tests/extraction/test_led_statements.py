"""Which messages put something right with a whole statement, and the statement without the cue."""

from __future__ import annotations

import pytest

from shared.extraction.corrections import read_correction
from tests.extraction.tables import read_table

ROWS = read_table("led_statements.tsv")


@pytest.mark.parametrize(("text", "wanted"), ROWS)
def test_a_statement_is_read_where_it_puts_something_right(text: str, wanted: str) -> None:
    correction = read_correction(text)
    assert ((correction.told if correction else "") or "-") == wanted


def test_more_than_half_of_the_table_stays_silent() -> None:
    assert 2 * sum(wanted == "-" for _, wanted in ROWS) >= len(ROWS)
