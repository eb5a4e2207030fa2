"""English date expressions and the numeric ones of both languages: what each looks like, which days it means.

Explicit: 2024-03-15, 15/6/2024 (5/6/2024 is two dates and stays unread), May 7, 7 May 2023, the 15th of
May, May 3-5, in May, early March, summer 2023, in 2022, Q3 2024. Relative: yesterday, last Friday (the latest
before today), this Friday (the next one, today included), next Friday (of the week after this one), two weeks
ago (that week), 3 months ago (that month), in three days, last weekend, end of the month, month-end,
the last day of March, the week before.
"""

import re
from datetime import date
from typing import Final

from shared.language.calendar_ranges import (
    Calendar,
    DayRange,
    day_range,
    full_year,
    month_of,
    month_range,
    months_range,
    shift_days,
    shift_months,
    span_days,
    week_of,
    weekday_of,
    year_range,
)
from shared.language.date_rules_zh import Rule
from shared.language.numerals import WORDS

_MONTHS: Final = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH_NAME: Final = (
    r"(?:january|february|march|april|may|june|july|august|september|october|november|december"
    r"|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)\.?)"
)
_MONTH: Final = rf"\b(?P<month>{_MONTH_NAME})(?![a-z])"
_DAY: Final = r"(?P<day>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?(?![\d:])"
_YEAR: Final = r"(?:,?\s+(?P<year>(?:19|20)\d{2})(?!\d))"
_TO: Final = r"\s?(?:-|–|—|to|until|through|and)\s?"
_WEEKDAYS: Final = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
_WEEKDAY: Final = (
    r"(?P<weekday>monday|tuesday|wednesday|thursday|friday|saturday|sunday|mon|tues?|wed|thurs?|fri|sat|sun)"
    r"(?![a-z])"
)
_SEASONS: Final = {"spring": (3, 5), "summer": (6, 8), "fall": (9, 11), "autumn": (9, 11)}
_COUNTS: Final = {
    **{word: value for word, value in WORDS.items() if value},
    "a": 1,
    "an": 1,
    "couple": 2,
    "few": 3,
}
_COUNT_WORD: Final = "|".join(sorted(_COUNTS, key=len, reverse=True))
_COUNT: Final = rf"(?P<count>\d{{1,3}}|(?:a\s+)?(?:couple(?:\s+of)?|few)|{_COUNT_WORD})"
_UNIT: Final = r"(?P<unit>day|week|month|year)s?"
_STEPS: Final = {"last": -1, "previous": -1, "past": -1, "this": 0, "current": 0, "next": 1, "coming": 1}
_STEP: Final = rf"\b(?P<step>{'|'.join(_STEPS)})"
_PARTS: Final = {
    "early": "early",
    "mid": "mid",
    "middle of": "mid",
    "late": "late",
    "beginning of": "start",
    "start of": "start",
    "end of": "end",
}
_PART: Final = r"\b(?:the\s+)?(?P<part>early|mid|(?:middle|beginning|start|end)[ -]of|late)[\s-]+"
_WEEK_DAYS: Final = 7
_SATURDAY: Final = 5


def _one(found: DayRange | None) -> list[DayRange]:
    return [found] if found else []


def _month_number(match: re.Match[str], group: str = "month") -> int:
    return _MONTHS.index(match[group][:3]) + 1


def _year(match: re.Match[str]) -> int | None:
    digits = match.groupdict().get("year")
    return full_year(digits) if digits else None


def _iso(match: re.Match[str], _calendar: Calendar) -> list[DayRange]:
    return _one(day_range(int(match["y"]), int(match["m"]), day=int(match["d"])))


def _iso_month(match: re.Match[str], _calendar: Calendar) -> list[DayRange]:
    return _one(month_range(int(match["y"]), int(match["m"])))


def _slashed(match: re.Match[str], _calendar: Calendar) -> list[DayRange]:
    first, second, year = int(match["a"]), int(match["b"]), full_year(match["y"])
    readings = {day_range(year, first, day=second), day_range(year, second, day=first)} - {None}
    return [found for found in readings if found] if len(readings) == 1 else []


