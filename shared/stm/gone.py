"""What the user rejected, deleted or had forgotten is not told by summaries and key facts either. Pure.

A digest, a rolling summary and key facts hold words of their own, which no index knows. What of them speaks
of a tombstone is left out, whoever said it: an item that holds its words, most of its terms, or its value,
and one whose every word stands in it (年薪：80万 of a longer sentence). What was said after the tombstone is
the user's new word, where the time of an item is known; where it is not, neither is the message it came
from, and a number beside the same noun goes too.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from decimal import Decimal
from typing import Any, Final, NamedTuple

from shared.language.numbers import find_numbers
from shared.language.same_thing import is_same_thing, sentences_of, stands_in
from shared.language.scripts import fold
from shared.language.terms import query_terms
from shared.language.told_numbers import is_number_told
from shared.model.pending import Tombstone
from shared.model.session_state import LISTS, Summary
from shared.stm.clauses import split_clauses
from shared.stm.forget_clauses import only_asks_to_forget

MOST_GONE: Final = 200
"""The newest tombstones that are looked at."""
_SAME_SHARE: Final = 0.6
_LEAST_TERMS: Final = 2
_LEAST_CHARS: Final = 4
_LEAST_WORD_CHARS: Final = 2
_LEAST_NUMBER: Final = 100
"""A smaller number stands for too many things to tell a value by it alone."""
_WHOLE_TERMS: Final = 3
"""So many terms that all stand in a forgotten sentence tell it; fewer do with a number or a name."""
_NUMERAL: Final = re.compile(r"\d")
_YEAR: Final = re.compile(r"(?:19|20)\d\d")
_LEAST_DIGITS: Final = 3
_NAME: Final = re.compile(r"[^\W\d_][\s:：]+[A-Z]")
_LED: Final = re.compile(r"^[^：:]{0,40}[：:](?:[^：:]{0,20}[：:])*+")
"""What leads to words that are told again: "You said: ..."."""
_EDGES: Final = " .。!！?？,，;；:：、~～\"'“”‘’"


class Gone(NamedTuple):
    """One thing that is gone since `at_ms`: its text, normal words and terms; or its number and its names."""

    text: str
    words: str
    terms: frozenset[str]
    number: Decimal | None
    at_ms: int
    names: tuple[str, ...] = ()


def gone_of(tombstones: Iterable[Tombstone], *, spans: Iterable[str] = ()) -> tuple[Gone, ...]:
    """Return what the newest 200 tombstones keep away, and forgotten `spans` of messages, gone for ever."""
    stones = list(tombstones)[-MOST_GONE:]
    found = [
        _gone(value, stone.at_ms, names=stone.names) for stone in stones for value in _values(stone.value)
    ]
    return tuple(found + [_gone(span, _FOR_EVER) for span in spans])


_FOR_EVER: Final = 1 << 60


def _values(value: Any) -> Sequence[Any]:
    items = value if isinstance(value, list | tuple) else (value,)
    return [item for item in items if item is not None and not isinstance(item, bool | dict)]


def _gone(value: Any, at_ms: int, *, names: Sequence[str] = ()) -> Gone:
    if isinstance(value, int | float | Decimal):
        number = Decimal(str(value))
        told = number if abs(number) >= _LEAST_NUMBER else None
        return Gone("", "", frozenset(), told, at_ms, tuple(map(fold, names)))
    text = str(value)
    return Gone(text, _normal(text), _terms(text), None, at_ms)


def _normal(text: str) -> str:
    return " ".join(fold(text).split()).strip(_EDGES)


def _terms(text: str) -> frozenset[str]:
    return frozenset(term.term for term in query_terms(text) if not term.single_character)


def tells_gone(text: str, gone: Sequence[Gone], *, said_at_ms: int = 0) -> bool:
    """Whether a text tells something that is gone since it was said (0: at an unknown time, long ago)."""
    held = [each for each in gone if said_at_ms <= each.at_ms]
    if not held or not text:
        return False
    words, terms = _normal(text), _terms(text)
    numbers = {number.value for number in find_numbers(text)} if any(each.number for each in held) else set()
    return any(
        _is_number_told(each, text, numbers=numbers)
        if each.number is not None
        else _is_told(each, text, words=words, terms=terms)
        or _is_told_in_part(each, text, terms=terms, is_dated=said_at_ms > 0)
        for each in held
    )


def _is_told_in_part(gone: Gone, text: str, *, terms: frozenset[str], is_dated: bool) -> bool:
    """Whether all of a text stands in what is gone, or, undated, a long number of it and a word beside it."""
    shared = terms & gone.terms
    if len(shared) < _LEAST_TERMS:
        return False
    if len(shared) == len(terms):
        is_value = any(map(_NUMERAL.search, terms)) or _NAME.search(text) is not None
        return is_value or len(terms) >= _WHOLE_TERMS
    if is_dated:
        return False
    return any(map(_is_long_number, shared)) and not all(map(_NUMERAL.search, shared))


def _is_long_number(term: str) -> bool:
    """Whether a term has three digits; a year stands for too many things, as a short number does."""
    return sum(map(str.isdigit, term)) >= _LEAST_DIGITS and not _YEAR.fullmatch(term)


def _is_number_told(gone: Gone, text: str, *, numbers: Collection[Decimal]) -> bool:
    number = gone.number
    return number is not None and number in numbers and is_number_told(number, text, names=gone.names)


def _is_told(gone: Gone, text: str, *, words: str, terms: frozenset[str]) -> bool:
    if len(gone.words) >= _LEAST_WORD_CHARS and (
        stands_in(gone.words, words) or (len(words) >= _LEAST_CHARS and words in gone.words)
    ):
        return True
    shared = len(terms & gone.terms)
    if shared < _LEAST_TERMS or shared < _SAME_SHARE * len(gone.terms):
        return False
    return any(
        is_same_thing(stated, said)
        for said in sentences_of(text)
        if len(gone.terms & _terms(said)) >= _LEAST_TERMS
        for stated in sentences_of(gone.text)
    )


def cut_summary(summary: Summary, is_out: Callable[[str], bool]) -> Summary:
    """Return a summary without the items, pairs and clauses that are out."""
    lists = {name: tuple(item for item in getattr(summary, name) if not is_out(item)) for name in LISTS}
    pairs = {label: value for label, value in summary.confirmed.items() if not is_out(f"{label} {value}")}
    text = summary.text
    clauses = split_clauses(text)
    kept = [clause.text for clause in clauses if not is_out(clause.text)]
    if len(kept) < len(clauses) or is_out(text):
        text = ("，" if not text.isascii() else ", ").join(kept)
    goal = "" if is_out(summary.goal) else summary.goal
    return summary.model_copy(update={**lists, "goal": goal, "confirmed": pairs, "text": text})


def leave_out_gone(summary: Summary, gone: Sequence[Gone]) -> Summary:
    """Return a summary without what it tells of things that are gone, and what asked to forget them."""

    def is_out(text: str) -> bool:
        quoted = _LED.sub("", text)
        return tells_gone(text, gone) or only_asks_to_forget(quoted) or tells_gone(quoted, gone)

    return cut_summary(summary, is_out) if gone else summary
