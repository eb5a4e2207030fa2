"""What the user had forgotten is not found in other words of the past either. Pure.

Forgetting takes a memory away and its words out of the messages it came from. What was said about it before
(the assistant's echo, the user's own question for it) still stands in the archive; it is left out of every
search. What is said *after* the forgetting is the user's new word and is found.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from shared.language.terms import index_terms, query_terms
from shared.ltm.index import normal_text
from shared.model.pending import Tombstone

MOST_FORGOTTEN: Final = 200
"""The newest of them that a search looks at."""
_QUESTION_MARKS: Final = ("?", "？")
_MOST_QUESTION_CHARS: Final = 200


class Forgotten(NamedTuple):
    """A text that was forgotten at a time: its normal form and its terms."""

    words: str
    terms: frozenset[str]
    at_ms: int


def forgotten_of(tombstones: Iterable[Tombstone]) -> tuple[Forgotten, ...]:
    """Return the free texts among the tombstones that the user had forgotten, the newest 200."""
    texts = [
        (str(stone.value), stone.at_ms)
        for stone in tombstones
        if stone.path is None and stone.cause == "forgotten"
    ]
    return tuple(
        Forgotten(normal_text(text), frozenset(index_terms(text)), at_ms)
        for text, at_ms in texts[-MOST_FORGOTTEN:]
    )


def speaks_of_forgotten(text: str, said_at_ms: int, *, forgotten: Sequence[Forgotten]) -> bool:
    """Whether a message says what was forgotten since, or only asks for it."""
    earlier = [each for each in forgotten if said_at_ms <= each.at_ms]
    if not earlier:
        return False
    words = normal_text(text)
    if any(each.words and each.words in words for each in earlier):
        return True
    if not text.rstrip().endswith(_QUESTION_MARKS) or len(text) > _MOST_QUESTION_CHARS:
        return False
    asked = {term.term for term in query_terms(text) if not term.single_character}
    return bool(asked) and any(asked <= each.terms for each in earlier)
