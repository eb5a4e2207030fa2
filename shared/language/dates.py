"""Dates in a text, explicit and relative, Chinese and English, as inclusive ranges of days.

Two readings of one grammar: a *row* is read against the day it was said (`find_dates`; 5月6号 is the one
nearest to that day), a *query* against today and the years its scope holds (`find_query_dates`; 5月6号 is
that day of every such year). Invariant: spans lie inside the text; overlapping readings give way to the
longer one; a day that no calendar has (February 30, 2027年2月29日) is no date of a row, nor is its month;
nothing here raises. Holidays, lunar dates and clock times are not read.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Final

from shared.language import date_rules_en, date_rules_zh
from shared.language.calendar_ranges import Calendar
from shared.language.overlaps import Taken
from shared.language.scripts import fold_aligned
from shared.language.sieve import Sieve

_GRAMMARS: Final = tuple(
    (Sieve(pattern.pattern for pattern, _ in rules), rules)
    for rules in (date_rules_zh.RULES, date_rules_en.RULES)
)
_TIME: Final = re.compile(
    r"[年月日号天周]|星期|礼拜|昨|今[早晚]|明[早晚]|上午|下午|早上|晚上|中午|凌晨|小时|分钟|刚才|刚刚|最近|以前|之前|后来|当时"
    r"|\d{1,2}:\d{2}|\b(?:19|20)\d{2}\b"
    r"|\b(?:yesterday|today|tonight|tomorrow|ago|last|next|week(?:s|end)?|months?|years?|days?|hours?|minutes?"
    r"|morning|afternoon|evening|night|recently|since|monday|tuesday|wednesday|thursday|friday|saturday|sunday"
    r"|january|february|march|april|june|july|august|september|october|november|december|spring|summer|autumn"
    r"|winter|[ap]\.?m)\b"
    r"|\b(?:in|on|last|this|next|early|late|since|by|until)\s+may\b|\bmay\s+\d{1,2}\b"
)
_WHEN: Final = re.compile(
    r"什么时候|什么时间|哪天|哪一天|几号|几月|哪年|哪一年|几年|多久|多长时间|何时|几点|星期几|周几|日期|几天"
    r"|\bwhen\b|\bhow long\b|\bhow many (?:days|weeks|months|years)\b"
    r"|\b(?:what|which) (?:date|day|time|month|year|week(?:end)?)\b|\bwhat's the date\b"
)


@dataclass(frozen=True, slots=True)
class DateSpan:
    """The days `start` to `end` (both included) that `quote` = `text[text_start:text_end]` means."""

    start: date
    end: date
    text_start: int
    text_end: int
    quote: str


_BARE_WEEKDAY: Final = re.compile(
    r"(?:on\s+)?(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\.?|(?:周|星期|礼拜)[一二三四五六日天]"
)
_BESIDE: Final = re.compile(r"[\s,，.]*[(（]?\s*(?:the\s+)?")


def find_dates(text: str, *, today: date) -> list[DateSpan]:
    """The dates a row mentions, in text order, read against the day it was said."""
    return _find(text, Calendar(today))


def find_awaited_dates(text: str, *, today: date) -> list[DateSpan]:
    """The same of a text that is to name a day, where "the 25th" is no floor."""
    found = _find(text, Calendar(today))
    if found:
        return found
    pattern, resolve = date_rules_en.BARE_DAY
    matches = list(pattern.finditer(fold_aligned(text)))
    return [
        DateSpan(first, last, *match.span(), text[match.start() : match.end()])
        for match in matches
        for first, last in resolve(match, Calendar(today))
    ]


def find_query_dates(text: str, *, today: date, years: Sequence[int]) -> list[DateSpan]:
    """The dates a query names; one without a year stands once for each of `years`."""
    return _find(text, Calendar(today, tuple(years)))


def may_hold_date(folded: str) -> bool:
    """False where no date stands in a folded text: one look, whatever the day."""
    return any(sieve.may_hold(folded) for sieve, _ in _GRAMMARS)


def cut_spans(text: str, spans: Sequence[DateSpan]) -> str:
    """The text with each span replaced by one space, so that its words do not search for themselves."""
    pieces, position = [], 0
    for span in sorted(spans, key=lambda span: span.text_start):
        if span.text_start >= position:
            pieces.append(text[position : span.text_start])
        position = max(position, span.text_end)
    return " ".join([*pieces, text[position:]])


def has_time_expression(text: str) -> bool:
    """True where the text names a day, a span or a time of day: 昨天晚上, 三个月前, last week, at 5 pm."""
    return _TIME.search(fold_aligned(text)) is not None


def asks_when(text: str) -> bool:
    """True where a question asks for a time: 什么时候, 哪天, when, how long, what date."""
    return _WHEN.search(fold_aligned(text)) is not None


def _find(text: str, calendar: Calendar) -> list[DateSpan]:
    aligned = fold_aligned(text)
    found = sorted(_readings(text, aligned, calendar=calendar), key=lambda reading: _rank(reading[0]))
    kept: list[DateSpan] = []
    taken = Taken()
    for (start, end), spans in found:
        if taken.take(start, end):
            kept.extend(spans)
    return _without_weekdays(
        sorted(kept, key=lambda span: (span.text_start, span.start)), text=text, aligned=aligned
    )


def _without_weekdays(spans: list[DateSpan], *, text: str, aligned: str) -> list[DateSpan]:
    """Return the days with the weekdays before them: "Friday, Dec 18", 周五，12月18号 is one day."""
    kept: list[DateSpan] = []
    for span in spans:
        if kept and _stands_for(kept[-1], span, aligned=aligned):
            begin = kept.pop().text_start
            kept.append(replace(span, text_start=begin, quote=text[begin : span.text_end]))
        else:
            kept.append(span)
    return kept


def _stands_for(span: DateSpan, following: DateSpan, *, aligned: str) -> bool:
    """Whether a span is a bare weekday, and the next one right beside it is the day itself."""
    if following.start != following.end:
        return False
    if _BARE_WEEKDAY.fullmatch(aligned, span.text_start, span.text_end) is None:
        return False
    is_weekday = _BARE_WEEKDAY.fullmatch(aligned, following.text_start, following.text_end)
    return is_weekday is None and _BESIDE.fullmatch(aligned, span.text_end, following.text_start) is not None


def _rank(place: tuple[int, int]) -> tuple[int, int]:
    return place[0] - place[1], place[0]


def _readings(
    text: str, aligned: str, *, calendar: Calendar
) -> Iterator[tuple[tuple[int, int], list[DateSpan]]]:
    for sieve, rules in _GRAMMARS:
        if not sieve.may_hold(aligned):
            continue
        for pattern, resolve in rules:
            for match in pattern.finditer(aligned):
                start, end = match.span()
                ranges = resolve(match, calendar)
                if ranges or (calendar.years is None and _names_a_day(match)):
                    yield (
                        (start, end),
                        [DateSpan(first, last, start, end, text[start:end]) for first, last in ranges],
                    )


def _names_a_day(match: re.Match[str]) -> bool:
    """True for a day of a month. The month alone is not what is meant where it has no such day."""
    groups = match.groupdict()
    return bool(groups.get("day") and groups.get("month")) and "day2" not in groups
