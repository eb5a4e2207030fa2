"""Candidates: values that a user's message states without asking to keep them. Each waits for consent.

A value needs a cue of its path's label in its own clause (预算, 截止, 订单号, budget, due): a bare date
or amount stays in its episode. Nothing comes from a question, a supposition, a denial or quoted text, and
nothing that merely looks like an identifier (paths, UUIDs, hashes, addresses on the web).
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, tzinfo
from itertools import islice
from typing import Any, Final

from shared.errors import InvalidInput
from shared.extraction.assignments import MAX_LABELS, Assignment, Reader, read_assignment, split_clause
from shared.extraction.field_shapes import find_shape, value_shape
from shared.extraction.guards import states_nothing
from shared.extraction.owners import is_others_label, is_others_value, is_owned_by_other
from shared.extraction.pages import FILLER, Page, Sentence, Span, read_page, trim_span
from shared.extraction.pattern_words import (
    CUES,
    DENIAL,
    DUE,
    DUE_ACTION,
    EXPIRES,
    HEDGE,
    NOISE,
    OR_ELSE,
    OVER,
    OWN_AFFAIR,
    PAYS,
    REMINDS,
    THIRD_PARTY,
)
from shared.extraction.repairs import is_taken_back, last_value
from shared.language.awaited_days import find_awaited_dates
from shared.language.dates import DateSpan
from shared.ltm.raw_words import RawWords
from shared.ltm.schema import Schema, SchemaPath, normalise_value

MAX_PARSED_CHARS: Final = 32_000
MAX_CANDIDATES: Final = 20

MAX_READ_CLAUSES: Final = 600
"""Clauses of one message, from its beginning, that are read for candidates."""

STATED: Final = 0.9
CHANGED: Final = 0.85
BARE: Final = 0.75
NEARBY: Final = 0.6
IMPLIED: Final = 0.5
HEDGED: Final = 0.2
"""Confidences order the questions and never confirm; HEDGED is taken off where 大概 or probably is said."""
MAX_GAP_CHARS: Final = 12

_CUES: Final = RawWords(CUES)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value to propose; `quote` is the sentence it stands in, the text's [start:end]."""

    path: str
    value: Any
    quote: str
    start: int
    end: int
    confidence: float


def find_candidates(
    text: str, *, schema: Schema, today: date, zone: tzinfo | None = None, page: Page | None = None
) -> list[Candidate]:
    """The values to propose from a user's message, in text order; of one path the last one said.

    Only the first 600 clauses that may hold one are read, and no message over 32,000 characters.

    Args:
        text: the message, cleaned.
        schema: the fields that may be proposed (not those with policy `never`).
        today: the day relative dates are read against, in the user's zone.
        zone: that zone; a moment said without one is of it.
        page: `read_page(text)`, where the caller has it already.
    """
    if len(text) > MAX_PARSED_CHARS or not (page or may_propose(text, schema)):
        return []
    page, reader = page or read_page(text), Reader(schema, today, zone)
    found: dict[str, Candidate] = {}
    for sentence, clause in islice(_clauses_with_cues(page, schema), MAX_READ_CLAUSES):
        for candidate in _read_clause(page, sentence, clause=clause, reader=reader):
            found.pop(candidate.path, None)
            if is_taken_back(page, clause, sentence=sentence):
                continue
            found[candidate.path] = _put_right(
                page, candidate, clause=clause, sentence=sentence, reader=reader
            )
    return list(found.values())[:MAX_CANDIDATES]


def _put_right(
    page: Page, candidate: Candidate, *, clause: Span, sentence: Sentence, reader: Reader
) -> Candidate:
    """Return a candidate with the value that the same sentence gives in its place: 预算是50万，不对，60万."""
    path = reader.schema.find(candidate.path)
    later = last_value(page, clause, sentence=sentence, path=path, reader=reader)
    if later is None:
        return candidate
    value, end = later
    return replace(candidate, value=value, end=end, quote=page.text[candidate.start : end].strip())


def may_propose(text: str, schema: Schema) -> bool:
    """False where no cue of a value and no label stands in the text; costs a fraction of a millisecond."""
    return _CUES.occur_in(text) or schema.may_hold_label(text)


def _clauses_with_cues(page: Page, schema: Schema) -> Iterator[tuple[Sentence, Span]]:
    labels = schema.find_folded_labels(page.folded)
    places = sorted([*_CUES.places_in(page.folded), *(label.start for label in labels)])
    places = [place for place in places if page.open[place] != FILLER]
    for sentence in page.sentences if places else ():
        for clause in sentence.clauses if _lies_in(places, sentence) else ():
            if _lies_in(places, clause):
                yield sentence, clause


