"""Readings of a label with its value in one clause: 我的邮箱是dev@abc.com, set the budget ceiling to 500k.

Whose value it is decides: 我老婆的手机号是… and "my wife's phone is …" are nobody's field. A value must fill
the clause (an amount with its unit, a day with 之前), else the clause says something else about the label and
is no assignment. Shapes (e-mail, telephone, identifier) may follow their label without a verb.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, tzinfo
from itertools import islice
from typing import Any, Final, Literal

from shared.errors import InvalidInput
from shared.extraction.assignment_words import (
    AFTER_NUMBER,
    BEFORE_NUMBER,
    BUSINESS,
    CHANGE_LEAD,
    COMPANY,
    DAY_FIRST,
    EVERYDAY_NOUNS,
    FIRST_PERSON,
    LATER,
    LEAD_IN,
    LINK_EN,
    LINK_ZH,
    MONEY_CUE,
    NAME_CUE,
    NO_NAME,
    NO_VALUE,
    NOUNS_OF_WORK,
    OF_A_THING,
    OWNER,
    PER_PERSON,
    PER_TIME,
    PLACED,
    PREDICATE,
    REMARK,
    SMILEY,
    TAIL_EN,
    TAIL_ZH,
)
from shared.extraction.field_shapes import find_shape, is_plain_text, value_shape
from shared.extraction.pages import Page, Span, trim_span
from shared.extraction.said_moments import read_moment
from shared.language.amounts import write_out_scales
from shared.language.numbers import NumberSpan, find_numbers
from shared.language.scripts import fold_aligned
from shared.ltm.schema import LabelSpan, Schema, SchemaPath, normalise_value, split_items

Verb = Literal["is", "change", "set", "bare"]

MAX_CLAUSE_CHARS: Final = 600
"""A longer clause gives no value: it is remembered as a text or not at all."""

MAX_LABELS: Final = 8
"""Labels of one clause that are tried, and places at which it is cut."""

MAX_STRING_CHARS: Final = 60
MAX_NAME_CHARS: Final = 24
_QUOTES: Final = "\"'“”‘’「」『』`《》"
_MARKUP: Final = re.compile(r"[{}\"“”]")
"""What a value in plain words never holds; a pair of quotation marks around all of it is taken off before."""

_SOLE_NUMERAL: Final = re.compile(r"\s*(?P<numeral>[一二两三四五六七八九十])[\s。.!！吧了]*")
_BARS_SOMETHING: Final = re.compile(
    r"不(?![知清重变确多够太是行对定明一存少急]|用说)|no\s+(?!idea|longer|more\b|one\b|values?|changes?|limits?|constraints?|restrictions?)"
)
"""A rule that says what must not be is a value of a list: 约束条件：不加班, "constraints: no overtime"."""

_FIELD_NOUN: Final = re.compile(
    r"(?:\s+(?:list|field|value|setting|from memory)|列表|清单|字段|这个字段|信息|记录|这一项|这条)$"
)
_PAST: Final = frozenset({"was", "were"})
"""The deadline was Monday: it is over, and none to come."""

_SHAPE_MARKS: Final = re.compile(r"[\s:：\"'“”「」『』`（(=是#]*")
_SHAPE_REST: Final = re.compile(
    r"(?:[\s。.!！)）\"'”」』`~]|吧"
    r"|啊|哦|呀|了|哈|就行|就好|才[对是]"
    r"|这个|谢谢|please|pls|plz|thx|thanks|thank you|now|then|instead|for me)*"
)


@dataclass(frozen=True, slots=True)
class Assignment:
    """A value given to a path in text[start:end]; `verb` tells how: it is, changes, is set."""

    path: SchemaPath
    value: Any
    verb: Verb
    start: int
    end: int
    is_labelled: bool = True
    is_owned: bool = True
    """False where the label names a thing of any page, and nobody says whose: set the scope to global."""


@dataclass(frozen=True, slots=True)
class Reader:
    """What a text is read with: the schema, the day relative dates are read against, the user's zone.

    A moment that is said without a zone is one of that zone; None leaves it without.
    """

    schema: Schema
    today: date
    zone: tzinfo | None = None


def read_assignment(page: Page, span: Span, *, reader: Reader, strict: bool = False) -> Assignment | None:
    """The value that the clause text[span] gives to a path; None where it gives none.

    Args:
        page: the message.
        span: one clause of it.
        reader: schema and day.
        strict: read as a plain statement: a personal path needs its owner named.
    """
    if span.end - span.start > MAX_CLAUSE_CHARS:
        return None
    folded = page.folded[span.start : span.end]
    begin = _lead_in(folded, 0)
    lead = CHANGE_LEAD.match(folded, begin)
    begin = lead.end() if lead else begin
    for label in reader.schema.find_folded_labels(folded)[:MAX_LABELS]:
        if label.start < begin or not _is_own(label, folded[begin : label.start], strict=strict):
            continue
        found = _read_after(page, span, label=label, reader=reader)
        if label.words in NOUNS_OF_WORK and OF_A_THING.match(folded, label.end):
            continue
        if found is not None:
            changes = lead is not None and lead["change"] is not None
            found = _per_person(folded, found, reader=reader)
            if found and is_of_any_page(label.words, folded[: label.start]):
                if strict and (lead is not None or found.verb in {"change", "set"}):
                    continue
                found = replace(found, is_owned=False)
            return replace(found, verb="change") if changes and found else found
    return (
        _read_name(page, span, begin=begin, reader=reader)
        or _read_per_person(page, span, reader=reader)
        or _read_day_first(page, span, begin=begin, reader=reader)
    )


def _read_day_first(page: Page, span: Span, *, begin: int, reader: Reader) -> Assignment | None:
    """A day that the clause calls a deadline: 下周五截止, "next Friday is the deadline"."""
    folded = page.folded[span.start : span.end]
    named = DAY_FIRST.search(folded, begin)
    if named is None:
        return None
    paths = (each for each in reader.schema.paths if each.expires == "deadline" and each.type == "date")
    path = next(paths, None)
    value = path and read_value(
        page, Span(span.start + begin, span.start + named.start()), path=path, reader=reader
    )
    if path is None or value is None:
        return None
    return Assignment(path, value, "is", span.start, span.end, is_labelled=False)


def split_clause(page: Page, piece: Span, *, reader: Reader) -> Iterator[Span]:
    """A clause cut where a further label begins: my email is … and my phone is … ."""
    start = piece.start
    for match in islice(LATER.finditer(page.open, piece.start, piece.end), MAX_LABELS):
        later, earlier = Span(match.end(), piece.end), Span(start, match.start())
        if read_assignment(page, earlier, reader=reader) and _opens_label(page, later, reader=reader):
            yield earlier
            start = match.end()
    yield Span(start, piece.end)


def _opens_label(page: Page, span: Span, *, reader: Reader) -> bool:
    labels = reader.schema.find_folded_labels(page.folded[span.start : min(span.end, span.start + 40)])
    return bool(labels)


def read_label(folded: str, schema: Schema) -> SchemaPath | None:
    """The path that a whole phrase names, with or without its owner: 我的邮箱, the budget ceiling."""
    phrase = folded.strip(" \t，,。.:：的里中吧了\"'“”")
    return _whole_label(phrase, schema) or _whole_label(_FIELD_NOUN.sub("", phrase), schema)


def _whole_label(phrase: str, schema: Schema) -> SchemaPath | None:
    for label in schema.find_folded_labels(phrase):
        if label.end == len(phrase) and _is_own(label, phrase[: label.start], strict=False):
            return label.path
    return None


def read_value(page: Page, span: Span, *, path: SchemaPath, reader: Reader) -> Any | None:
    """The normal form of the value that fills text[span]; None where it is no value of this path."""
    remark = REMARK.search(page.folded, span.start, span.end) if _may_follow_bare(path) else None
    span = Span(span.start, remark.start()) if remark else span
    try:
        return _read_typed(page, span, path=path, reader=reader)
    except InvalidInput:
        return None


def _lead_in(folded: str, start: int) -> int:
    match = LEAD_IN.match(folded, start)
    return match.end() if match else start


def is_of_any_page(label: str, before: str) -> bool:
    """True where a label, folded, is an everyday noun and the words before it name no owner."""
    return label in NOUNS_OF_WORK and OWNER.search(before) is None


def _is_own(label: LabelSpan, before: str, *, strict: bool) -> bool:
    is_everyday = label.words in EVERYDAY_NOUNS
    before = before.strip(_QUOTES + " ")
    if is_everyday and not re.search(r"我|my\b|our\b", before):
        return False
    before = before + " " if before.isascii() and before else before
    personal = label.path.path.startswith("user")
    if personal and "company" not in label.path.path:
        allowed = FIRST_PERSON.fullmatch(before) is not None
        return allowed or (not strict and before in {"the ", "that ", "your "})
    pattern = COMPANY if personal else BUSINESS
    return pattern.fullmatch(before) is not None or FIRST_PERSON.fullmatch(before) is not None


def _read_after(page: Page, span: Span, *, label: LabelSpan, reader: Reader) -> Assignment | None:
    folded = page.folded[span.start : span.end]
    closing = folded[label.end : label.end + 1]
    is_quoted = closing != "" and closing in _QUOTES and not folded.startswith("'s", label.end)
    after = label.end + is_quoted
    found: Assignment | None = None
    for pattern in (LINK_ZH, LINK_EN):
        match = pattern.match(folded, after)
        if match is None or (label.path.expires == "deadline" and match["is"] in _PAST):
            continue
        if match["is"] == "by" and label.path.type in {"number", "integer"}:
            continue  # increase the budget by 100k tells by how much, not how much it is
        verb = _verb_of(match)
        if verb == "bare" and (found or not _may_follow_bare(label.path)):
            continue
        if is_plain_text(label.path) and _is_placed(match[0], path=label.path):
            continue
        value = read_value(page, Span(span.start + match.end(), span.end), path=label.path, reader=reader)
        if value is not None and (found is None or verb != "bare"):
            found = Assignment(label.path, value, verb, span.start, span.end)
        if found is not None and found.verb != "bare":
            return found
    return found


def _verb_of(match: re.Match[str]) -> Verb:
    if match["change"]:
        return "change"
    if match["set"]:
        return "set"
    return "is" if match["is"] else "bare"


def _is_placed(link: str, *, path: SchemaPath) -> bool:
    """True where the words tell where a thing stands: my name is on …, 我的名字在…; a phase may be 在测试."""
    return PLACED.search(link) is not None and (link.isascii() or path.path.startswith("user"))


def _may_follow_bare(path: SchemaPath) -> bool:
    return path.type in {"number", "integer", "date"} or value_shape(path) is not None


def _read_typed(page: Page, span: Span, *, path: SchemaPath, reader: Reader) -> Any | None:
    folded, text = page.folded[span.start : span.end], page.text[span.start : span.end]
    if path.type in {"number", "integer"}:
        number = _plain_number(text, folded, path=path)
        return None if number is None else normalise_value(path, number, today=reader.today)
    if path.type in {"date", "datetime"}:
        return read_moment(text, folded, path=path, today=reader.today, zone=reader.zone)
    if value_shape(path) is not None:
        return _read_shaped(text, folded, path=path)
    if path.type == "boolean":
        return normalise_value(path, trim_span_text(text), today=reader.today)
    if path.type == "object":
        return None
    return _read_string(text, folded, path=path, reader=reader)


def _plain_number(text: str, folded: str, *, path: SchemaPath) -> int | float | str | None:
    numeral = _SOLE_NUMERAL.fullmatch(folded)
    if numeral is not None:
        return numeral["numeral"]
    number = _sole_number(text, folded, path=path)
    return None if number is None else _plain(number)


def _plain(number: NumberSpan) -> int | float:
    value = number.value
    return int(value) if value == value.to_integral_value() else float(value)


def _sole_number(text: str, folded: str, *, path: SchemaPath) -> NumberSpan | None:
    money = path.is_money
    if money:
        text = write_out_scales(text)
        folded = fold_aligned(text)
    found = find_numbers(text)
    if len(found) != 1:
        return None
    number = found[0]
    if money and not (number.unit in {None, "人"} or re.fullmatch("[A-Z]{3}", number.unit or "")):
        return None
    before, after = folded[: number.start], folded[number.end :]
    fits = BEFORE_NUMBER.fullmatch(before) and AFTER_NUMBER.fullmatch(after)
    return number if fits else None


def _read_shaped(text: str, folded: str, *, path: SchemaPath) -> str | None:
    start = _SHAPE_MARKS.match(folded)
    begin = start.end() if start else 0
    found = find_shape(folded[begin:], path)
    if found is None or found.start != 0 or not _SHAPE_REST.fullmatch(folded, begin + found.end):
        return None
    return unicodedata.normalize("NFKC", text[begin : begin + found.end]).strip()


def trim_span_text(text: str) -> str:
    """The text without spaces, marks and one pair of quotation marks around it."""
    span = trim_span(text, 0, end=len(text))
    trimmed = text[span.start : span.end]
    items = split_items(trimmed) if trimmed[:1] in _QUOTES else []
    return items[0] if len(items) == 1 else trimmed


def _read_string(text: str, folded: str, *, path: SchemaPath, reader: Reader) -> Any | None:
    smiley = SMILEY.search(folded)
    end = smiley.start() if smiley else len(folded)
    for pattern in (TAIL_EN, TAIL_ZH):
        match = pattern.search(folded[:end].rstrip(" 。.!！~～"))
        end = match.start() if match else end
    value = trim_span_text(text[:end])
    if not value or len(value) > MAX_STRING_CHARS or _MARKUP.search(value):
        return None
    words = folded.lstrip(_QUOTES + " ")
    if NO_VALUE.match(words) and not (path.is_list and _BARS_SOMETHING.match(words)):
        return None
    if is_plain_text(path) and value == value.lower() and PREDICATE.fullmatch(fold_aligned(value)):
        return None
    if is_plain_text(path) and value.endswith("的"):
        return None
    if path.leaf == "name" and (len(value) > MAX_NAME_CHARS or any(ch.isdigit() for ch in value)):
        return None
    return normalise_value(path, value, today=reader.today)


def _read_name(page: Page, span: Span, *, begin: int, reader: Reader) -> Assignment | None:
    path = next((each for each in reader.schema.paths if each.path == "user_profile.name"), None)
    match = NAME_CUE.match(page.folded, span.start + begin, span.end)
    if path is None or match is None or NO_NAME.match(page.folded, match.end(), span.end):
        return None
    value = read_value(page, Span(match.end(), span.end), path=path, reader=reader)
    return None if value is None else Assignment(path, value, "is", span.start, span.end, is_labelled=False)


def _per_person(folded: str, found: Assignment, *, reader: Reader) -> Assignment | None:
    """A budget said per person is another field: the travel budget is 1200 per person."""
    path = next((each for each in reader.schema.paths if each.leaf == "per_person"), None)
    if path is None or found.path.type != path.type or "budget" not in found.path.path:
        return found
    if not PER_PERSON.search(folded):
        return found
    return None if PER_TIME.search(folded) else replace(found, path=path)


def _read_per_person(page: Page, span: Span, *, reader: Reader) -> Assignment | None:
    path = next((each for each in reader.schema.paths if each.leaf == "per_person"), None)
    folded = page.folded[span.start : span.end]
    if path is None or not MONEY_CUE.search(folded) or not PER_PERSON.search(folded):
        return None
    if PER_TIME.search(folded):
        return None
    found = find_numbers(page.text[span.start : span.end])
    money = [each for each in found if each.unit is None or re.fullmatch("[A-Z]{3}", each.unit)]
    if len(found) != 1 or len(money) != 1 or not AFTER_NUMBER.fullmatch(folded[money[0].end :]):
        return None
    try:
        value = normalise_value(path, _plain(money[0]), today=reader.today)
    except InvalidInput:
        return None
    return Assignment(path, value, "is", span.start, span.end, is_labelled=False)
