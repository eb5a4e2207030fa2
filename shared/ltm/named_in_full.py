"""Whether words name a thing in full, or were cut short and only begin like it: 冰 and 冰球. Pure.

A small word at the end of a request (吧, 都, now) may belong to the name. What is found by a name that was
cut, and tells more than it, is asked about.
"""

from __future__ import annotations

import re
from typing import Final

from shared.language.question_words import STOP_WORDS
from shared.language.scripts import HAN, fold
from shared.language.terms import stem

_CUT: Final = re.compile(r"[都吧了的掉啊哦呀啦]++|(?:\s+(?:now|too|ok))++\b", re.IGNORECASE)
"""What requests end in, as names do: 冰吧, 江都, Band Now."""
_SMALL_HAN: Final = re.compile(
    r"我们|咱们?|[我的地得了着过吧呢啊呀吗是在有对都也就还又很太把被给让向跟和与会要能那这个条只些家里]"
)
"""Words that join or colour what is told, and tell nothing by themselves."""
_HAN: Final = re.compile(f"[{HAN}]")
_WORD: Final = re.compile(rf"[^\W{HAN}_]+")
_POSSESSIVE: Final = re.compile(r"(?:n['’]t|['’](?:s|t|re|ve|ll|d|m))(?!\w)")


def uncut_names(target: str, quote: str) -> list[str]:
    """Return the names that a target may have been cut from, as the quote has them, the longest first."""
    start = quote.rfind(target) if target else -1
    match = _CUT.match(quote, start + len(target)) if start >= 0 else None
    if match is None:
        return []
    names, tail = [], match[0]
    while tail.strip():
        names.append(target + tail)
        tail = tail.rpartition(" ")[0] if tail.isascii() else tail[:-1]
    return names


def holds_words(folded: str, words: str) -> bool:
    """Whether a folded text holds words as they are; a Latin one only as a whole: Bath is not in Bathgate."""
    place = folded.find(words)
    while place >= 0:
        end = place + len(words)
        if not (_joins(folded[:place][-1:], words[0]) or _joins(words[-1], folded[end : end + 1])):
            return True
        place = folded.find(words, place + 1)
    return False


def cuts_a_word(text: str, target: str) -> bool:
    """Whether a target leaves just one Han character of a text's clause behind it: 跑 of 跑步."""
    pattern = rf"{re.escape(fold(target))}([{HAN}])(?![{HAN}])"
    match = re.search(pattern, fold(text)) if _HAN.search(target[-1:]) else None
    return match is not None and _SMALL_HAN.fullmatch(match[1]) is None


def tells_more_than(text: str, target: str) -> bool:
    """Whether a text tells anything beside the words of a target, small words left out."""
    told, named = _POSSESSIVE.sub("", fold(text)), _POSSESSIVE.sub("", fold(target)).strip()
    words = {stem(word) for word in _WORD.findall(named)}
    if any(stem(word) not in words and word not in STOP_WORDS for word in _WORD.findall(told)):
        return True
    left = _SMALL_HAN.sub("", told.replace(named, " ", 1))
    return any(named in told or char not in named for char in _HAN.findall(left))


def _joins(before: str, after: str) -> bool:
    """Whether two characters are of one Latin word."""
    return before.isascii() and after.isascii() and before.isalnum() and after.isalnum()
