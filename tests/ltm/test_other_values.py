"""The table of other values: what a correction says beside what is held, and what may hold as well."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared.ltm.other_values import PutRight

ROWS = [
    line.split("\t")
    for line in (Path(__file__).parent / "other_values.tsv").read_text(encoding="utf-8").splitlines()
    if line and not line.startswith("#")
]


@pytest.mark.parametrize(("held", "said", "want"), ROWS, ids=[f"{held} | {said}" for held, said, _ in ROWS])
def test_a_correction_gives_another_value_or_both_may_hold(held: str, said: str, want: str) -> None:
    assert PutRight(said).differs_from(held) == (want == "other")


def test_as_many_rows_stay_silent_and_both_languages_have_as_many() -> None:
    silent = [said for _, said, want in ROWS if want == "-"]
    english = [said for _, said, _ in ROWS if said.isascii()]
    assert len(silent) >= len(ROWS) / 2
    assert 2 * len(english) == len(ROWS)