def _day(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    year = _year(match)
    found = [
        day_range(each, _month_number(match), day=int(match["day"]))
        for each in calendar.candidate_years(year)
    ]
    return calendar.choose(found, year_given=year is not None)


def _bare_day(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    months = [month_of(calendar.today, shift) for shift in (0, -1, 1)]
    days = [
        day_range(each[0].year, each[0].month, day=int(match["day"])) if each else None for each in months
    ]
    if calendar.years is not None:
        return [each for each in days[:1] if each]
    return calendar.choose(days, year_given=False)


def _days(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    year, first = _year(match), _month_number(match)
    last = _month_number(match, "month2") if match["month2"] else first
    found = []
    for each in calendar.candidate_years(year):
        start = day_range(each, first, day=int(match["day"]))
        end = day_range(each + (last < first), last, day=int(match["day2"]))
        found.append(span_days(start[0], end[0]) if start and end else None)
    return calendar.choose(found, year_given=year is not None)


def _month(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    part = _part(match)
    year, month = _year(match), _month_number(match)
    found = [month_range(each, month, part=part) for each in calendar.candidate_years(year)]
    return calendar.choose(found, year_given=year is not None)


def _stepped_month(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    today, month, step = calendar.today, _month_number(match), _STEPS[match["step"]]
    year = today.year
    if step < 0 and month >= today.month:
        year -= 1
    if step > 0 and month <= today.month:
        year += 1
    return _one(month_range(year, month))


def _season(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    first, last = _SEASONS[match["season"]]
    step = match["step"]
    year = _year(match)
    if year is None and step:
        year = calendar.today.year + _STEPS[step]
        if _STEPS[step] < 0 and calendar.today > date(calendar.today.year, last, 28):
            year = calendar.today.year
    found = [months_range(each, first, last=last) for each in calendar.candidate_years(year)]
    return calendar.choose(found, year_given=year is not None)


def _whole_year(match: re.Match[str], _calendar: Calendar) -> list[DayRange]:
    return _one(year_range(int(match["year"])))


def _quarter(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    year, quarter = _year(match), int(match["quarter"])
    found = [months_range(each, quarter * 3 - 2, last=quarter * 3) for each in calendar.candidate_years(year)]
    return calendar.choose(found, year_given=year is not None)


_DAYS_FROM_TODAY: Final = {
    "the day before yesterday": -2,
    "the day after tomorrow": 2,
    "yesterday": -1,
    "last night": -1,
    "today": 0,
    "tonight": 0,
    "this morning": 0,
    "this afternoon": 0,
    "this evening": 0,
    "tomorrow": 1,
}


def _near_day(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    day = shift_days(calendar.today, _DAYS_FROM_TODAY[" ".join(match[0].split())])
    return _one(span_days(day, day))


def _weekday(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    today, weekday = calendar.today, _WEEKDAYS.index(match["weekday"][:3])
    step = _STEPS[match["step"]] if match["step"] else None
    if step is None:
        return _one(weekday_of(today, 0, weekday=weekday))
    if step > 0 and match["step"] == "next":
        return _one(weekday_of(today, 1, weekday=weekday))
    if step < 0:
        back = (today.weekday() - weekday) % _WEEK_DAYS or _WEEK_DAYS
        day = shift_days(today, -back)
    else:
        day = shift_days(today, (weekday - today.weekday()) % _WEEK_DAYS)
    return _one(span_days(day, day))


def _stepped_unit(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    step, unit = _STEPS[match["step"]], match["unit"]
    return _one(_unit_range(calendar.today, step, unit=unit))


def _unit_range(today: date, step: int, *, unit: str) -> DayRange | None:
    if unit == "week":
        return week_of(today, step)
    if unit == "month":
        return month_of(today, step)
    if unit == "year":
        return year_range(today.year + step) if today.year + step > 0 else None
    if unit == "weekend":
        week = week_of(today, step)
        return span_days(shift_days(week[0], _SATURDAY), week[1]) if week else None
    day = shift_days(today, step)
    return span_days(day, day)


def _count(match: re.Match[str]) -> int:
    text = match["count"]
    if text.isdigit():
        return int(text)
    words = text.removeprefix("a ").split()
    return _COUNTS[words[0]]


def _ago(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    return _one(_unit_range(calendar.today, -_count(match), unit=match["unit"]))


def _later(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    count, unit = _count(match), match["unit"]
    if unit in {"month", "year"}:
        day = shift_months(calendar.today, count * (1 if unit == "month" else 12))
    else:
        day = shift_days(calendar.today, count * (1 if unit == "day" else _WEEK_DAYS))
    return _one(span_days(day, day))


def _recent(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    days = {"day": 1, "week": 7, "month": 30, "year": 365}[match["unit"]] * _count(match)
    if match["way"] == "next":
        return _one(span_days(calendar.today, shift_days(calendar.today, days)))
    return _one(span_days(shift_days(calendar.today, -days), calendar.today))


def _part(match: re.Match[str]) -> str:
    """The name of a part of a month; empty for the whole of it."""
    return _PARTS.get((match.groupdict().get("part") or "").replace("-", " "), "")


def _edge_day(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    """The last day of March, the last day of every month, the first of next month (which has no `edge`)."""
    groups = match.groupdict()
    year = _year(match)
    if groups.get("month"):
        month = _month_number(match)
        found = [month_range(each, month) for each in calendar.candidate_years(year)]
    else:
        year = calendar.today.year
        found = [month_of(calendar.today, _STEPS.get(match["step"] or "this", 0))]
    place = 1 if match["edge"] == "last" else 0
    days = [span_days(each[place], each[place]) for each in found if each]
    return calendar.choose(days, year_given=year is not None)


def _day_of_month(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    month = month_of(calendar.today, _STEPS[match["step"]])
    return _one(day_range(month[0].year, month[0].month, day=int(match["day"]))) if month else []


def _month_end(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    return _one(month_of(calendar.today, _STEPS.get(match["step"] or "this", 0), part="end"))


def _period_part(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    part, step = _part(match), _STEPS.get(match["step"] or "this", 0)
    if match["unit"] == "month":
        return _one(month_of(calendar.today, step, part=part))
    year = calendar.today.year + step
    first, last = {"start": (1, 2), "early": (1, 3), "mid": (6, 7), "late": (10, 12), "end": (11, 12)}[part]
    return _one(months_range(year, first, last=last))


def _week_before(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    return _one(_unit_range(calendar.today, -1, unit=match["unit"]))


_OF_MONTH: Final = r"(?:the\s+)?(?:(?P<step>last|this|next|every|each)\s+)?month(?![a-z])"
_NUMERIC: Final = r"(?<![\d./-])"
_NO_MORE: Final = r"(?![\d]|[./-]\d)"

RULES: Final[tuple[Rule, ...]] = tuple(
    (re.compile(pattern), resolve)
    for pattern, resolve in (
        (
            rf"{_NUMERIC}(?P<y>(?:19|20)\d{{2}})(?P<s>[-/.])(?P<m>\d{{1,2}})(?P=s)(?P<d>\d{{1,2}}){_NO_MORE}",
            _iso,
        ),
        (rf"{_NUMERIC}(?P<y>(?:19|20)\d{{2}})[-/](?P<m>0?[1-9]|1[0-2]){_NO_MORE}", _iso_month),
        (
            rf"{_NUMERIC}(?P<a>\d{{1,2}})(?P<s>[-/.])(?P<b>\d{{1,2}})(?P=s)(?P<y>(?:19|20)\d{{2}}){_NO_MORE}",
            _slashed,
        ),
        (
            rf"{_MONTH}\s+(?:the\s+)?{_DAY}{_TO}(?:(?P<month2>{_MONTH_NAME})\s+)?(?P<day2>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?(?!\d){_YEAR}?",
            _days,
        ),
        (
            rf"\b(?P<day>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?(?:\s+(?P<month2>zz))?{_TO}(?P<day2>3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH}{_YEAR}?",
            _days,
        ),
        (rf"{_MONTH}\s+(?:the\s+)?{_DAY}{_YEAR}?", _day),
        (rf"(?:\bthe\s+)?(?<![\d:.,-])\b{_DAY}\s+(?:of\s+)?{_MONTH}{_YEAR}?", _day),
        (rf"{_PART}{_MONTH}{_YEAR}?", _month),
        (
            rf"\b(?:in|since|during|of|by|until|till|before|after|from|around|for)\s+{_MONTH}(?!\s+\d{{1,2}}(?!\d)){_YEAR}?",
            _month,
        ),
        (rf"{_MONTH}{_YEAR}", _month),
        (rf"{_STEP}\s+{_MONTH}", _stepped_month),
        (
            r"\b(?P<month>january|february|april|june|july|august|september|october|november|december)(?![a-z])",
            _month,
        ),
        (
            rf"(?:{_STEP}\s+|\bin\s+(?:the\s+)?|\bduring\s+(?:the\s+)?|\b)(?P<season>spring|summer|fall|autumn){_YEAR}",
            _season,
        ),
        (rf"(?:{_STEP}\s+)(?P<season>spring|summer|fall|autumn)(?![a-z])(?P<year>zz)?", _season),
        (r"\b(?:in|since|during|of|by|year)\s+(?P<year>(?:19|20)\d{2})(?![\d%])", _whole_year),
        (r"(?<![a-z\d])q(?P<quarter>[1-4])(?![a-z\d])(?:\s?,?(?P<year>(?:19|20)\d{2})(?!\d))?", _quarter),
        (rf"\b(?:{'|'.join(_DAYS_FROM_TODAY)})\b", _near_day),
        (rf"(?:{_STEP}\s+|\bon\s+|\b(?=(?:mon|tues|wednes|thurs|fri|satur|sun)day)){_WEEKDAY}", _weekday),
        (rf"{_STEP}\s+(?P<unit>week(?:end)?|month|year)(?![a-z])", _stepped_unit),
        (rf"\b{_COUNT}\s+{_UNIT}\s+(?:ago|back|earlier|before)\b", _ago),
        (rf"\bin\s+{_COUNT}\s+{_UNIT}(?:'?\s+time)?(?![a-z])", _later),
        (rf"\b{_COUNT}\s+{_UNIT}\s+(?:from\s+(?:now|today)|later)\b", _later),
        (rf"\b(?P<way>last|past|next|recent)\s+{_COUNT}\s+{_UNIT}(?![a-z])", _recent),
        (
            rf"{_PART}(?:the\s+)?(?:(?P<step>last|this|next|every|each)\s+)?(?P<unit>month|year)(?![a-z])",
            _period_part,
        ),
        (rf"(?:{_STEP}\s+|\b)month(?:['’]s)?[\s-]+end\b", _month_end),
        (rf"\b(?:the\s+)?(?:(?P<edge>first|last)\s+day|first)\s+of\s+{_MONTH}{_YEAR}?", _edge_day),
        (
            rf"\b(?:the\s+)?(?:(?P<edge>first|last)\s+day|1st|first)\s+of\s+{_OF_MONTH}",
            _edge_day,
        ),
        (rf"\b(?:the\s+)?{_DAY}\s+of\s+(?P<step>last|this|next)\s+month(?![a-z])", _day_of_month),
        (r"\bthe\s+(?P<unit>day|week|weekend|month|year)\s+before(?!\s+(?:yesterday|last))", _week_before),
    )
)

BARE_DAY: Final[Rule] = (
    re.compile(r"(?:\bthe\s+|(?<![\w.,/-]))(?P<day>3[01]|[12]\d|[1-9])(?:st|nd|rd|th)(?![\w-]|\s+of\b)"),
    _bare_day,
)
"""The 25th, where a day is awaited: in a row it may be the 25th floor."""
