"""What a correction makes of a remembered sentence: one value is another one, and nothing else."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shared.extraction.corrected import corrected_text
from shared.extraction.corrections import read_correction
from shared.extraction.value_shapes import find_shaped
from tests.extraction.tables import read_table

ROWS = read_table("value_swaps.tsv")


def corrected(kept: str, said: str) -> str | None:
    correction = read_correction(said)
    return None if correction is None else corrected_text(correction, kept)


@pytest.mark.parametrize(("kept", "said", "want"), ROWS, ids=[f"{kept} | {said}" for kept, said, _ in ROWS])
def test_one_whole_value_gives_way_and_the_rest_of_the_sentence_stays(
    kept: str, said: str, want: str
) -> None:
    assert corrected(kept, said) == (None if want == "-" else want)


def test_both_languages_have_as_many_rows_and_a_quarter_must_stay_silent() -> None:
    english = [kept for kept, _, _ in ROWS if kept.isascii()]
    assert abs(2 * len(english) - len(ROWS)) <= 4
    assert len([want for _, _, want in ROWS if want == "-"]) >= len(ROWS) / 4


def numbers(low: int, high: int) -> st.SearchStrategy[int]:
    return st.integers(min_value=low, max_value=high)


VALUES = {
    "time": st.builds("{}:{:02d}".format, numbers(1, 23), numbers(0, 59)),
    "ratio": st.builds("{}:{}".format, numbers(1, 9), numbers(1, 9)),
    "version": st.builds("{}.{}.{}".format, numbers(0, 20), numbers(0, 20), numbers(0, 20)),
    "date": st.builds("20{}-{:02d}-{:02d}".format, numbers(10, 40), numbers(1, 12), numbers(1, 28)),
    "amount": st.builds("{} euros".format, numbers(100, 999)),
    "code": st.builds("PROJ-{}".format, numbers(1, 999)),
}
FRAMES = (
    ("the office note says {} for the garden", "no, it's {}"),
    ("{} is what my office note says", "sorry, I meant {}"),
    ("my office note has {}", "no, {}"),
    ("我的便签写着{}就这样", "不对，是{}"),
    ("{}写在我的便签上", "说错了，应该是{}"),
    ("我的便签写着{}", "更正，{}"),
)


@st.composite
def swaps(draw: st.DrawFn) -> tuple[str, str, str, str]:
    shape = draw(st.sampled_from(sorted(VALUES)))
    old, new = draw(VALUES[shape]), draw(VALUES[shape])
    frame, lead = draw(st.sampled_from(FRAMES))
    return frame, old, lead, new


@given(swaps())
def test_of_a_sentence_with_one_value_a_correction_of_its_shape_changes_just_that(
    swap: tuple[str, str, str, str],
) -> None:
    frame, old, lead, new = swap
    assert corrected(frame.format(old), lead.format(new)) == frame.format(new)


@given(swaps(), swaps())
def test_no_value_of_a_proposal_is_mixed_of_two(
    kept: tuple[str, str, str, str], said: tuple[str, str, str, str]
) -> None:
    proposed = corrected(kept[0].format(kept[1]), said[2].format(said[3]))
    if proposed is not None:
        numeral = kept[1].partition(" ")[0]
        assert {value.quote for value in find_shaped(proposed)} <= {kept[1], numeral, said[3]}


@given(st.text(alphabet="0123456789:.-/ 年月日点半万元kmvA是在,", max_size=40))
def test_values_never_overlap_and_every_digit_lies_in_one(text: str) -> None:
    found = find_shaped(text)
    assert all(one.end <= other.start for one, other in pairwise(found))
    assert all(value.start <= value.core_start < value.core_end <= value.end for value in found)
    covered = {place for value in found for place in range(value.start, value.end)}
    assert all(place in covered for place, character in enumerate(text) if character in "0123456789")
