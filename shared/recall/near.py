"""When two texts are one answer: equal but for noise. Pure.

Case, width, script, spaces, punctuation, the spelling of a number, articles and interjections are noise.
Numbers, negation, symbols (🍎, ♥), marks on letters, the day and the question mark are not: 不吃辣 and 吃辣,
50万 and 60万, "It works." and "It works?" are two. Nor are two days' words one where they speak of a time:
今天跑了5公里 is said anew each day.
"""

from __future__ import annotations

import re
from typing import Final

from shared.language.numbers import find_numbers
from shared.language.scripts import HAN, fold

_KEPT: Final = 8_192
_KEYS: Final[dict[tuple[int, int], int]] = {}
"""Keys by length and hash of the text: hits come back turn after turn. No text is kept."""
_TOKEN: Final = re.compile(
    rf"[{HAN}]|[^\W{HAN}_]+(?:'[^\W{HAN}_]+)*|[%‰$€£¥°+=<>~≥≤#@?]|-(?=\s?\d)"
    r"|[^\w\s\x00-\xbf\u2000-\u206f\u3000-\u303f\ufe00-\ufe0f\uff00-\uffef]"
)
"""Last what is no letter and no punctuation: pictures, and the marks of scripts that write vowels so."""
_NOISE: Final = frozenset("嗯 啊 呢 吧 哦 呀 哈 嘛 啦 the um uh oh well please".split())  # noqa: SIM905
_ARTICLES: Final = frozenset({"a", "an"})


def near_key(text: str, *, day: int = 0) -> int:
    """Return a number that texts share which differ in noise alone.

    `day` is the day on which a text was said that speaks of a time, 0 for one that does not.
    """
    name = (len(text), hash(text))
    known = _KEYS.get(name)
    if known is None:
        if len(_KEYS) >= _KEPT:
            _KEYS.clear()
        known = _KEYS[name] = hash(tuple(near_words(text)) or text)
    return hash((known, day)) if day else known


def near_words(text: str) -> list[str]:
    """Return the words of a text by which it is told from others, in order."""
    pieces, place = [], 0
    for number in find_numbers(text):
        pieces += [text[place : number.start], f" {number.canonical} "]
        place = number.numeral_end
    words = _TOKEN.findall(fold("".join([*pieces, text[place:]])))
    following = [*words, ""][1:]
    return [
        word
        for word, after in zip(words, following, strict=True)
        if word not in _NOISE and not (word in _ARTICLES and after.isalnum() and after.isascii())
    ]
