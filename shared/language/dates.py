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
_ENDS_IN_WEEKDAY: Final = re.compile(
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:周|星期|礼拜)[一二三四五六日天])(?![a-z])"
)
_BESIDE: Final = re.compile(r"[\s,，.]*[(（]?\s*(?:the\s+)?")


def find_dates(text: str, *, today: date) -> list[DateSpan]:
    """The dates a row mentions, in text order, read against the day it was said."""
    return _find(text, Calendar(today))


def names_impossible_day(text: str, *, today: date) -> bool:
    """True where a text names a day that no calendar has: 2月30日, "Feb 30"."""
    return any(not spans for _, spans in _readings(text, fold_aligned(text), calendar=Calendar(today)))


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
    return join_weekdays(sorted(kept, key=lambda span: (span.text_start, span.start)), text=text)


def join_weekdays(spans: list[DateSpan], *, text: str) -> list[DateSpan]:
    """Return the days with the weekdays beside them: "Friday, Dec 18", 12月18号周五 is one day.

    A weekday belongs to the day behind it, and else to the one before it. Of days in order of the text.
    """
    aligned = fold_aligned(text)
    led = _joined(spans, text, aligned=aligned, day_is_last=True)
    return _joined(led, text, aligned=aligned, day_is_last=False)


def _joined(spans: list[DateSpan], text: str, *, aligned: str, day_is_last: bool) -> list[DateSpan]:
    kept: list[DateSpan] = []
    for span in spans:
        before = kept[-1] if kept else None
        if before is not None and _BESIDE.fullmatch(aligned, before.text_end, span.text_start):
            weekday, day = (before, span) if day_is_last else (span, before)
            if _stands_for(weekday, day, aligned=aligned):
                begin, end = before.text_start, span.text_end
                kept[-1] = replace(day, text_start=begin, text_end=end, quote=text[begin:end])
                continue
        kept.append(span)
    return kept


def _stands_for(weekday: DateSpan, day: DateSpan, *, aligned: str) -> bool:
    """Whether the first is a weekday alone, or one that means the very day that the other one is."""
    if day.start != day.end or _BARE_WEEKDAY.fullmatch(aligned, day.text_start, day.text_end):
        return False
    if _BARE_WEEKDAY.fullmatch(aligned, weekday.text_start, weekday.text_end):
        return True
    is_weekday = _ENDS_IN_WEEKDAY.search(aligned, weekday.text_start, weekday.text_end) is not None
    return is_weekday and (weekday.start, weekday.end) == (day.start, day.end)


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
