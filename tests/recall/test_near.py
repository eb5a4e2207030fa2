"""When two texts are one answer."""

from __future__ import annotations

import pytest

from shared.recall.near import near_key
from tests.recall.tables import read_table

TEXTS = read_table("near_texts.tsv")


@pytest.mark.parametrize(("one", "other", "verdict"), TEXTS)
def test_noise_makes_no_second_answer_and_a_difference_does(one: str, other: str, verdict: str) -> None:
    assert (near_key(one) == near_key(other)) == (verdict == "same")


def test_words_about_a_day_are_said_anew_on_another_day() -> None:
    assert near_key("今天跑了5公里", day=738_000) != near_key("今天跑了5公里", day=738_001)
    assert near_key("Ran 5 km today", day=738_000) == near_key("ran 5 km today.", day=738_000)


def test_a_text_that_is_noise_alone_is_still_itself() -> None:
    assert near_key("嗯") != near_key("哦")
    assert near_key("um") == near_key("um")
    assert near_key("…") != near_key("!!") != near_key("")
