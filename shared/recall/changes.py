"""A short statement of a change comes before what it changes. Pure.

奶茶喝多了睡不着，改喝红茶了 and "I've switched to cocoa, tea keeps me up" name what they end, but say
less of the question than the older statement does. Slots (`past`) know a few dozen things of a user's; this
holds for any matter, and only for the order: nothing is marked or left out.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from shared.language.scripts import fold
from shared.language.terms import each_row_term
from shared.model.memory import Episode, Memory
from shared.recall.answers import Hit
from shared.recall.near import remembered
from shared.recall.past import is_of_another

_LOOKED_AT: Final = 10
_LEAST: Final = 0.3
_LONGEST_CHANGE: Final = 90
"""In bytes, so that Chinese and English say about as much; longer texts tell stories."""

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


def changes_first(hits: Sequence[Hit]) -> list[Hit]:
    """Return the hits, each statement of a change before the older ones of its speaker that it changes.

    It shares a word with them and scores at least 0.3 of what they do.
    """
    arranged = list(hits)
    for place in range(1, min(_LOOKED_AT, len(hits))):
        if hits[place].past is not None or not _tells_change(_text_of(hits[place].row)):
            continue
        at = next(n for n, hit in enumerate(arranged) if hit is hits[place])
        first = next((n for n in range(at) if _is_changed_by(arranged[n], hits[place])), at)
        arranged.insert(first, arranged.pop(at))
    return arranged


def _tells_change(text: str) -> bool:
    is_short = len(text) <= _LONGEST_CHANGE and len(text.encode()) <= _LONGEST_CHANGE
    if not is_short:
        return False
    folded = fold(text)
    return _CHANGE.search(folded) is not None and _QUESTION.search(folded) is None


def _is_changed_by(older: Hit, newer: Hit) -> bool:
    text, speaker, said_at_ms = _text_of(older.row), _speaker_of(older.row), _said_at_ms(older.row)
    return (
        speaker is not None
        and (speaker, older.scope) == (_speaker_of(newer.row), newer.scope)
        and said_at_ms < _said_at_ms(newer.row)
        and newer.score >= _LEAST * older.score
        and len(text.encode()) <= _LONGEST_CHANGED
        and not is_of_another(older.row, newer.row)
        and _shares_word(text, _words_of(_text_of(newer.row)))
    )


def _shares_word(text: str, words: frozenset[int]) -> bool:
    # One by one: most share one of their first, and splitting a text is dear.
    return any(hash(term) in words for term in each_row_term(text))


def _words_of(text: str) -> frozenset[int]:
    return remembered(_WORDS, text, find=_read_words)


def _read_words(text: str) -> frozenset[int]:
    return frozenset(map(hash, each_row_term(text)))


def _speaker_of(row: Memory | Episode) -> str | None:
    """Return who says it; None for what nobody states of themselves (an assistant, a tool)."""
    if isinstance(row, Memory):
        return "user"
    return (row.message.body.name or "user") if row.message.role == "user" else None


def _text_of(row: Memory | Episode) -> str:
    return row.message.text if isinstance(row, Episode) else row.text


def _said_at_ms(row: Memory | Episode) -> int:
    return row.message.created_at_ms if isinstance(row, Episode) else row.created_at_ms
