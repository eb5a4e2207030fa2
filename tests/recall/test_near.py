"""When two texts are one answer."""

from __future__ import annotations

import pytest

from shared.language.numbers import find_numbers
from shared.recall.near import Told, near_key, near_shape
from tests.language.tables import read_table as read_numbers
from tests.recall.tables import read_table

TEXTS = read_table("near_texts.tsv")
NUMBERS = [text for text, expected in read_numbers("numbers.tsv") if expected != "-"]


@pytest.mark.parametrize(("one", "other", "verdict"), TEXTS)
def test_noise_makes_no_second_answer_and_a_difference_does(one: str, other: str, verdict: str) -> None:
    assert (near_key(one) == near_key(other)) == (verdict == "same")
    told = Told()
    assert not told.again(one, day=0)
    assert told.again(other, day=0) == (verdict == "same")


@pytest.mark.parametrize("text", NUMBERS)
def test_no_spelling_of_a_number_makes_another_shape(text: str) -> None:
    pieces, place = [], 0
    for number in find_numbers(text):
        pieces += [text[place : number.start], f" {number.canonical} "]
        place = number.numeral_end
    assert near_shape(text) == near_shape("".join([*pieces, text[place:]]))


def test_words_about_a_day_are_said_anew_on_another_day() -> None:
    assert near_key("今天跑了5公里", day=738_000) != near_key("今天跑了5公里", day=738_001)
    assert near_key("Ran 5 km today", day=738_000) == near_key("ran 5 km today.", day=738_000)


def test_a_text_that_is_noise_alone_is_still_itself() -> None:
    assert near_key("嗯") != near_key("哦")
    assert near_key("um") == near_key("um")
    assert near_key("…") != near_key("!!") != near_key("")
