"""The day that a text is to name, and nothing else: the value of a field, an answer to a question. Pure.

More is read here than in a row (`dates`), where the same words may mean something else: "the 25th" is no
floor, "Mon" before a day no word cut short, 元旦 and Christmas the next ones to come. A weekday said beside
its day must be the weekday of that day: one of the two is wrong, and nobody knows which.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date
from typing import Final

from shared.language import date_rules_en
from shared.language.calendar_ranges import Calendar, day_range, full_year
from shared.language.dates import DateSpan, find_dates, join_weekdays, names_impossible_day
from shared.language.scripts import fold_aligned

_HOLIDAYS: Final = {
    "元旦": (1, 1),
    "劳动节": (5, 1),
    "国庆": (10, 1),
    "平安夜": (12, 24),
    "圣诞": (12, 25),
    "new year's day": (1, 1),
    "new years day": (1, 1),
    "christmas eve": (12, 24),
    "christmas": (12, 25),
    "xmas": (12, 25),
    "new year's eve": (12, 31),
    "new years eve": (12, 31),
}
"""Those of a fixed day that are called so everywhere; Easter and 春节 move."""

_HOLIDAY: Final = re.compile(
    r"(?:(?P<word>[今明])年的?|(?P<before>(?:19|20)\d{2})年?的?)?(?P<zh>元旦|劳动节|国庆|平安夜|圣诞(?![夜老树]|前夕))节?"
    r"|\b(?P<en>new\s+year['’]?s\s+(?:day|eve)|christmas\s+eve|christmas|xmas)(?:\s+day)?\b(?:,?\s+(?P<after>(?:19|20)\d{2})(?!\d))?"
)
_SHORT_WEEKDAY: Final = re.compile(r"\b(?:mon|tues?|wed|thu(?:rs?)?|fri|sat|sun)\.?[\s,]+(?:the\s+)?$")
_MOST_BEFORE: Final = 12
_WEEKDAY: Final = re.compile(
    r"\b(?P<en>mon|tue|wed|thu|fri|sat|sun)(?:day|s|sday|nesday|r|rs|rsday|urday)?(?![a-z])"
    r"|(?:周|星期|礼拜)(?P<zh>[一二三四五六日天])"
)
_NAMES_EN: Final = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_NAMES_ZH: Final = "一二三四五六日"


def find_awaited_dates(text: str, *, today: date) -> list[DateSpan]:
    """The days that a text names, in its order, where it is to name one."""
    aligned = fold_aligned(text)
    found = list(_holidays(text, aligned, today=today))
    found += _apart(find_dates(text, today=today), found)
    found += _apart(list(_bare_days(text, aligned, today=today)), found)
    found.sort(key=lambda span: (span.text_start, span.start))
    return [_from_short_weekday(span, text, aligned=aligned) for span in join_weekdays(found, text=text)]


def contradicts_weekday(words: str, day: date) -> bool:
    """True where words name another weekday than a day has: "Tuesday, Dec 18, 2026" is a Friday."""
    return any(_number(match) != day.weekday() for match in _WEEKDAY.finditer(fold_aligned(words)))


def names_no_day(text: str, *, today: date) -> bool:
    """True where a text names a day that there is not: 2月30日, or a day with another day's weekday."""
    if names_impossible_day(text, today=today):
        return True
    return any(contradicts_weekday(span.quote, span.end) for span in find_awaited_dates(text, today=today))


def _number(match: re.Match[str]) -> int:
    if match["en"]:
        return _NAMES_EN.index(match["en"])
    return _NAMES_ZH.index("日" if match["zh"] == "天" else match["zh"])


def _apart(spans: Sequence[DateSpan], taken: Sequence[DateSpan]) -> list[DateSpan]:
    return [
        span
        for span in spans
        if not any(span.text_start < other.text_end and other.text_start < span.text_end for other in taken)
    ]


def _holidays(text: str, aligned: str, *, today: date) -> Iterator[DateSpan]:
    for match in _HOLIDAY.finditer(aligned):
        month, day = _HOLIDAYS[match["zh"] or " ".join(match["en"].replace("’", "'").split())]
        said = match["before"] or match["after"]
        years = [full_year(said)] if said else [today.year, today.year + 1]
        if match["word"]:
            years = [today.year + (match["word"] == "明")]
        days = [each[0] for each in (day_range(year, month, day=day) for year in years) if each]
        coming = next((each for each in days if each >= today), days[0])
        yield DateSpan(coming, coming, *match.span(), text[match.start() : match.end()])


def _bare_days(text: str, aligned: str, *, today: date) -> Iterator[DateSpan]:
    pattern, resolve = date_rules_en.BARE_DAY
    for match in pattern.finditer(aligned):
        for first, last in resolve(match, Calendar(today)):
            yield DateSpan(first, last, *match.span(), text[match.start() : match.end()])


def _from_short_weekday(span: DateSpan, text: str, *, aligned: str) -> DateSpan:
    """The day with the short weekday before it: "Mon Mar 1 2027"."""
    before = aligned[max(0, span.text_start - _MOST_BEFORE) : span.text_start]
    match = _SHORT_WEEKDAY.search(before)
    if match is None:
        return span
    begin = span.text_start - (len(before) - match.start())
    return replace(span, text_start=begin, quote=text[begin : span.text_end])
