"""How the assistant is to answer: one language and one length at a time, in whichever language it is said."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared.ltm.slots import contradicts

ROWS = [
    line.split("\t")
    for line in Path(__file__).with_name("answering.tsv").read_text("utf-8").splitlines()
    if not line.startswith("#")
]


@pytest.mark.parametrize(("held", "later", "verdict"), ROWS)
def test_the_later_way_of_answering_takes_the_place_of_the_earlier(
    held: str, later: str, verdict: str
) -> None:
    for old, new in ((held, later), (later, held)):
        assert contradicts(old, new, is_change=False) == (verdict == "other")
