"""The values of one shape that a short text holds: times, dates, ratios, versions, codes, numbers. Pure.

At 18:05 on May 3, 3:2, 2.4.1, PROJ-7, 1,250.50 euros, 下午7点15分, 12台: each is found whole, with the part
that a new value may leave unsaid (pm, 下午, the year, the unit). Invariant: values do not overlap, and every
digit of the text lies in one, so that nobody who looks here cuts a value in two.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Final, Literal

from shared.language.dates import find_dates
from shared.language.numbers import NumberSpan, find_numbers
from shared.language.scripts import fold_aligned

Shape = Literal["time", "ratio", "date", "range", "version", "code", "number", "ordinal", "address"]

_ANY_DAY: Final = date(2000, 1, 1)
"""Dates are only looked for here: what day they mean does not matter."""

_HOUR_ZH: Final = r"(?:\d{1,2}|[零一二两三四五六七八九十]{1,3})"
_PART_ZH: Final = r"(?:凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|夜里|半夜)"
_HOUR_EN: Final = r"(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
_MINUTES_EN: Final = r"(?:five|ten|twenty|\d{1,2})"
"""Of an hour to come they are told with "at": 15 to 20 people are no time."""

_ADDRESS: Final = re.compile(r"https?://[^\s，。]+|(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+", re.ASCII)
_CLOCK: Final = re.compile(
    rf"(?<![\d:.])(?P<part>{_PART_ZH}\s?)?(?P<core>(?P<hour>\d{{1,2}}):(?P<minute>\d{{2}})(?::\d{{2}})?)(?![\d:])(?P<after>\s?[ap]\.?m\b)?"
)
_RATIO: Final = re.compile(r"(?<![\d:.])\d{1,9}(?:\.\d{1,9})?(?:\s?:\s?\d{1,9}(?:\.\d{1,9})?)+(?![\d:])")
_TIMES: Final = (
    re.compile(
        rf"(?P<part>{_PART_ZH})?(?P<core>(?<![\d.一二三四五六七八九十第])(?!一点(?![钟整半零一二三四五六七八九十\d]))"
        rf"{_HOUR_ZH}[点點时](?!多|建议|意见|[间候代之水])(?:钟|整|半|[一三]刻|{_HOUR_ZH}(?!\d)分?)?)"
    ),
    re.compile(r"(?<![\d:.])(?P<core>\d{1,2}(?:[.:]\d{2})?)(?P<after>\s?[ap]\.?m\b)"),
    re.compile(rf"\b(?P<core>{_HOUR_EN}\s?o'clock)"),
    re.compile(
        rf"\b(?P<core>(?:(?:half|(?:a\s)?quarter)\s(?:past|to)|{_MINUTES_EN}\spast|(?<=\bat\s){_MINUTES_EN}\sto)\s{_HOUR_EN})\b(?!:)"
    ),
    re.compile(r"(?P<core>\b(?:noon|midnight)\b|正午|中午|午夜)"),
)
_AT_HOUR: Final = re.compile(
    r"\bat\s(?P<core>\d{1,2})(?=$|\s(?:in|on|with|and|every|from|for|at|today|tomorrow|sharp|each|by)\b|[,.;!?])"
)
_DATE_LEAD: Final = re.compile(r"(?:(?:in|on|at|by|since|until|before|after|during|from)\s+|(?:在|于))+")
_SLASHED: Final = re.compile(r"(?<![\d/])\d{1,2}/\d{1,2}(?:/\d{2,4})?(?![\d/])")
_RANGE: Final = re.compile(r"[到至~～–—]|\s-\s|\b(?:to|until|till|through|between)\b")
_YEAR: Final = re.compile(r"(?:19|20)\d{2}")
_YEAR_BEFORE: Final = re.compile(
    r"(?:(?:19|20)\d{2}|[今明去后前]|[零〇一二三四五六七八九]{4})年(?=.*[月日号])"
)
_YEAR_AFTER: Final = re.compile(r",?\s+(?:19|20)\d{2}$")
_VERSION: Final = re.compile(
    r"(?<![a-z\d.])(?:v\s?\d+(?:\.\d+)*|\d+(?:\.\d+){2,})(?:[-+][a-z0-9.]*[a-z0-9])?(?![\d])"
)
_PHONE: Final = re.compile(r"\+\d[\d -]{6,15}\d|(?<!\d)\d{7,}(?![\d.,])")
_ORDINAL: Final = re.compile(r"\b\d+(?:st|nd|rd|th)\b|第(?:\d+|[一二三四五六七八九十百]+)")
_TOKEN: Final = re.compile(r"[a-z0-9]+(?:[-_/#][a-z0-9]+)*")
_DIGIT: Final = re.compile(r"\d+")
_SCALE: Final = re.compile(r"[百千万亿]|\d\s?[kmb]|thousand|million|billion|hundred")
_NUMERAL: Final = re.compile(
    r"[-−]?[\d一二两三四五六七八九十百千万亿零〇半.,]+(?:\s?(?:[km]|bn?)(?![a-z])|\s(?:thousand|million|billion)\b)?"
)
_LENGTH: Final = re.compile(r"(?P<core>\d+(?:\.\d+)?)\s?[mb]")
"""1.75 m is a length, and no million."""

_POINT: Final = re.compile(r"\d+\.\d+")
_WHOLE: Final = re.compile(r"\d{1,6}")


@dataclass(frozen=True, slots=True)
class Shaped:
    """A value of a text: [start:end] is all of it, [core_start:core_end] what no new value leaves unsaid.

    `shapes` are all that it may be (7:45 may be a time or a ratio); `number` is there where it is one.
    """

    shapes: frozenset[Shape]
    start: int
    end: int
    core_start: int
    core_end: int
    quote: str
    number: NumberSpan | None = None

    @property
    def is_whole_number(self) -> bool:
        """True for 5, 12: plain digits, which may also be an hour or a code."""
        return _WHOLE.fullmatch(self.quote) is not None

    @property
    def is_year(self) -> bool:
        """True for 2026, 2026年: no day of it."""
        return _YEAR.fullmatch(fold_aligned(self.quote).removesuffix("年")) is not None

    @property
    def has_more(self) -> bool:
        """True where something stands beside the core: a unit, pm, the year."""
        return (self.core_start, self.core_end) != (self.start, self.end)

    @property
    def is_scaled(self) -> bool:
        """True for 55万, 500k: of 60 said in its place nobody knows the scale."""
        return self.number is not None and _SCALE.search(fold_aligned(self.quote)) is not None

    @property
    def value(self) -> Decimal | None:
        """The number that it is."""
        return self.number.value if self.number else None


def find_shaped(text: str) -> list[Shaped]:
    """The values of a short text in order; the longest reading of a place is taken."""
    folded = fold_aligned(text).replace("’", "'")
    taken = [False] * len(text)
    found: list[Shaped] = []
    for value in _candidates(text, folded):
        if not any(taken[value.start : value.end]):
            taken[value.start : value.end] = [True] * (value.end - value.start)
            found.append(value)
    for match in _DIGIT.finditer(folded):  # what is left of a run that something took a part of
        left = [place for place in range(*match.span()) if not taken[place]]
        if left:
            found.append(_plain(text, (left[0], left[-1] + 1), "code"))
    return sorted(found, key=lambda value: value.start)


def _candidates(text: str, folded: str) -> Iterator[Shaped]:
    for match in _ADDRESS.finditer(folded):
        yield _plain(text, match.span(), "address")
    yield from _times(text, folded)
    yield from _dates(text, folded)
    for match in _VERSION.finditer(folded):
        yield _plain(text, match.span(), "version")
    for match in _PHONE.finditer(folded):
        yield _plain(text, match.span(), "code")
    for match in _AT_HOUR.finditer(folded):
        yield _plain(text, match.span("core"), "time", "number")
    for match in _ORDINAL.finditer(folded):
        yield _plain(text, match.span(), "ordinal")
    numbers = find_numbers(text)
    owner = {place: number for number in numbers for place in range(number.start, number.end)}
    for match in _TOKEN.finditer(folded):
        amount = owner.get(match.start())
        is_amount = amount is not None and match.end() <= amount.end
        if not is_amount and _DIGIT.search(match[0]) and not match[0].isdigit():
            yield _plain(text, match.span(), "code")
    for number in numbers:
        yield _number(number)
    for match in _DIGIT.finditer(folded):
        yield _plain(text, match.span(), "code")


def _plain(text: str, span: tuple[int, int], *shapes: Shape) -> Shaped:
    start, end = span
    return Shaped(frozenset(shapes), start, end, start, end, text[start:end])


def _times(text: str, folded: str) -> Iterator[Shaped]:
    for match in _CLOCK.finditer(folded):
        is_time = int(match["hour"]) <= 24 and int(match["minute"]) < 60  # noqa: PLR2004 (hours, minutes)
        if is_time:
            shapes: set[Shape] = {"time"} if match["part"] or match["after"] else {"time", "ratio"}
            yield Shaped(frozenset(shapes), *match.span(), *match.span("core"), text[slice(*match.span())])
    for match in _RATIO.finditer(folded):
        yield _plain(text, match.span(), "ratio")
    for pattern in _TIMES:
        for match in pattern.finditer(folded):
            start, end = match.span()
            yield Shaped(frozenset({"time"}), start, end, *match.span("core"), text[start:end])


def _dates(text: str, folded: str) -> Iterator[Shaped]:
    for found in find_dates(text, today=_ANY_DAY):
        lead = _DATE_LEAD.match(folded, found.text_start, found.text_end)
        start, end = lead.end() if lead else found.text_start, found.text_end
        if start >= end:
            continue
        said = folded[start:end]
        shapes: set[Shape] = {"date", "number"} if _YEAR.fullmatch(said) else {"date"}
        if _RANGE.search(said):
            yield _plain(text, (start, end), "range")
            continue
        before, after = _YEAR_BEFORE.match(said), _YEAR_AFTER.search(said)
        core_start = start + (before.end() if before else 0)
        core_end = start + after.start() if after else end
        yield Shaped(frozenset(shapes), start, end, core_start, core_end, text[start:end])
    for match in _SLASHED.finditer(folded):
        yield _plain(text, match.span(), "date", "ratio")


def _number(number: NumberSpan) -> Shaped:
    quote = fold_aligned(number.quote)
    length, numeral = _LENGTH.fullmatch(quote), _NUMERAL.search(quote)
    start, end = 0, len(quote)
    if length is not None and number.value == Decimal(length["core"]):
        start, end = length.span("core")
    elif numeral is not None and number.unit is not None:
        start, end = numeral.span()
    elif numeral is None and number.unit is not None and " " in quote:
        end = quote.rindex(" ")
    shapes: set[Shape] = {"number", "version"} if _POINT.fullmatch(quote) else {"number"}
    if _YEAR.fullmatch(quote):
        shapes.add("date")
    core = number.start + start, number.start + end
    return Shaped(frozenset(shapes), number.start, number.end, *core, number.quote, number)
