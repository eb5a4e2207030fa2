"""When two texts are one answer: equal but for noise. Pure.

Case, width, script, spaces, punctuation, the spelling of a number, articles and interjections are noise.
Numbers, negation, symbols (🍎, ♥), marks on letters, the day and the question mark are not: 不吃辣 and 吃辣,
50万 and 60万, $50 and €50, "It works." and "It works?" are two. Nor are two days' words one where they speak
of a time: 今天跑了5公里 is said anew each day. Reading the numbers is dear, so that texts are first told
apart by what no spelling of a number changes, their shape; most differ in that.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, TypeVar

from shared.language.numbers import NUMBER_SIGNS, NUMBER_WORDS, NumberSpan, find_numbers
from shared.language.scripts import HAN, fold

T = TypeVar("T")

_PLAIN_CURRENCY: Final = "CNY"
_KEPT: Final = 8_192
_KEYS: Final[dict[tuple[int, int], int]] = {}
_SHAPES: Final[dict[tuple[int, int], int]] = {}
"""By length and hash of the text: hits come back turn after turn. No text is kept."""
_LONGEST_READ: Final = 4_000
"""Of more characters only the very same text is one answer: a document is not said again in other marks."""
_TOKEN: Final = re.compile(
    rf"[{HAN}]|[^\W{HAN}_]+(?:'[^\W{HAN}_]+)*|[%‰$€£¥°+=<>~≥≤#@?]|-(?=\s?\d)"
    r"|[^\w\s\x00-\xbf\u2000-\u206f\u3000-\u303f\ufe00-\ufe0f\uff00-\uffef]"
)
"""Last what is no letter and no punctuation: pictures, and the marks of scripts that write vowels so."""
_NOISE: Final = frozenset("嗯 啊 呢 吧 哦 呀 哈 嘛 啦 the um uh oh well please".split())  # noqa: SIM905 (a table of words)
_ARTICLES: Final = frozenset({"a", "an"})
_STEADY: Final = re.compile(rf"[{HAN}]+|[a-z]{{4,}}")
_UNSTEADY: Final = dict.fromkeys(
    map(ord, NUMBER_SIGNS.union(*(word for word in _NOISE if not word.isascii()))), " "
)
_UNSTEADY_WORDS: Final = NUMBER_WORDS | _NOISE


@dataclass(slots=True)
class Told:
    """The texts of the answers so far."""

    _by_shape: dict[int, list[tuple[str, int]]] = field(default_factory=dict)

    def again(self, text: str, *, day: int) -> bool:
        """Take a text, and return whether one before it said the same; `day` as in `near_key`."""
        alike = self._by_shape.setdefault(near_shape(text), [])
        alike.append((text, day))
        if len(alike) == 1:
            return False
        *earlier, own = (near_key(each, day=on) for each, on in alike)
        return own in earlier


def near_shape(text: str) -> int:
    """Return a number that texts of one `near_key` share: of their words that no number is written with."""
    return remembered(_SHAPES, text, find=_shape)


def near_key(text: str, *, day: int = 0) -> int:
    """Return a number that texts share which differ in noise alone.

    `day` is the day on which a text was said that speaks of a time, 0 for one that does not.
    """
    key = remembered(_KEYS, text, find=_key)
    return hash((key, day)) if day else key


def remembered(known: dict[tuple[int, int], T], text: str, *, find: Callable[[str], T]) -> T:
    """Return what `find` finds in a text, kept by the text's length and hash, so that no text is."""
    name = (len(text), hash(text))
    found = known.get(name)
    if found is None:
        if len(known) >= _KEPT:
            known.clear()
        found = known[name] = find(text)
    return found


def _shape(text: str) -> int:
    if len(text) > _LONGEST_READ:
        return hash(text)
    words = _STEADY.findall(fold(text).translate(_UNSTEADY))
    return hash("".join([word for word in words if word not in _UNSTEADY_WORDS]))


def _key(text: str) -> int:
    return hash(text if len(text) > _LONGEST_READ else tuple(near_words(text)) or text)


def near_words(text: str) -> list[str]:
    """Return the words of a text by which it is told from others, in order."""
    pieces, place = [], 0
    for number in find_numbers(text):
        pieces += [text[place : number.start], f" {number.canonical}{_foreign(number)} "]
        place = number.numeral_end
    words = _TOKEN.findall(fold("".join([*pieces, text[place:]])))
    following = [*words, ""][1:]
    return [
        word
        for word, after in zip(words, following, strict=True)
        if word not in _NOISE and not (word in _ARTICLES and after.isalnum() and after.isascii())
    ]


def _foreign(number: NumberSpan) -> str:
    """Return the currency of an amount; 50万 is 50万元 to whoever says it, and not 50万美元."""
    return number.unit if number.is_money and number.unit and number.unit != _PLAIN_CURRENCY else ""
