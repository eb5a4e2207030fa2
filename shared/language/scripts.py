"""Scripts: one written form for comparison, and which of the two languages a text is in.

`fold` is what every comparison of text goes through (terms, normal forms, tombstones): NFKC, case folded,
traditional characters turned into simplified ones, invisible characters dropped. 預算 = 预算, ＡＢＣ = abc.
`fold_aligned` does as much of it as keeps every character at its place, so that spans found in the folded
text are spans of the text itself. Invariant: both are idempotent; neither ever raises.
"""

import re
import unicodedata
from functools import lru_cache
from typing import Final, Literal

from shared.language.script_table import SIMPLIFIED, TRADITIONAL

HAN: Final = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\u3007\U00020000-\U0003134f"
"""The inside of a character class of regular expressions that matches Han characters."""

HAN_SHARE: Final = 0.1
"""Share of Han among the letters from which a text counts as Chinese: 把 deadline 改成 Friday is Chinese."""

_SIMPLIFY: Final = str.maketrans(TRADITIONAL, SIMPLIFIED)
_TRADITIONAL: Final = re.compile(f"[{TRADITIONAL}]")
_INVISIBLE: Final = re.compile("[\u00ad\u200b-\u200d\u2060\ufe0e\ufe0f\ufeff]")
_HAN_CHARACTER: Final = re.compile(f"[{HAN}]")
_HAN_STRETCH: Final = re.compile(f"[{HAN}]+")
_LATIN_WORD: Final = re.compile(r"[^\W\d_]+")
_ONE_TO_ONE: Final = re.compile(
    "[\x00-\x7f\u2013\u2014\u2018-\u201d\u3000-\u3002\u3007-\u3011\u4e00-\u9fff\uff01-\uff5e]*"
)
_FOLD_ALIGNED: Final = (
    {code: chr(simple) for code, simple in _SIMPLIFY.items()}
    | {code: chr(code).lower() for code in range(ord("A"), ord("Z") + 1)}
    | {code: chr(code - 0xFEE0).lower() for code in range(0xFF01, 0xFF5F)}
    | {0x3000: " "}
)
"""What `fold` does to the characters of `_ONE_TO_ONE`, each of which it folds by itself."""

_FOLDED_AWAY: Final = re.compile(f"[{''.join(map(re.escape, map(chr, _FOLD_ALIGNED)))}]")
_FEW: Final = 30

_HAN_PER_WORD: Final = 1.5
_PLAIN_WORD: Final = re.compile(r"(?<![\w.@/:-])[A-Za-z][a-z']+(?![\w@/:-])")
_MOST_SAID: Final = 400
_HAN_TO_TURN: Final = 4
_WORDS_TO_TURN: Final = 3


def is_han(ch: str) -> bool:
    """True where the one character is a Han character (〇 included)."""
    return _HAN_CHARACTER.fullmatch(ch) is not None


def fold(text: str) -> str:
    """The form in which two texts are compared; its length may differ from the text's."""
    if text.isascii():
        return text.casefold()
    if _ONE_TO_ONE.fullmatch(text):
        return _fold_one_to_one(text)
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    folded = unicodedata.normalize("NFKC", folded.casefold())
    folded = _INVISIBLE.sub("", folded)
    if _TRADITIONAL.search(folded):  # a table is walked sign by sign: slow, and mostly for nothing
        folded = folded.translate(_SIMPLIFY)
    return unicodedata.normalize("NFKC", folded)


def fold_aligned(text: str) -> str:
    """The text folded character by character; what would change its length stays as it is.

    Returns:
        A text of the same length: position i of it stands for position i of the text.
    """
    if text.isascii():
        return text.lower()
    if _ONE_TO_ONE.fullmatch(text):
        return _fold_one_to_one(text)
    return "".join(map(_fold_character, text))


def _fold_one_to_one(text: str) -> str:
    found = set(_FOLDED_AWAY.findall(text))
    if len(found) > _FEW:
        return text.translate(_FOLD_ALIGNED)
    for ch in found:
        text = text.replace(ch, _FOLD_ALIGNED[ord(ch)])
    return text


def lower_ascii(text: str) -> str:
    """The text in lower case with ? for all that is not ASCII, place by place; quick, whatever the script."""
    return text.encode("ascii", "replace").decode("ascii").lower()


@lru_cache(maxsize=4096)
def _fold_character(ch: str) -> str:
    if ch.isascii():
        return ch.lower()
    folded = fold(ch)
    return folded if len(folded) == 1 else ch


def detect_language(text: str) -> Literal["zh", "en"]:
    """The language to answer in: zh where Han is a meaningful share of the letters, else en.

    A Han character weighs as much as two thirds of a Latin word, so that one Chinese name in an English
    sentence does not turn it, and an English term in a Chinese sentence does not either.
    """
    han = sum(map(len, _HAN_STRETCH.findall(text)))
    if not han:
        return "en"
    words = sum(1 for word in _LATIN_WORD.findall(_HAN_STRETCH.sub(" ", text)) if word.isascii())
    return "zh" if han / _HAN_PER_WORD >= HAN_SHARE * (han / _HAN_PER_WORD + words) * 2 else "en"


def follow_language(known: Literal["zh", "en"] | None, text: str) -> Literal["zh", "en"]:
    """The language of a conversation after a message: the message's own where it says enough to tell.

    A name, an order number, a pasted log or one foreign word turns nothing.
    """
    if known is None:
        return detect_language(text)
    if len(text) > _MOST_SAID:
        return known
    han = sum(map(len, _HAN_STRETCH.findall(text)))
    if known == "en":
        return "zh" if han >= _HAN_TO_TURN and detect_language(text) == "zh" else "en"
    return "en" if not han and len(_PLAIN_WORD.findall(text)) >= _WORDS_TO_TURN else "zh"
