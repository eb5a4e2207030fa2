"""Which statement fills which slot of the user's."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared.ltm.slots import slot_of

ROWS = [
    line.split("\t")
    for line in Path(__file__).with_name("slots.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(("text", "slot", "value"), ROWS)
def test_a_statement_fills_its_slot(text: str, slot: str, value: str) -> None:
    assert slot_of(text) == (None if slot == "-" else (slot, value))
