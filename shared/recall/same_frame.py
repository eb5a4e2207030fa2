"""Two short statements that say the same but for one thing: 我的车停在B2 and 我的车停在B3了. Pure.

The frame is what both begin and end with; what stands between is the value, or a denial that only one of
them has ("I am allergic to nuts", "turns out I'm not allergic to nuts"). Of two such statements of one
speaker the newer is how things stand, whatever they are about: no table of things or verbs is needed.
"""

from __future__ import annotations

import re
from itertools import dropwhile
from typing import Final

from shared.language.question_words import STOP_WORDS
from shared.language.scripts import HAN, fold

LONGEST_BYTES: Final = 90
"""So that Chinese and English say about as much; longer texts tell stories."""

_LEAST_HAN: Final = 3
_LEAST_WORDS: Final = 2
_LEAST_SHARE: Final = 0.5
_TOKEN: Final = re.compile(rf"[{HAN}]|[a-z]+|\d+(?:[.:]\d+)*")
_SINCE: Final = re.compile("其实|原来|现在|目前|如今|已经|今年|刚刚?|turns out")
_SINCE_WORDS: Final = frozenset("actually currently now already new finally 又 新 了 啦 啊 呀 哦 哈".split())  # noqa: SIM905 (a table of words)
_WHO: Final = frozenset("i we my our it 我 咱 俺 们 的".split())  # noqa: SIM905 (a table of words)
_SHORT_FORMS: Final = (
    (re.compile(r"['’]m\b"), " am"),
    (re.compile(r"(?<=[a-z])n['’]t\b"), " not"),
    (re.compile(r"['’]s\b"), " is"),
    (re.compile(r"['’]re\b"), " are"),
)


def frame_tokens(text: str) -> tuple[str, ...]:
    """Return a short statement's words without who speaks and since when; empty for a long text."""
    if len(text) > LONGEST_BYTES or len(text.encode()) > LONGEST_BYTES:
        return ()
    folded = fold(text)
    if "'" in folded or "’" in folded:
        for pattern, whole in _SHORT_FORMS:
            folded = pattern.sub(whole, folded)
    tokens = [token for token in _TOKEN.findall(_SINCE.sub("", folded)) if token not in _SINCE_WORDS]
    return tuple(dropwhile(_WHO.__contains__, tokens))


def is_same_frame(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether two statements, as `frame_tokens`, share half or more and differ in one place."""
    shortest = min(len(one), len(other))
    first = 0
    while first < shortest and one[first] == other[first]:
        first += 1
    last = 0
    while last < shortest - first and one[-1 - last] == other[-1 - last]:
        last += 1
    longest = max(len(one), len(other))
    if not _LEAST_SHARE * longest <= first + last < longest:
        return False
    shared = (*one[:first], *one[len(one) - last :])
    words = [token for token in shared if token.isascii()]
    says_something = any(word not in STOP_WORDS for word in words)
    return len(shared) - len(words) >= _LEAST_HAN or (len(words) >= _LEAST_WORDS and says_something)
