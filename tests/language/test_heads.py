"""Matches found from known first words are those that a search of the whole text finds."""

import re

import pytest

from shared.language.heads import find_from_heads, places_of

_KEY = re.compile(r"(?<![a-z])(?:ab-|ba-)[a-z]{2,4}")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ab-cd",
        "xab-cd ab-cd",
        "ab-ab-ab ba-ab-",
        "ab-c ba-x",
        "钥匙ab-cd，ba-xyzw.ab-q ab-qq",
        "ab-abab-ab",
    ],
)
def test_finds_what_the_pattern_finds(text: str) -> None:
    found = [match.span() for match in find_from_heads(_KEY, text, heads=("ba-", "ab-"))]

    assert found == [match.span() for match in _KEY.finditer(text)]


def test_looks_for_heads_in_another_form_of_the_text() -> None:
    pattern = re.compile("key=\\w+", re.IGNORECASE)
    text = "KEY=Abc, key=d"

    found = [match[0] for match in find_from_heads(pattern, text, heads=("key",), looked_in=text.lower())]

    assert found == ["KEY=Abc", "key=d"]


def test_gives_places_in_order_and_once() -> None:
    assert places_of(("aa", "aab", "b"), "aaab") == [0, 1, 3]
