"""Text to search terms: what a row is indexed under and what a query looks for.

Han text becomes pairs of neighbouring characters (预算上限: 预算 算上 上限); a Han character that stands
alone between other scripts (the 盘 of C盘) is a term of itself. Other words are stemmed, irregular forms
first (went: go). Numbers and amounts have one spelling (五十万 = 50万 = 500,000: 500000). Identifiers,
addresses and file names are terms whole and by their parts (PROJ-2024-001: proj-2024-001 proj 2024 001).
Days are terms of their own (`date_terms`), so that a question that names only a date finds its rows.
Invariant: rows and queries go through the same splitting; a change of what it yields raises
`TERMS_VERSION`.
"""

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from functools import lru_cache
from typing import Final

# it comes without types
import snowballstemmer  # type: ignore[import-untyped]

from shared.language.dates import DateSpan
from shared.language.irregular_forms import IRREGULAR
from shared.language.numbers import find_numbers
from shared.language.question_words import STOP_WORDS, cut_frame, cut_short_frame
from shared.language.scripts import HAN, fold

TERMS_VERSION: Final = 2

MAX_RANGE_DAYS: Final = 62
"""Ranges up to this many days get a term for each day; longer ones only for each month."""

MAX_RANGE_MONTHS: Final = 24

_STEM_CACHE: Final = 16_384
_MIN_STEM_LENGTH: Final = 3
_MAX_STEM_LENGTH: Final = 64

_TOKEN: Final = re.compile(
    rf"(?P<han>[{HAN}]+)"
    r"|(?P<joined>[a-z0-9_]+(?:[-_./@:+#][a-z0-9_]+)+)"
    rf"|(?P<word>[^\W{HAN}_]+(?:['’][^\W{HAN}_]+)?)"
)
_PART: Final = re.compile(r"[a-z]+|\d+")
_APOSTROPHE: Final = re.compile(r"(?:n['’]t|['’](?:s|t|re|ve|ll|d|m)?)$")
_DIGIT_OR_NUMERAL: Final = re.compile(
    r"\d|[零〇一二两三四五六七八九十百千万亿半]|\b(?:hundred|thousand|million|billion|dozen)\b"
)

_stem_english: Final[Callable[[str], str]] = snowballstemmer.stemmer("english").stemWord


@dataclass(frozen=True, slots=True)
class QueryTerm:
    """A term to look for.

    `single_character` marks a lone Han character: inside longer Han text the index does not hold it, so the
    caller answers it from the rows' own texts.
    """

    term: str
    weight: float = 1.0
    single_character: bool = False


def stem(word: str) -> str:
    """The folded word's stem; a word of more than 64 characters is none and stays as it is."""
    return word if len(word) > _MAX_STEM_LENGTH else _stem(word)


@lru_cache(maxsize=_STEM_CACHE)
def _stem(word: str) -> str:
    """Irregular forms by table, then the English Snowball stemmer."""
    word = IRREGULAR.get(word, word)
    return _stem_english(word) if len(word) >= _MIN_STEM_LENGTH and word.isascii() else word


def index_terms(text: str) -> list[str]:
    """The terms of a text, in its order, with repeats (their count is the term frequency)."""
    return [term for term, _ in _split(fold(text))]


def row_terms(text: str) -> list[str]:
    """The terms that a row is indexed under: `index_terms` without English stop words.

    No query looks for those, and they would make a chatty row look long.
    """
    return list(each_row_term(text))


def each_row_term(text: str) -> Iterator[str]:
    """The same one by one, for a reader that stops at the first it knows."""
    return (term for term, _ in _split(fold(text)) if term not in _STOP_TERMS)


def query_terms(text: str) -> list[QueryTerm]:
    """The terms of a query, each once, frame and stop words left out; empty where it names no subject."""
    folded = fold(text)
    found = _without_stop_words(cut_frame(folded))
    if all(found.values()):
        found = _without_stop_words(cut_short_frame(folded))
    return [QueryTerm(term, single_character=lone) for term, lone in found.items()]


def _without_stop_words(folded: str) -> dict[str, bool]:
    return {term: lone for term, lone in _split(folded) if term not in _STOP_TERMS}


def date_terms(spans: Iterable[DateSpan]) -> list[str]:
    """Day terms (`d:2024-03-15`) and month terms (`m:2024-03`) of the spans, each once, in order.

    A range of at most 62 days has all its days; of a longer one only the months, at most 24 of them.
    """
    found: dict[str, None] = {}
    for span in spans:
        days = (span.end - span.start).days + 1
        if days <= MAX_RANGE_DAYS:
            found.update((f"d:{span.start + timedelta(days=shift)}", None) for shift in range(days))
        first = span.start.year * 12 + span.start.month - 1
        last = span.end.year * 12 + span.end.month - 1
        months = range(first, min(last + 1, first + MAX_RANGE_MONTHS))
        found.update((f"m:{month // 12:04d}-{month % 12 + 1:02d}", None) for month in months)
    return list(found)


def _split(folded: str) -> Iterator[tuple[str, bool]]:
    """Pairs of term and whether it is a lone Han character, numbers taken out first."""
    position = 0
    if _DIGIT_OR_NUMERAL.search(folded):
        for number in find_numbers(folded):
            yield from _split_words(folded[position : number.start])
            yield number.canonical, False
            position = number.numeral_end
    yield from _split_words(folded[position:])


def _split_words(folded: str) -> Iterator[tuple[str, bool]]:
    for match in _TOKEN.finditer(folded):
        token = match[0]
        if match.lastgroup == "han":
            if len(token) == 1:
                yield token, True
            for first in range(len(token) - 1):
                yield token[first : first + 2], False
        elif match.lastgroup == "joined":
            yield _joined_term(token), False
            for part in _PART.findall(token):
                yield stem(part), False
        else:
            yield from _word_terms(token)


def _joined_term(token: str) -> str:
    """The whole of a joined token; words with only hyphens between are one word (e-mail: email)."""
    bare = token.replace("-", "")
    return stem(bare) if bare.isalpha() else token


def _word_terms(token: str) -> Iterator[tuple[str, bool]]:
    word = _APOSTROPHE.sub("", token)
    yield stem(word), False
    if word.isascii() and not word.isalpha() and not word.isdigit():
        for part in _PART.findall(word):
            yield stem(part), False


_STOP_TERMS: Final = frozenset(stem(word) for word in STOP_WORDS) | STOP_WORDS
