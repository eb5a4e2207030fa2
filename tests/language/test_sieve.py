"""A sieve never holds back what its reader would find, and holds back the rest."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shared.language import date_rules_en, date_rules_zh
from shared.language.numbers import NUMBER
from shared.language.sieve import Sieve, loosen
from shared.stm.fact_cues import CUES

READ = [
    NUMBER,
    *(cue.pattern.pattern for cue in CUES),
    *(pattern.pattern for pattern, _ in (*date_rules_zh.RULES, *date_rules_en.RULES)),
    r"(?i:OK)\b|(?<!\d)x{2,9}(?!\d)|[^\W_]+@|[^a-c]z|(?P<a>['\"]).*?(?P=a)|q++|\s+!",
]
AROUND = st.text("预算不要别忘了 it's never 五十万 3.5k，。\n-2026年3月 next Friday", max_size=12)


SIEVES = [Sieve([pattern]) for pattern in READ]


@settings(max_examples=300)
@given(data=st.data())
def test_what_a_pattern_finds_passes_its_sieve(data: st.DataObject) -> None:
    number = data.draw(st.integers(0, len(READ) - 1))
    text = data.draw(AROUND) + data.draw(st.from_regex(READ[number])) + data.draw(AROUND)
    if re.search(READ[number], text):
        assert SIEVES[number].may_hold(text)


@pytest.mark.parametrize(
    ("pattern", "passes", "is_held_back"),
    [
        ("(?<!要)不要(?!紧)", "我不要香菜", "我很要紧"),
        (r"\bmust\b(?! have)", "you must have it", "you may have it"),
        (r"(?P<n>\d{1,20})\s?元", "共 120 元", "共一些元"),
        (r"a(?:b|c){2,3}?d", "xabcd", "xad"),
        ("[年月][^日]", "月底", "日底"),
    ],
)
def test_a_sieve_holds_back_what_cannot_match(pattern: str, passes: str, is_held_back: str) -> None:
    sieve = Sieve([pattern])
    assert sieve.may_hold(passes)
    assert not sieve.may_hold(is_held_back)


def test_case_is_told_apart_unless_it_is_to_be_ignored() -> None:
    assert not Sieve(["note"]).may_hold("NOTE that")
    assert Sieve(["note"], ignore_case=True).may_hold("NOTE that")


def test_a_sieve_of_nothing_holds_everything_back() -> None:
    assert not Sieve([]).may_hold("anything")


def test_lone_surrogates_are_no_error() -> None:
    assert Sieve(["a"]).may_hold("\ud800a")


@pytest.mark.parametrize("pattern", ["a*", "(?=x)", "^"])
def test_a_sieve_that_would_let_all_pass_is_refused(pattern: str) -> None:
    with pytest.raises(ValueError, match="lets every text through"):
        Sieve([pattern])


def test_a_condition_makes_no_sieve() -> None:
    with pytest.raises(ValueError, match="No sieve"):
        loosen("(a)?(?(1)b|c)")
