"""Words stand in a text whole and undenied; a sentence tells the same thing, or another in like words."""

from __future__ import annotations

import pytest

from shared.language.same_thing import is_same_thing, stands_in


@pytest.mark.parametrize(
    ("words", "text", "expected"),
    [
        ("张三欠我500", "张三欠我5000", False),
        ("tom owes me 500", "tom owes me 5000", False),
        ("张三欠我500", "对，张三欠我500元", True),
        ("tom owes me 500", "yes, tom owes me 500.", True),
        ("吃牛肉", "我不吃牛肉", False),
        ("吃牛肉", "不吃牛肉，是爱吃牛肉", True),
        ("work", "the workshop", False),
        ("work", "workshop at work", True),
        ("", "any", False),
    ],
)
def test_words_stand_whole_in_a_text(words: str, text: str, *, expected: bool) -> None:
    assert stands_in(words, text) is expected


@pytest.mark.parametrize(
    ("stated", "said", "expected"),
    [
        ("我对芒果过敏", "我对花生过敏", False),
        ("I am allergic to mango", "I am allergic to peanuts", False),
        ("我对芒果过敏", "不对，我对芒果过敏", True),
        ("I am allergic to mango", "No, I am allergic to mango", True),
        ("会议在周二的下午" + "很" * 200, "会议在周三的下午" + "很" * 200, False),
        ("we meet on Tuesday " + "so " * 200, "we meet on Friday " + "so " * 200, False),
    ],
)
def test_a_sentence_tells_the_same_thing_or_another(stated: str, said: str, *, expected: bool) -> None:
    assert is_same_thing(stated, said) is expected
