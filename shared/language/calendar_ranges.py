"""Ranges of days: months, weeks, parts of months. Pure arithmetic on `date`; a range includes both its ends.

Every function answers None where the calendar has no such day (30 February, year 0), never raises.
Weeks begin on Monday.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final

DayRange = tuple[date, date]

DECEMBER: Final = 12
_WEEK_DAYS: Final = 7
_YEAR_PIVOT: Final = 100
_PARTS: Final[dict[str, tuple[int, int]]] = {
    "early": (1, 10),
    "mid": (11, 20),
    "late": (21, 31),
    "start": (1, 5),
    "end": (26, 31),
    "first10": (1, 10),
    "mid10": (11, 20),
    "last10": (21, 31),
}


@dataclass(frozen=True, slots=True)
class Calendar:
    """What a date expression is read against: `today`, and, for a query, the years the scope has.

    `years` None means that a date without a year is the one nearest to today.
    """

    today: date
    years: Sequence[int] | None = None

    def candidate_years(self, year: int | None) -> Sequence[int]:
        """The years a date without one may lie in; just `year` where it is given."""
        if year is not None:
            return [year]
        if self.years is not None:
            return self.years
        return [self.today.year, self.today.year - 1, self.today.year + 1]

    def choose(self, ranges: Sequence[DayRange | None], *, year_given: bool) -> list[DayRange]:
        """All of the ranges for a query or a given year, else the one nearest to today."""
        real = [found for found in ranges if found is not None]
        if year_given or self.years is not None or not real:
            return real
        return [min(real, key=self._distance)]

    def _distance(self, found: DayRange) -> int:
        if found[0] <= self.today <= found[1]:
            return 0
        return min(abs((found[0] - self.today).days), abs((found[1] - self.today).days))


def day_range(year: int, month: int, *, day: int) -> DayRange | None:
    """The range of one day."""
    try:
        found = date(year, month, day)
    except ValueError:
        return None
    return found, found


def month_range(year: int, month: int, *, part: str | None = None) -> DayRange | None:
    """The days of a month, or of a part of it: early 1-10, mid 11-20, late 21-, start 1-5, end 26-."""
    first = day_range(year, month, day=1)
    if first is None:
        return None
    after = date(year + month // DECEMBER, month % DECEMBER + 1, 1) if year < date.max.year else date.max
    last = (after - timedelta(days=1)).day
    low, high = _PARTS[part] if part else (1, last)
    return date(year, month, low), date(year, month, min(high, last))


def months_range(year: int, first: int, *, last: int) -> DayRange | None:
    """The days from the first of one month to the end of another of the same year."""
    start, end = month_range(year, first), month_range(year, last)
    return (start[0], end[1]) if start and end else None


def year_range(year: int) -> DayRange | None:
    """The days of a year."""
    return months_range(year, 1, last=DECEMBER)


def full_year(digits: str) -> int:
    """A year of two digits in this century, one of four as it stands."""
    year = int(digits)
    return year + 2000 if year < _YEAR_PIVOT else year


def shift_days(today: date, days: int) -> date | None:
    """The day so many days later (earlier, where negative)."""
    try:
        return today + timedelta(days=days)
    except OverflowError:
        return None


def shift_months(today: date, months: int) -> date | None:
    """The same day of another month, or that month's last day where it is shorter."""
    index = today.year * DECEMBER + today.month - 1 + months
    found = month_range(index // DECEMBER, index % DECEMBER + 1) if index > 0 else None
    return found[1].replace(day=min(today.day, found[1].day)) if found else None


def span_days(first: date | None, last: date | None) -> DayRange | None:
    """The range between two days, None where either is missing or they stand in the wrong order."""
    return (first, last) if first and last and first <= last else None


def week_of(today: date, weeks: int) -> DayRange | None:
    """Monday to Sunday of the week so many weeks later."""
    monday = shift_days(today, weeks * _WEEK_DAYS - today.weekday())
    return span_days(monday, shift_days(monday, _WEEK_DAYS - 1)) if monday else None


def weekday_of(today: date, weeks: int, *, weekday: int) -> DayRange | None:
    """The weekday (Monday 0) of the week so many weeks later."""
    week = week_of(today, weeks)
    day = shift_days(week[0], weekday) if week else None
    return span_days(day, day)


def month_of(today: date, months: int, *, part: str | None = None) -> DayRange | None:
    """The month so many months later, or a part of it."""
    day = shift_months(today.replace(day=1), months)
    return month_range(day.year, day.month, part=part) if day else None
