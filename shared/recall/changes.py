"""A short statement of a change comes before what it changes. Pure.

奶茶喝多了睡不着，改喝红茶了 and "I've switched to cocoa, tea keeps me up" name what they end, but say
less of the question than the older statement does; "my son is 7" after "my son is 6" names nothing. Slots
(`past`) know a few dozen things of a user's; this holds for any matter, and only for the order: nothing is
marked or left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cached_property
from typing import Final

from shared.language.scripts import fold
from shared.language.terms import each_row_term
from shared.model.memory import Memory
from shared.recall.answers import Hit
from shared.recall.near import remembered
from shared.recall.past import is_of_another
from shared.recall.same_frame import LONGEST_BYTES, frame_tokens, is_same_frame

_LOOKED_AT: Final = 10
_LEAST: Final = 0.3
_LONGEST_CHANGED: Final = 200
_CHANGE: Final = re.compile(
    "改(?:到|成|为|了|主意|[喝吃用去走坐时日])|换(?:成|了|到|去)|不再|不(?:要|用|去|做|学|喝|吃|住)了|取消|推迟|延[到期]"
    "|搬到|戒了|涨到|降到"
    r"|\b(?:mov(?:ed?|es|ing)|chang(?:ed?|es|ing)|switch(?:ed|es|ing)?|swapped|instead|no longer|any ?more"
    r"|left|quit|stopped|gave up|given up|done with|cancel?led|closed|replaced|postponed|in the end|after all"
    r"|from now on|now)\b"
)
_WORDS: Final[dict[tuple[int, int], frozenset[int]]] = {}
"""Hashes of a text's terms by its length and hash. No text is kept."""

_QUESTION: Final = re.compile(
    r"[?？吗呢]\s*$|什么|哪|谁|几点|多少|怎么|为何"
    r"|^\s*(?:what|which|whose?|when|where|why|how|do|does|did|is|are|was|were|can|could|will|would|should)\b"
)


def changes_first(hits: Sequence[Hit], question: str) -> list[Hit]:
    """Return the hits, each newer statement before the older ones of its speaker that it changes.

    It tells a change and shares a word with them, or says the same but for one value; and it scores at least
    0.3 of what they do. A statement that is looked for in its own words stays first.
    """
    arranged = list(map(_Said, hits))
    asked = frame_tokens(question)
    for said in arranged[1:_LOOKED_AT]:
        if said.hit.past is not None:
            continue
        at = next(n for n, each in enumerate(arranged) if each is said)
        first = next((n for n in range(at) if _is_changed_by(arranged[n], said, asked=asked)), at)
        arranged.insert(first, arranged.pop(at))
    return [said.hit for said in arranged]


class _Said:
    """A hit, and what is read of its words once they are held against others.

    `by` is who says it and in whose scope; None for what nobody states of themselves.
    """

    def __init__(self, hit: Hit) -> None:
        row = hit.row
        self.hit, self.score = hit, hit.score
        if isinstance(row, Memory):
            self.text, self.at_ms, speaker = row.text, row.created_at_ms, "user"
        else:
            message = row.message
            self.text, self.at_ms = message.text, message.created_at_ms
            speaker = (message.body.name or "user") if message.role == "user" else ""
        self.by = (speaker, hit.scope) if speaker else None

    @cached_property
    def is_short(self) -> bool:
        return len(self.text) <= _LONGEST_CHANGED and len(self.text.encode()) <= _LONGEST_CHANGED

    @cached_property
    def frame(self) -> tuple[str, ...]:
        return frame_tokens(self.text)

    @cached_property
    def tells_change(self) -> bool:
        return _tells_change(self.text)

    @cached_property
    def asks(self) -> bool:
        return _asks(fold(self.text))


def _tells_change(text: str) -> bool:
    is_short = len(text) <= LONGEST_BYTES and len(text.encode()) <= LONGEST_BYTES
    if not is_short:
        return False
    folded = fold(text)
    return _CHANGE.search(folded) is not None and not _asks(folded)


def _asks(folded: str) -> bool:
    return _QUESTION.search(folded) is not None


def _is_changed_by(older: _Said, newer: _Said, *, asked: tuple[str, ...]) -> bool:
    return (
        older.at_ms < newer.at_ms
        and newer.score >= _LEAST * older.score
        and older.by is not None
        and older.by == newer.by
        and older.is_short
        and _says_otherwise(older, newer, asked=asked)
        and not is_of_another(older.hit.row, newer.hit.row)
    )


def _says_otherwise(older: _Said, newer: _Said, *, asked: tuple[str, ...]) -> bool:
    if newer.tells_change:
        return _shares_word(older.text, _words_of(newer.text))
    return older.frame != asked and is_same_frame(older.frame, newer.frame) and not newer.asks


def _shares_word(text: str, words: frozenset[int]) -> bool:
    # One by one: most share one of their first, and splitting a text is dear.
    return any(hash(term) in words for term in each_row_term(text))


def _words_of(text: str) -> frozenset[int]:
    return remembered(_WORDS, text, find=_read_words)


def _read_words(text: str) -> frozenset[int]:
    return frozenset(map(hash, each_row_term(text)))
