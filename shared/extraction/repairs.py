"""The value that a clause's value gives way to: "Set it to 500k, no, 600k. No wait, 700k." Pure.

The one put in its place stands behind it in the same sentence, or in the next ones where these open with the
words that take back (不对 / no wait / sorry). Numbers, days and shapes are told by being of the same kind;
of a plain text (a name, a role) that cannot be seen, so over the end of a sentence it needs words that leave
no doubt (不对，是小红 / "I meant Tim" / "it's Tim"): "My name is Tom. Sorry, it's late." keeps Tom.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from itertools import islice
from typing import Any, Final

from shared.extraction import command_words_en as en
from shared.extraction import command_words_zh as zh
from shared.extraction.assignments import Reader, read_assignment, read_value
from shared.extraction.field_shapes import value_shape
from shared.extraction.pages import Page, Sentence, Span
from shared.ltm.schema import SchemaPath

MAX_FOLLOWING: Final = 8
"""Clauses behind the value that are looked at."""

MAX_SENTENCE_CHARS: Final = 300
"""A longer sentence says more than another value."""

WEAK: Final = re.compile(
    r"[\s,，]*(?:(?:哦|啊|呃|嗯|哎|诶|噢){0,2}不{1,2}|[哎啊]呀|抱歉|对不起|不好意思"
    r"|(?:(?:oh|um|uh|er|well|actually)\s+){0,2}(?:no|nope|actually|sorry|oops|wait|hold\s+on))\s*$"
)
"""What takes a value back only where another of its kind follows: "May 1, no, May 2"."""

EXPLICIT: Final = re.compile(
    r"[说打记写讲算看弄搞]错|口误|更正|纠正|(?:应该|其实)是|改[成为]|不(?:对|是)[\s,，.。!！]{0,4}是"
    r"|\b(?:scratch|strike)\s+that\b|\bi\s+mean(?:t)?\b|\bcorrection\b|\bmisspoke\b|\bmy\s+mistake\b|\bshould\s+be\b"
)
"""What says by itself that something else was meant."""

_MARKS: Final = " \t\r\n，,。.；;：:!！…—–-"
_LEAD: Final = re.compile(
    r"\s*(?:(?:应该|其实|正确的)?是|为|it's\b|it\s+is\b|(?:it\s+)?should\s+be\b|(?:make|i\s+mean(?:t)?)\s+(?:it|that)\b|i\s+mean(?:t)?\b)\s*"
)
_NO_TEXT: Final = re.compile(
    r"\s*(?:[你您我咱他她它这那别请谢先再]"
    r"|(?:i|i'm|i'll|i've|you|you're|we|he|she|they|it|it's|that|that's|this|there|gotta|got|let|let's|please|thanks|thank|never|don't|wait|my|the)\b)"
)
"""What opens talk of something else, never the text of a field that was just named."""


def last_value(
    page: Page, clause: Span, *, sentence: Sentence, path: SchemaPath, reader: Reader
) -> tuple[Any, int] | None:
    """The last value said in place of the clause's one, and where it ends; None where none is."""
    if sentence.is_marked_question:
        return None
    found: tuple[Any, int] | None = None
    takes_back = is_explicit = False
    for each in islice(_following(page, clause, sentence=sentence), MAX_FOLLOWING):
        match = match_repair(page, each)
        begin = match.end() if match else each.start
        if match is None and takes_back:
            lead = _LEAD.match(page.folded, begin, each.end)
            begin = lead.end() if lead else begin
            is_explicit = is_explicit or (lead is not None and not page.text[begin : begin + 1].islower())
        takes_back = takes_back or match is not None
        is_explicit = is_explicit or EXPLICIT.search(page.folded, each.start, begin) is not None
        if not page.text[begin : each.end].strip():
            continue
        doubts = each.start >= sentence.end and not is_explicit
        value = (
            _read_again(page, Span(begin, each.end), path=path, reader=reader, doubts=doubts)
            if takes_back
            else None
        )
        if value is None:
            break
        found, takes_back, is_explicit = (value, each.end), False, False
    return found


def is_taken_back(page: Page, clause: Span, *, sentence: Sentence) -> bool:
    """True where what follows a clause takes it back with nothing in its place: 当我没说 / "scratch that"."""
    rest = page.folded[clause.end : sentence.end]
    if rest.strip(_MARKS):
        return _retracts(rest)
    place = bisect_right(page.sentences, sentence.end, key=lambda each: each.start)
    following = page.sentences[place : place + 1]
    return any(_retracts(page.folded[each.start : each.end]) for each in following)


def _retracts(words: str) -> bool:
    if len(words) > MAX_SENTENCE_CHARS:
        return False
    words = words.strip(_MARKS)
    return bool(zh.RETRACT.fullmatch(words) or en.RETRACT.fullmatch(words))


def match_repair(page: Page, clause: Span) -> re.Match[str] | None:
    """The words of taking back that the clause opens with; None where it opens with none."""
    span = (page.folded, clause.start, clause.end)
    return zh.REPAIR.match(*span) or en.REPAIR.match(*span) or WEAK.match(*span)


def next_repairs(page: Page, start: int) -> Iterator[Sentence]:
    """The sentences right behind text[:start] that open with words of taking back and ask nothing."""
    first = bisect_right(page.sentences, start, key=lambda each: each.start)
    is_open = False
    for sentence in islice(page.sentences, first, first + MAX_FOLLOWING):
        if any(character.isalnum() for character in page.text[start : sentence.start]):
            return
        if sentence.is_marked_question or sentence.end - sentence.start > MAX_SENTENCE_CHARS:
            return
        if not sentence.clauses or not (is_open or match_repair(page, sentence.clauses[0])):
            return
        yield sentence
        start, is_open = sentence.end, all(is_only_repair(page, each) for each in sentence.clauses)


def _following(page: Page, clause: Span, *, sentence: Sentence) -> Iterator[Span]:
    yield from (each for each in sentence.clauses if each.start >= clause.end)
    for later in next_repairs(page, sentence.end):
        yield from later.clauses


def is_only_repair(page: Page, clause: Span) -> bool:
    """True for words of taking back and no more: 不对 / "no wait"."""
    match = match_repair(page, clause)
    return match is not None and not page.text[match.end() : clause.end].strip()


def _read_again(page: Page, span: Span, *, path: SchemaPath, reader: Reader, doubts: bool) -> Any | None:
    """The value that text[span] gives the path anew, with its label or without; None where it gives none."""
    made = read_assignment(page, span, reader=reader, strict=True)
    if made is not None and made.is_labelled:
        return made.value if made.path == path else None
    is_text = path.type not in {"number", "integer", "date", "datetime"} and value_shape(path) is None
    if is_text and (doubts or _NO_TEXT.match(page.folded, span.start, span.end)):
        return None
    return read_value(page, span, path=path, reader=reader)