def _lies_in(places: Sequence[int], span: Span | Sentence) -> bool:
    return bisect_left(places, span.start) < bisect_left(places, span.end)


def _read_clause(page: Page, sentence: Sentence, *, clause: Span, reader: Reader) -> list[Candidate]:
    words = page.open[clause.start : clause.end]
    if states_nothing(page, sentence, clause=clause) or DENIAL.search(words):
        return []
    if sentence.is_marked_question and len(sentence.clauses) == 1:
        return []
    parts = list(split_clause(page, clause, reader=reader))
    readings = [(part, read_assignment(page, part, reader=reader, strict=True)) for part in parts]
    if any(made is not None for _, made in readings):
        return [
            each
            for part, made in readings
            if made and not is_others_value(page, part, sentence=sentence, path=made.path)
            for each in _from_assignment(page, part, made=made)
        ]
    found = _near_label(page, clause, reader=reader) or _due(page, clause, reader=reader)
    if found is None or is_others_value(page, clause, sentence=sentence, path=found[0]):
        return []
    path, value, confidence = found
    return _candidate(page, clause, path=path, value=value, confidence=confidence)


def _from_assignment(page: Page, clause: Span, *, made: Assignment) -> list[Candidate]:
    if made.verb == "bare" and made.path.type == "string" and value_shape(made.path) is None:
        return []
    confidence = {"is": STATED, "change": CHANGED, "set": STATED, "bare": BARE}[made.verb]
    if not made.is_labelled:
        confidence = NEARBY
    values = made.value if isinstance(made.value, list) else [made.value]
    if made.path.is_list or len(values) != 1:
        return []
    return _candidate(page, clause, path=made.path, value=values[0], confidence=confidence)


def _candidate(
    page: Page, clause: Span, *, path: SchemaPath, value: Any, confidence: float
) -> list[Candidate]:
    if path.policy == "never" or (isinstance(value, str) and NOISE.search(value.lower())):
        return []
    span = trim_span(page.text, clause.start, end=clause.end)
    if HEDGE.search(page.folded, clause.start, clause.end):
        confidence = round(confidence - HEDGED, 2)
    return [Candidate(path.path, value, page.text[span.start : span.end], span.start, span.end, confidence)]


def _near_label(page: Page, clause: Span, *, reader: Reader) -> tuple[SchemaPath, Any, float] | None:
    """An identifier or address a little behind its label in one clause: 订单号麻烦查下 AB-5521."""
    folded = page.folded[clause.start : clause.end]
    labels = reader.schema.find_folded_labels(folded)
    visible = NOISE.sub(lambda match: FILLER * len(match[0]), folded) if labels else ""
    for label in labels[:MAX_LABELS]:
        before = page.text[clause.start : clause.start + label.start]
        if value_shape(label.path) is None or THIRD_PARTY.search(folded[: label.start]):
            continue
        if is_others_label(before, path=label.path):
            continue
        found = find_shape(visible[label.end :], label.path)
        if found is None or found.start > MAX_GAP_CHARS:
            continue
        another = OR_ELSE.match(visible, label.end + found.end)
        if another is not None and find_shape(visible[another.end() :], label.path) is not None:
            continue
        begin = clause.start + label.end + found.start
        raw = page.text[begin : clause.start + label.end + found.end]
        try:
            return label.path, normalise_value(label.path, raw, today=reader.today), NEARBY
        except InvalidInput:
            continue
    return None


def _due(page: Page, clause: Span, *, reader: Reader) -> tuple[SchemaPath, Any, float] | None:
    """A day with a word of falling due: 3月底前完成, 下周五交稿, the report is due tomorrow."""
    deadlines = (each for each in reader.schema.paths if each.expires == "deadline" and each.type == "date")
    path = next(deadlines, None)
    folded = page.open[clause.start : clause.end]
    due = DUE.search(folded) or DUE_ACTION.search(folded)
    if path is None or due is None or OVER.search(folded) or is_owned_by_other(folded[: due.start()]):
        return None
    found = find_awaited_dates(page.text[clause.start : clause.end], today=reader.today)
    if len(found) != 1 or not _is_of_business(folded, found[0]):
        return None
    try:
        value = normalise_value(path, found[0].quote, today=reader.today)
    except InvalidInput:
        return None
    return None if value < reader.today.isoformat() else (path, value, IMPLIED)


def _is_of_business(folded: str, day: DateSpan) -> bool:
    """False for an errand (提醒我明天八点开会) and for what falls due beside the work (a passport)."""
    if OWN_AFFAIR.search(folded) or (REMINDS.search(folded) and not PAYS.search(folded)):
        return False
    others = f"{folded[: day.text_start]} {folded[day.text_end :]}"
    return "到期" not in folded or EXPIRES.fullmatch(others) is not None
