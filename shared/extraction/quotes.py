"""Where a quote stands in a message, and which clauses it lies in. Pure.

A quote stands word for word, but for NFKC, case and spaces; it may not begin or end inside a word or number
(预算500 does not stand in 预算5000). What decides its meaning is the whole clause, not the words cut out of
it: 喜欢香菜 is quoted from 我不喜欢香菜.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from shared.extraction.pages import Page, Sentence, Span, read_page
from shared.extraction.support import all_units, content_units


@dataclass(frozen=True, slots=True)
class Clause:
    """A clause of a message: its page, sentence and place, its folded words, and what it is made of."""

    page: Page
    sentence: Sentence
    span: Span

    @property
    def text(self) -> str:
        return self.page.text[self.span.start : self.span.end]

    @property
    def folded(self) -> str:
        return self.page.folded[self.span.start : self.span.end]


@dataclass(frozen=True)
class Said:
    """One message as evidence: its number and id, who said it, its words, and on which day of the user's."""

    number: int
    message_id: str
    role: str
    text: str
    day: date

    @cached_property
    def page(self) -> Page:
        return read_page(self.text)

    @cached_property
    def squashed(self) -> tuple[str, list[int]]:
        """The text without spaces, NFKC and folded in case, and where each character of it stands."""
        return _squash(self.text)

    @cached_property
    def units(self) -> frozenset[str]:
        return content_units(self.text) | all_units(self.text)

    @cached_property
    def clauses(self) -> tuple[Clause, ...]:
        return tuple(
            Clause(self.page, sentence, clause)
            for sentence in self.page.sentences
            for clause in sentence.clauses
        )


def find_quote(said: Said, quote: str) -> Span | None:
    """The place of a quote in a message's text; None where it does not stand there whole."""
    wanted, _ = _squash(quote)
    squashed, places = said.squashed
    if not wanted:
        return None
    at = squashed.find(wanted)
    while at >= 0:
        span = Span(places[at], places[at + len(wanted) - 1] + 1)
        if not _cuts_word(said.text, span.start) and not _cuts_word(said.text, span.end):
            return span
        at = squashed.find(wanted, at + len(wanted))
    return None


def clauses_of(said: Said, span: Span) -> list[Clause]:
    """The clauses that a span touches with more than a mark."""
    return [each for each in said.clauses if _shares(each.span, span)]


def _shares(clause: Span, span: Span) -> bool:
    return min(clause.end, span.end) > max(clause.start, span.start)


def _squash(text: str) -> tuple[str, list[int]]:
    out: list[str] = []
    places: list[int] = []
    for place, ch in enumerate(text):
        folded = unicodedata.normalize("NFKC", ch).casefold().replace("’", "'").replace("‘", "'")
        folded = "".join(folded.replace("“", '"').replace("”", '"').split())
        out.append(folded)
        places += [place] * len(folded)
    return "".join(out), places


def _cuts_word(text: str, place: int) -> bool:
    """Whether a place lies inside a Latin word or a number."""
    if not 0 < place < len(text):
        return False
    before, after = text[place - 1], text[place]
    if before.isdigit() and after.isdigit():
        return True
    if after in ".," and before.isdigit() and text[place + 1 : place + 2].isdigit():
        return True
    if before in ".," and after.isdigit() and place > 1 and text[place - 2].isdigit():
        return True
    return _is_latin(before) and _is_latin(after)


def _is_latin(ch: str) -> bool:
    return ch.isascii() and ch.isalnum()
