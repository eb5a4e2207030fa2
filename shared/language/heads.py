"""Matches of a pattern that always begins with one of a few known words, found by looking for the words.

A text is mostly none of it, and `str.find` passes over that many times as fast as a pattern that is tried at
each character. Invariant: with the right words, these are the matches of `pattern.finditer`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator


def find_from_heads(
    pattern: re.Pattern[str], text: str, *, heads: Iterable[str], looked_in: str | None = None
) -> Iterator[re.Match[str]]:
    """Give the matches that begin where a head stands, in order, none overlapping the one before.

    `looked_in` is where heads are looked for, place by place the text in another form (lower case).
    """
    end = 0
    for place in places_of(heads, text if looked_in is None else looked_in):
        match = pattern.match(text, place) if place >= end else None
        if match is not None:
            end = match.end()
            yield match


def places_of(words: Iterable[str], text: str) -> list[int]:
    """Return where any of the words stands in the text, in order, each place once."""
    found = [word for word in words if word in text]
    return sorted({place for word in found for place in _each_place(word, text)}) if found else []


def _each_place(word: str, text: str) -> Iterator[int]:
    place = text.find(word)
    while place >= 0:
        yield place
        place = text.find(word, place + 1)
