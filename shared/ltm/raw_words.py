"""Words looked for in raw text: a cheap first look, so that most messages are never folded at all.

The words are simplified and lower-case; traditional spellings, capitals and full-width forms are found too.
Latin words are looked up among the text's words; Han words are compared only where one of their first
characters stands before one of their second ones.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import product
from typing import Final

from shared.language.script_table import SIMPLIFIED, TRADITIONAL

_SEPARATE: Final = str.maketrans({code: " " for code in range(128) if not chr(code).isalnum()})
_FULL_WIDTH: Final = "０-９Ａ-Ｚａ-ｚ"
_MAX_SPELLED_CHARS: Final = 6
_OLDER: Final[dict[str, str]] = {}
for _old, _new in zip(TRADITIONAL, SIMPLIFIED, strict=True):
    _OLDER[_new] = _OLDER.get(_new, "") + _old


class RawWords:
    """A set of words of which a text may hold some."""

    def __init__(self, words: Iterable[str]) -> None:
        wanted = {word for word in words if word}
        latin = [tuple(_words_of(word)) for word in wanted if word.isascii()]
        self._single = frozenset(word for phrase in latin for word in phrase if len(phrase) == 1)
        several = (frozenset(phrase) for phrase in latin if len(phrase) > 1)
        self._several = tuple(phrase for phrase in several if self._single.isdisjoint(phrase))
        self._latin = _latin_pattern(sorted(word for word in wanted if word.isascii()))
        self._spelled = _by_first_character(word for word in wanted if not word.isascii())
        self._opening = _opening_pattern(self._spelled)

    def occur_in(self, text: str) -> bool:
        """True where the raw text may hold one of the words; False is certain."""
        if not text.isascii() and any(True for _ in self._han_places(text)):
            return True
        words = set(_words_of(text))
        return not self._single.isdisjoint(words) or any(phrase <= words for phrase in self._several)

    def places_in(self, folded: str) -> list[int]:
        """Where words begin in a folded text, in order."""
        latin = (match.start() for match in self._latin.finditer(folded))
        return sorted([*self._han_places(folded), *latin])

    def _han_places(self, text: str) -> Iterator[int]:
        """Where Han words begin, and where full-width letters stand, which only folding can read."""
        for match in self._opening.finditer(text):
            spelled = self._spelled.get(match[0])
            if spelled is None or text.startswith(spelled, match.start()):
                yield match.start()


def _words_of(text: str) -> list[str]:
    """The Latin words of a raw text, lower-case; what is no letter or digit separates."""
    return text.encode("ascii", "replace").decode("ascii").lower().translate(_SEPARATE).split()


def _latin_pattern(words: list[str]) -> re.Pattern[str]:
    phrases = filter(None, (r"[^a-z0-9]+".join(_words_of(word)) for word in words))
    either = "|".join(phrases)
    return re.compile(f"(?<![a-z0-9])(?:{either})(?![a-z0-9])" if either else "(?!)")


def _by_first_character(words: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """All spellings of the words (of their first six characters) by their first character."""
    found: dict[str, set[str]] = {}
    for word in words:
        for spelling in product(*(_forms(ch) for ch in word[:_MAX_SPELLED_CHARS])):
            found.setdefault(spelling[0], set()).add("".join(spelling))
    return {first: tuple(sorted(spellings)) for first, spellings in found.items()}


def _opening_pattern(spelled: dict[str, tuple[str, ...]]) -> re.Pattern[str]:
    first = "".join(map(re.escape, sorted(spelled)))
    spellings = [spelling for group in spelled.values() for spelling in group]
    if any(len(spelling) == 1 for spelling in spellings):
        return re.compile(f"[{first}{_FULL_WIDTH}]")
    second = "".join(map(re.escape, sorted({spelling[1] for spelling in spellings})))
    return re.compile(f"[{first}{_FULL_WIDTH}](?=[{second}{_FULL_WIDTH}])")


def _forms(ch: str) -> str:
    return ch + (ch.upper() if ch != ch.upper() else "") + _OLDER.get(ch, "")
