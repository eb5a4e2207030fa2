"""Statements: a field and its value, without a command: 预算改成60万 / the budget is now 600k. Pure.

One never changes anything by itself: it is compared with what is stored. Invariant: every quote is verbatim.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, tzinfo
from itertools import islice
from typing import Any, Final, Literal

from shared.extraction.assignments import Reader, read_assignment, split_clause
from shared.extraction.command import Command
from shared.extraction.commands import MAX_PARSED_CHARS, MAX_READ_CLAUSES, holds_one, parse_commands
from shared.extraction.corrections import find_mended
from shared.extraction.guards import states_nothing
from shared.extraction.owners import is_others_value
from shared.extraction.pages import Page, Sentence, Span, read_page
from shared.extraction.repairs import is_taken_back, last_value
from shared.ltm.schema import Schema

_MARKUP: Final = re.compile(r"[{}]|\"\s*[:：]")
"""Nobody says braces: a name that stands among them was pasted, or is to look like ours."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A field and the value the user says it has; `verb` is "change" for 改成, moved to and the like."""

    path: str
    value: Any
    quote: str
    verb: Literal["is", "change"]
    start: int
    end: int


def find_statements(
    text: str,
    *,
    schema: Schema,
    today: date,
    zone: tzinfo | None = None,
    page: Page | None = None,
    commands: Sequence[Command] | None = None,
) -> list[Statement]:
    """The values that a message states without commanding anything, in order.

    `page` and `commands` are `read_page(text)` and `parse_commands(text)`, where the caller has them already.
    """
    if len(text) > MAX_PARSED_CHARS or not (page or schema.may_hold_label(text)):
        return []
    page, reader = page or read_page(text), Reader(schema, today, zone)
    if commands is None:
        commands = parse_commands(text, schema=schema, today=today, zone=zone, page=page)
    taken = [Span(each.start, each.end) for each in commands]
    found: list[Statement] = []
    places = [each.start for each in schema.find_folded_labels(page.folded)]
    labelled = [each for each in page.sentences if places and holds_one(places, each)]
    clauses = ((each, clause) for each in labelled for clause in each.clauses if holds_one(places, clause))
    for sentence, clause in islice(clauses, MAX_READ_CLAUSES):
        is_read = found and clause.start < found[-1].end
        if is_read or any(span.start < clause.end and clause.start < span.end for span in taken):
            continue
        if states_nothing(page, sentence, clause=clause):
            continue
        found.extend(_state(page, clause, sentence=sentence, reader=reader))
    mended = _state_mended(page, places, reader=reader) if places else ()
    found.extend(each for each in mended if not any(_overlap(each, span) for span in taken))
    return sorted(found, key=lambda each: each.start)


def _overlap(statement: Statement, span: Span) -> bool:
    return span.start < statement.end and statement.start < span.end


def _state(page: Page, clause: Span, *, sentence: Sentence, reader: Reader) -> Iterator[Statement]:
    for span in split_clause(page, clause, reader=reader):
        made = read_assignment(page, span, reader=reader, strict=True)
        if made is None or not made.is_labelled or made.verb == "bare":
            continue
        if is_others_value(page, span, sentence=sentence, path=made.path):
            continue
        verb: Literal["is", "change"] = "change" if made.verb == "change" else "is"
        quote = page.text[span.start : span.end]
        is_markup = made.path.type == "string" and _MARKUP.search(quote)
        if is_markup or is_taken_back(page, clause, sentence=sentence):
            continue
        later = last_value(page, clause, sentence=sentence, path=made.path, reader=reader)
        value, end = later or (made.value, span.end)
        yield Statement(made.path.path, value, page.text[span.start : end], verb, span.start, end)


def _state_mended(page: Page, places: list[int], *, reader: Reader) -> Iterator[Statement]:
    """The statements of 预算不是55万，是60万: the label of what is denied, the value that follows."""
    for mended in islice(find_mended(page), MAX_READ_CLAUSES):
        clause = mended.clause
        if not holds_one(places, clause) or states_nothing(page, mended.sentence, clause=clause):
            continue
        whole = read_page(mended.whole)
        made = read_assignment(whole, Span(0, len(mended.whole)), reader=reader, strict=True)
        if made is not None and made.is_labelled and made.verb != "bare":
            start, end = mended.span.start, mended.span.end
            yield Statement(made.path.path, made.value, page.text[start:end], "change", start, end)
