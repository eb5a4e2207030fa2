"""Slots that hold one value: the newer statement takes the older one's place, and no other's."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared.ltm.slots import contradicts, slot_of

PAIRS = [
    line.split("\t")
    for line in (Path(__file__).parent / "same_slots.tsv").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
]


@pytest.mark.parametrize(("one", "other", "verdict"), PAIRS)
def test_a_statement_takes_the_place_of_one_on_the_same_slot_alone(
    one: str, other: str, verdict: str
) -> None:
    first, second = slot_of(one), slot_of(other)
    is_one_slot = first is not None and second is not None and first[0] == second[0]
    assert is_one_slot == (verdict == "same")
    if is_one_slot and first and second:
        assert first[1] != second[1]
    for old, new in ((one, other), (other, one)):
        assert contradicts(old, new, is_change=False) == (verdict == "same")


@pytest.mark.parametrize(
    ("one", "other"),
    [("我的狗叫旺财", "我的狗的名字是旺财"), ("My dog is named Rex", "My dog's name is Rex")],
)
def test_one_name_given_in_two_ways_is_one_value(one: str, other: str) -> None:
    assert slot_of(one) == slot_of(other) is not None
