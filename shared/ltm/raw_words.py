"""Words looked for in raw text: a cheap first look, so that most messages are never folded at all.

The words are simplified and lower-case; traditional spellings, capitals and full-width forms are found too.
Where in a folded text they stand is found by their first characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final

from shared.language.script_table import SIMPLIFIED, TRADITIONAL
from shared.language.sieve import Sieve

_SEPARATE: Final = str.maketrans({code: " " for code in range(128) if not chr(code).isalnum()})
_FULL_WIDTH: Final = "０-９Ａ-Ｚａ-ｚ"
_FULL_WIDTH_FORMS: Final = frozenset(
    map(chr, (*range(0xFF10, 0xFF1A), *range(0xFF21, 0xFF3B), *range(0xFF41, 0xFF5B)))
)
_LATIN_WORD: Final = re.compile("[a-z0-9]+")
_BEGINNING_CHARS: Final = 3
_MAX_SPELLED_CHARS: Final = 6
_OLDER: Final[dict[str, str]] = {}
for _old, _new in zip(TRADITIONAL, SIMPLIFIED, strict=True):
    _OLDER[_new] = _OLDER.get(_new, "") + _old


class RawWords:
    """A set of words of which a text may hold some."""

    def __init__(self, words: Iterable[str]) -> None:
        wanted = {word for word in words if word}
        latin = sorted(word for word in wanted if word.isascii())
        self._latin = _latin_pattern(latin)
        self._first_words = frozenset(phrase[0] for word in latin if (phrase := _words_of(word.lower())))
        self._spelled = _by_beginning(word for word in wanted if not word.isascii())
        self._short = frozenset(beginning for beginning in self._spelled if len(beginning) < _BEGINNING_CHARS)
        self._opening = _opening_pattern(self._spelled)
        self._sieve = Sieve(spellings(wanted), ignore_case=True)

    def occur_in(self, text: str) -> bool:
        """True where the raw text may hold one of the words; False is certain."""
        return self._sieve.may_hold(f" {text} ")

    def places_in(self, folded: str) -> list[int]:
        """Where words begin in a folded text, in order."""
        latin = [
            match.start()
            for match in _LATIN_WORD.finditer(folded)
            if match[0] in self._first_words and self._latin.match(folded, match.start())
        ]
        return sorted([*self._han_places(folded), *latin])

    def _han_places(self, text: str) -> Iterator[int]:
        """Where Han words begin, and where full-width letters stand, which only folding can read."""
        spelled, short = self._spelled, self._short
        for match in self._opening.finditer(text):
            start = match.start()
            longer = spelled.get(text[start : start + _BEGINNING_CHARS])
            is_short = (
                text[start : start + 2] in short or text[start] in short or text[start] in _FULL_WIDTH_FORMS
            )
            if is_short or (longer is not None and text.startswith(longer, start)):
                yield start


def spellings(words: Iterable[str]) -> Iterator[str]:
    """Patterns, for a sieve that ignores case, of the words in raw text that a space surrounds.

    A full-width letter passes by itself: only folding can read it.
    """
    yield f"[{_FULL_WIDTH}]"
    for word in words:
        if word.isascii():
            yield f"[^a-z0-9]{'[^a-z0-9]+'.join(map(re.escape, _words_of(word.lower())))}[^a-z0-9]"
        else:
            yield "".join(f"[{re.escape(_forms(ch))}]" for ch in word)


def _words_of(lower: str) -> list[str]:
    """The words of a lower-case ASCII text; what is no letter or digit separates."""
    return lower.translate(_SEPARATE).split()


def _latin_pattern(words: list[str]) -> re.Pattern[str]:
    phrases = filter(None, (r"[^a-z0-9]+".join(_words_of(word.lower())) for word in words))
    either = "|".join(phrases)
    return re.compile(f"(?<![a-z0-9])(?:{either})(?![a-z0-9])" if either else "(?!)")


def _by_beginning(words: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """All spellings of the words (of their first six characters) by their first three characters."""
    found: dict[str, set[str]] = {}
    for word in words:
        for spelling in product(*(_forms(ch) for ch in word[:_MAX_SPELLED_CHARS])):
            found.setdefault("".join(spelling[:_BEGINNING_CHARS]), set()).add("".join(spelling))
    return {beginning: tuple(sorted(spellings)) for beginning, spellings in found.items()}


def _opening_pattern(beginnings: Iterable[str]) -> re.Pattern[str]:
    """One of the first characters, before one of the second ones where every word has two."""
    first = "".join(sorted({re.escape(each[0]) for each in beginnings}))
    second = "".join(sorted({re.escape(each[1:2]) for each in beginnings}))
    if any(len(each) == 1 for each in beginnings):
        return re.compile(f"([{first}{_FULL_WIDTH}])(?=(.?.?))", re.DOTALL)
    return re.compile(f"([{first}{_FULL_WIDTH}])(?=([{second}{_FULL_WIDTH}].?))", re.DOTALL)


def _forms(ch: str) -> str:
    return ch + (ch.upper() if ch != ch.upper() else "") + _OLDER.get(ch, "")
