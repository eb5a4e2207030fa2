"""When two texts are one answer."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


SPELLINGS = [
    ("50", "五十", "５０", "伍拾", "50.00", "Fifty"),
    ("500,000", "50万", "五十萬", "half a million", "0.5 million", "500k", "five hundred thousand"),
    ("$50", "US$50", "fifty dollars", "50美元", "USD 50", "50 Bucks"),
    ("¥50 天", "50元天", "RMB 50天", "￥50天"),
    ("7.42元", "七元四角二分", "7块4毛2"),
    ("6%", "百分之六", "６％", "six percent"),
    ("-5", "负五", "minus five", "零下5"),
    ("3个月", "三個月", "３个月"),
    ("121", "one hundred and twenty-one", "一百二十一"),
    ("发展", "發展"),
    ("ABC", "ＡＢＣ", "abc"),
    ("ran", "Ran", "嗯ran", "um, ran"),
    ("🍎",),
    ("don't",),
    ("percentages",),
    ("人民",),
    ("two-thirds",),
    ("不",),
]
BETWEEN = st.sampled_from([" ", "", ", ", "，", " please "])


@given(
    said=st.lists(st.sampled_from(SPELLINGS), min_size=1, max_size=5),
    chosen=st.data(),
)
def test_texts_of_one_key_have_one_shape(said: list[tuple[str, ...]], chosen: st.DataObject) -> None:
    one, other = (
        "".join(chosen.draw(st.sampled_from(words)) + chosen.draw(BETWEEN) for words in said) for _ in "12"
    )
    assert near_shape(one) == near_shape(other) or near_key(one) != near_key(other)


def test_words_about_a_day_are_said_anew_on_another_day() -> None:
    assert near_key("今天跑了5公里", day=738_000) != near_key("今天跑了5公里", day=738_001)
    assert near_key("Ran 5 km today", day=738_000) == near_key("ran 5 km today.", day=738_000)


def test_a_text_that_is_noise_alone_is_still_itself() -> None:
    assert near_key("嗯") != near_key("哦")
    assert near_key("um") == near_key("um")
    assert near_key("…") != near_key("!!") != near_key("")
