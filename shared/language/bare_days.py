"""Days said bare, without a month or a week: 25号, the 25th, 周一, Monday, 月中. Pure.

A row reads them as the one nearest to its day or of its week (`dates`): what happened lies behind. Of what
is to come they mean the next one, today included. 上周一, 本周一, 这个月25号 and "last Monday" say which one
they mean, and are not bare.
"""

import re
from datetime import date
from typing import Final

from shared.language.calendar_ranges import day_range, shift_days, shift_months
from shared.language.scripts import fold_aligned

_LEAD: Final = r"(?:(?:on|by|until|till|before|the)\s+){0,2}"
_ZH: Final = r"(?:周|星期|礼拜)[一二三四五六日天]"
_EN: Final = r"(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?"
_WEEKDAY: Final = re.compile(rf"{_ZH}|{_LEAD}{_EN}")
_DAY: Final = re.compile(
    rf"(?:(?:{_ZH}|{_EN}\.?)[\s,，(（]*)?"
    rf"(?:[\d一二三四五六七八九十]{{1,3}}[日号]|{_LEAD}\d{{1,2}}(?:st|nd|rd|th))"
    rf"(?:[\s,，(（]*(?:{_ZH}|{_EN}))?"
)
"""A day of a month that is said bare, with its weekday or without: 18号, 周五18号, "Friday, the 18th"."""

_PART: Final = re.compile(
    r"月[初中底末]|[上中下]旬|(?:the\s+)?(?:beginning|start|middle)\s+of\s+(?:the\s+)?month|mid[\s-]month"
)
_WEEK_DAYS: Final = 7
_MONTHS_AHEAD: Final = 3
"""The 31st stands in one of any three months."""


def coming_day(words: str, day: date, *, today: date) -> date | None:
    """The next day from `today` on that bare words mean; None where they are not bare.

    Args:
        words: the date as said, nothing else.
        day: what they mean as a row's words, before `today`.
        today: the day they were said.
    """
    folded = fold_aligned(words).strip()
    if _WEEKDAY.fullmatch(folded):
        return shift_days(today, (day.weekday() - today.weekday()) % _WEEK_DAYS)
    if _DAY.fullmatch(folded):
        months = (shift_months(today.replace(day=1), ahead) for ahead in range(_MONTHS_AHEAD))
        days = [day_range(month.year, month.month, day=day.day) for month in months if month]
        return next((each[0] for each in days if each and each[0] >= today), None)
    return shift_months(day, 1) if _PART.fullmatch(folded) else None
