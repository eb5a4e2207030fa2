"""The table of corrections: what a message right after puts in place of what was kept, and what it leaves."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest

from shared.extraction.assignments import Reader
from shared.extraction.corrected import corrected_text, corrected_value
from shared.extraction.corrections import read_correction
from shared.ltm.schema import DEFAULT_SCHEMA
from tests.extraction.tables import full_path, read_table, shown

READER = Reader(DEFAULT_SCHEMA, date(2024, 3, 1))
ROWS = read_table("corrections.tsv")


def corrected(kept: str, said: str) -> Any | None:
    correction = read_correction(said)
    if correction is None:
        return None
    name, is_field, value = kept.partition("=")
    if not is_field:
        return corrected_text(correction, kept)
    path = DEFAULT_SCHEMA.find(full_path(name))
    is_json = path.is_list or path.type == "number"
    standing = json.loads(value) if is_json else value
    return corrected_value(correction, path, standing=standing, reader=READER)


@pytest.mark.parametrize(("kept", "said", "want"), ROWS, ids=[f"{kept} | {said}" for kept, said, _ in ROWS])
def test_a_correction_puts_just_this_in_place_of_what_was_kept(kept: str, said: str, want: str) -> None:
    found = corrected(kept, said)
    assert (None if found is None else shown(found)) == (None if want == "-" else want)


def test_a_third_of_the_table_must_stay_silent_and_both_languages_have_as_many_rows() -> None:
    silent = [said for _, said, want in ROWS if want == "-"]
    english = [said for _, said, _ in ROWS if said.isascii() and not said.startswith("600")]
    assert len(silent) >= len(ROWS) / 3
    assert abs(2 * len(english) - len(ROWS)) <= 4


@pytest.mark.parametrize(
    ("said", "want"),
    [
        ("不对，我的密码是Zx81#kq", "我的密码是***"),
        ("no, my password is Zx81#kq", "my password is ***"),
    ],
)
def test_secrets_are_masked_in_what_a_correction_puts_in_place(said: str, want: str) -> None:
    correction = read_correction(said)
    assert correction is not None
    masked = correction.masked(lambda text: text.replace("Zx81#kq", "***"))
    assert masked.whole == want
