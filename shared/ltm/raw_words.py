"""Words looked for in raw text: a cheap first look, so that most messages are never folded at all.

The words are simplified and lower-case; traditional spellings, capitals and full-width forms are found too.
Latin words are looked up among the text's words; Han words are one pattern that begins with a set of first
characters and looks further only where one of them stands before one of the second characters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from shared.language.script_table import SIMPLIFIED, TRADITIONAL

_END: Final = ""
_SEPARATE: Final = str.maketrans({code: " " for code in range(128) if not chr(code).isalnum()})
_FULL_WIDTH: Final = "０-９Ａ-Ｚａ-ｚ"
_OLDER: Final[dict[str, str]] = {}
for _old, _new in zip(TRADITIONAL, SIMPLIFIED, strict=True):
    _OLDER[_new] = _OLDER.get(_new, "") + _old

_Tree = dict[str, "_Tree"]


class RawWords:
    """A set of words of which a text may hold some."""

    def __init__(self, words: Iterable[str]) -> None:
        wanted = {word for word in words if word}
        latin = [tuple(_words_of(word)) for word in wanted if word.isascii()]
        self._single = frozenset(word for phrase in latin for word in phrase if len(phrase) == 1)
        several = (frozenset(phrase) for phrase in latin if len(phrase) > 1)
        self._several = tuple(phrase for phrase in several if self._single.isdisjoint(phrase))
        self._han = _han_pattern(sorted(word for word in wanted if not word.isascii()))
        self._latin = _latin_pattern(sorted(word for word in wanted if word.isascii()))

    def occur_in(self, text: str) -> bool:
        """True where the raw text may hold one of the words; False is certain."""
        if not text.isascii() and self._han.search(text) is not None:
            return True
        words = set(_words_of(text))
        return not self._single.isdisjoint(words) or any(phrase <= words for phrase in self._several)

    def places_in(self, folded: str) -> list[int]:
        """Where words begin in a folded text, in order."""
        places = [match.start() for match in self._han.finditer(folded)]
        places += [match.start() for match in self._latin.finditer(folded)]
        return sorted(places)


def _words_of(text: str) -> list[str]:
    """The Latin words of a raw text, lower-case; what is no letter or digit separates."""
    return text.encode("ascii", "replace").decode("ascii").lower().translate(_SEPARATE).split()


def _latin_pattern(words: list[str]) -> re.Pattern[str]:
    phrases = [r"[^a-z0-9]+".join(_words_of(word)) for word in words]
    return re.compile(
        f"(?<![a-z0-9])(?:{'|'.join(filter(None, phrases))})(?![a-z0-9])" if any(phrases) else "(?!)"
    )


def _han_pattern(words: list[str]) -> re.Pattern[str]:
    tree: _Tree = {}
    for word in words:
        node = tree
        for ch in word:
            node = node.setdefault(ch, {})
        node[_END] = {}
    first = "".join(map(_forms, tree))
    second = "".join(_forms(ch) for node in tree.values() for ch in node if ch != _END)
    branches = "|".join(f"(?<=[{_forms(ch)}]){_below(node)}" for ch, node in sorted(tree.items()))
    rare = f"(?<=[{_FULL_WIDTH}])"
    if not words:
        return re.compile(f"[{_FULL_WIDTH}]")
    return re.compile(f"[{first}{_FULL_WIDTH}](?:{rare}|(?=[{second}])(?:{branches}))")


def _below(node: _Tree) -> str:
    if _END in node or not node:
        return ""
    rest = [f"[{_forms(ch)}]{_below(below)}" for ch, below in sorted(node.items())]
    return rest[0] if len(rest) == 1 else f"(?:{'|'.join(rest)})"


def _forms(ch: str) -> str:
    return re.escape(ch) + re.escape(ch.upper()) * (ch != ch.upper()) + _OLDER.get(ch, "")
