"""A team's own words: phrases that mean the same, looked for together. Pure.

Only a query is widened, never the index, so that a change of the table holds at once and for all that was
said. A query that holds all terms of one phrase of a group looks for the other phrases too, each at a
fraction of a word's weight: 报告怎么接收 also finds 报表. An added term that stands nowhere costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from shared.language.scripts import fold
from shared.language.synonym_table import TABLE
from shared.language.terms import QueryTerm, index_terms, query_terms

WEIGHT: Final = 0.4
"""What all terms of an added phrase weigh together, where a word of the query weighs 1."""
MOST_ADDED: Final = 24

MOST_GROUPS: Final = 500
MOST_PHRASES: Final = 20
MOST_PHRASE_CHARS: Final = 40

Phrase = tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Synonyms:
    """Groups of phrases; `phrases` are the same as terms, and `triggers` what may hold each term."""

    groups: tuple[tuple[str, ...], ...] = ()
    phrases: tuple[tuple[Phrase, ...], ...] = ()
    triggers: Mapping[str, tuple[tuple[int, frozenset[str]], ...]] | None = None


def make_synonyms(groups: Iterable[Sequence[str]]) -> Synonyms:
    """Return the table of these groups, ready to widen queries."""
    kept = tuple(tuple(group) for group in groups)
    phrases = tuple(tuple(filter(None, map(_terms_of, group))) for group in kept)
    triggers: dict[str, list[tuple[int, frozenset[str]]]] = {}
    for number, group in enumerate(phrases):
        for phrase in group:
            triggers.setdefault(phrase[0], []).append((number, frozenset(phrase)))
    return Synonyms(kept, phrases, {term: tuple(found) for term, found in triggers.items()})


def synonym_terms(terms: Sequence[QueryTerm], synonyms: Synonyms) -> list[QueryTerm]:
    """Return the terms to look for beside a query's own, at most 24."""
    if not synonyms.triggers:
        return []
    held = {term.term for term in terms}
    groups = dict.fromkeys(
        number for term in terms for number, phrase in synonyms.triggers.get(term.term, ()) if phrase <= held
    )
    added: dict[str, float] = {}
    for number in groups:
        for phrase in synonyms.phrases[number]:
            for term in phrase:
                if term not in held and len(term) > 1:
                    added[term] = max(added.get(term, 0.0), WEIGHT / len(phrase))
    return [QueryTerm(term, weight=weight) for term, weight in [*added.items()][:MOST_ADDED]]


def find_unfit(groups: Sequence[Sequence[str]]) -> tuple[int, str] | None:
    """Return the first group that says nothing to a search and why; None where all do."""
    for number, group in enumerate(groups):
        if len({fold(phrase).strip() for phrase in group}) < len(group) or len(group) < 2:  # noqa: PLR2004 - a pair
            return number, "a group has two or more different phrases"
        bare = next((phrase for phrase in group if not _terms_of(phrase)), None)
        if bare is not None:
            return number, "each phrase holds a word that can be searched for"
    return None


def _terms_of(phrase: str) -> Phrase:
    """Return the terms by which a phrase is looked for, those without which it would be another left out."""
    asked = tuple(term.term for term in query_terms(phrase))
    return asked or tuple(dict.fromkeys(index_terms(phrase)))


NO_SYNONYMS: Final = Synonyms()
DEFAULT_SYNONYMS: Final = make_synonyms(TABLE)
"""What a tenant has that never put a table of its own."""
