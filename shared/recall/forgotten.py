"""What the user had forgotten is not found in other words of the past either. Pure.

Forgetting takes a memory away and its words out of the messages it came from. What was said about it before
still stands in the archive: the assistant's echo, the user's own words on another day, a question for it, a
former value. It is left out of every search. What is said *after* the forgetting is the user's new word, and
is found. So is another thing in like words: my father's illness when my mother's was forgotten. A field's
number is told beside the field's name, or alone, not beside another thing that is as much.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from decimal import Decimal
from typing import Any, Final, NamedTuple

from shared.language.numbers import find_numbers
from shared.language.same_thing import is_same_thing, sentences_of, stands_in
from shared.language.scripts import fold
from shared.language.terms import index_terms, query_terms
from shared.language.told_numbers import is_number_told
from shared.ltm.default_schema import DEFAULT_PATHS
from shared.ltm.index import normal_text
from shared.model.pending import Tombstone
from shared.recall.near import remembered

MOST_FORGOTTEN: Final = 200
"""The newest of them that a search looks at."""
_QUESTION_MARKS: Final = ("?", "？")
_MOST_QUESTION_CHARS: Final = 200
_SAME_SHARE: Final = 0.6
_LEAST_TERMS: Final = 2
_LEAST_NUMBER: Final = 100
"""A smaller number stands for too many things to tell a field's value by it alone."""
_NAMES: Final = {each.path: tuple(map(fold, each.names)) for each in DEFAULT_PATHS}
"""What fields of the schema that every tenant begins with are called, where a tombstone does not say."""


class Forgotten(NamedTuple):
    """A text that was forgotten at a time: its normal form and its terms; or the number that a field held.

    `core` are hashes of the terms that a question would look for; `names` what the field is called, none
    where that is not known.
    """

    words: str
    terms: frozenset[str]
    at_ms: int
    number: Decimal | None = None
    core: frozenset[int] = frozenset()
    text: str = ""
    names: tuple[str, ...] = ()


class _Said(NamedTuple):
    """Hashes of the terms of each sentence of a text, of all of them, and of its numbers."""

    sentences: tuple[frozenset[int], ...]
    terms: frozenset[int]
    numbers: frozenset[int]


_SAID: Final[dict[tuple[int, int], _Said]] = {}
_SAME: Final[dict[tuple[int, int], bool]] = {}
"""By length and hash of the text: rows come back turn after turn. No text is kept."""


def forgotten_of(tombstones: Iterable[Tombstone]) -> tuple[Forgotten, ...]:
    """Return what the user had forgotten among the tombstones, free texts and numbers, the newest 200."""
    stones = [stone for stone in tombstones if stone.cause == "forgotten"][-MOST_FORGOTTEN:]
    return tuple([each for stone in stones for each in _forgotten(stone)])


def _forgotten(stone: Tombstone) -> list[Forgotten]:
    if stone.path is None:
        words = normal_text(text := str(stone.value))
        core = remembered(_SAID, words, find=_read).terms
        return [Forgotten(words, frozenset(index_terms(text)), stone.at_ms, core=core, text=text)]
    number = _number_of(stone.value)
    names = tuple(map(fold, stone.names)) or _NAMES.get(stone.path, ())
    return [] if number is None else [Forgotten("", frozenset(), stone.at_ms, number, names=names)]


def _number_of(value: Any) -> Decimal | None:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return number if abs(number := Decimal(str(value))) >= _LEAST_NUMBER else None


def speaks_of_forgotten(text: str, said_at_ms: int, *, forgotten: Sequence[Forgotten]) -> bool:
    """Whether a message says what was forgotten since, most of it in one sentence, or only asks for it."""
    earlier = [each for each in forgotten if said_at_ms <= each.at_ms]
    if not earlier:
        return False
    words = normal_text(text)
    if any(each.words in words and stands_in(each.words, words) for each in earlier):
        return True
    said = remembered(_SAID, text, find=_read)
    if any(_is_told(each, said, text=text) for each in earlier):
        return True
    if not text.rstrip().endswith(_QUESTION_MARKS) or len(text) > _MOST_QUESTION_CHARS:
        return False
    asked = {term.term for term in query_terms(text) if not term.single_character}
    return bool(asked) and any(asked <= each.terms for each in earlier)


def _is_told(each: Forgotten, said: _Said, *, text: str) -> bool:
    if each.number is not None:
        return hash(each.number) in said.numbers and is_number_told(each.number, text, names=each.names)
    least = max(_LEAST_TERMS, _SAME_SHARE * len(each.core))
    if len(each.core & said.terms) < least:
        return False
    near = [place for place, terms in enumerate(said.sentences) if len(each.core & terms) >= least]
    if not near:
        return False
    sentences = sentences_of(text)
    return any(_is_same(part, sentences[place]) for place in near for part in sentences_of(each.text))


def _is_same(stated: str, said: str) -> bool:
    return remembered(_SAME, f"{stated}\n{said}", find=lambda _: is_same_thing(stated, said))


def _read(text: str) -> _Said:
    numbers = frozenset([hash(number.value) for number in find_numbers(text)])
    sentences = tuple(map(_terms_of, sentences_of(text)))
    return _Said(sentences, frozenset().union(*sentences), numbers)


def _terms_of(sentence: str) -> frozenset[int]:
    return frozenset([hash(term.term) for term in query_terms(sentence) if not term.single_character])
