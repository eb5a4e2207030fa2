"""By how much a field changes is read where a message says so, and what that comes to is reckoned."""

from __future__ import annotations

from datetime import date

import pytest

from shared.extraction.changed_by import find_changed_by
from shared.extraction.pages import read_page
from shared.extraction.speaking import may_speak
from shared.ltm.schema import DEFAULT_SCHEMA
from tests.extraction.tables import read_table

_DAY = date(2026, 3, 1)


@pytest.mark.parametrize(("text", "want"), read_table("changed_by.tsv"))
def test_an_amount_is_read_with_its_sign_and_unit(text: str, want: str) -> None:
    found = find_changed_by(read_page(text), DEFAULT_SCHEMA)
    shown = [f"{each.path.path.rpartition('.')[2]} {each.by:+} {each.unit}" for each in found]
    assert " && ".join(shown) == ("" if want == "-" else want)
    assert want == "-" or may_speak(text, DEFAULT_SCHEMA)


@pytest.mark.parametrize(
    ("text", "standing", "becomes"),
    [
        ("预算加10万", 500_000, 600_000),
        ("raise the budget by 10%", 500_000, 550_000),
        ("截止日推迟三天", "2026-12-30", "2027-01-02"),
        ("push the deadline back two months", "2026-12-31", "2027-02-28"),
        ("our budget was cut by 900k", 500_000, None),
        ("截止日推迟三天", "next week", None),
    ],
)
def test_it_is_reckoned_from_what_stands(text: str, standing: object, becomes: object) -> None:
    (found,) = find_changed_by(read_page(text), DEFAULT_SCHEMA)
    assert found.applied_to(standing, today=_DAY) == becomes
