"""When what was said stops being so: antibiotics for two weeks, out of office until Friday. Pure.

Read from the quote alone, on the day it was said; a model's own date counts for nothing. An event ends 30 days
after its day. What has no end in the quote has none.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from datetime import date, timedelta
from typing import Final

from shared.language.dates import find_dates
from shared.language.numbers import find_numbers
from shared.language.scripts import fold
from shared.model.memory import MemoryKind

EVENT_DAYS: Final = 30
MAX_READ_CHARS: Final = 1_000
_NEAR_CHARS: Final = 40
MAX_DAYS: Final = 200
"""A longer span is no passing thing."""

_UNIT_DAYS: Final = {
    **dict.fromkeys(("天", "日", "day", "days", "工作日"), 1),
    **dict.fromkeys(("周", "星期", "礼拜", "week", "weeks"), 7),
    **dict.fromkeys(("个月", "月", "month", "months"), 30),
}
_LASTS: Final = re.compile(
    r"(?:接下来|未来|这|今后|为期|持续|连着|连续|再|还要|还得|先)[^，。,.]{0,6}$|(?:吃|喝|住|待|呆|休|停|忌|禁|用|服|借|租|试用|请假|出差|卧床|隔离|戴|打|养|在家|不能[^，。,]{0,4}|别[^，。,]{0,4})了?$"
    r"|\b(?:for|over|during)(?: (?:the|another|about|around|at least))*(?: next| coming)?\s*$|\bnext\s*$|\b(?:another)\s*$"
)
_LASTED: Final = re.compile(r"^\s*(?:了|前|以前|之前|来|下来|多了)|^\s*ago\b|^\s*now\b")
_PERFECT: Final = re.compile(
    r"\b(?:have|has|had|'ve|'s) (?:been|lived|worked|had|known|used|done)\b|已经|都[^，。]{0,6}$"
)
_UNTIL: Final = re.compile(
    r"(?:直?到|截至|截止到?|在)[^，。,.]{0,4}$|\b(?:until|till|through|up to)\s*(?:the\s+)?$"
)
_UNTIL_AFTER: Final = re.compile(r"^\s*(?:为止|之前|以前|前|以内|之内|结束)")
_WITHIN: Final = re.compile(r"这周|本周|这个月|本月|这两天|这几天|今天|this week|this month|today|these days")
_WITHIN_DAYS: Final = re.compile(r"这两天|这几天|these days")
_TEMPORARY: Final = re.compile(r"暂时|临时|这段时间|\b(?:temporar(?:y|ily)|for now|for the time being)\b")
_FEW_DAYS: Final = 7


def last_day_of(quote: str, *, kind: MemoryKind, said_on: date) -> date | None:
    """The last day on which the words hold; None where they name no end."""
    quote = quote[:MAX_READ_CHARS]
    folded = fold(quote).replace("’", "'")
    if len(folded) != len(quote):
        quote = folded
    ends = [*_durations(quote, folded, said_on=said_on), *_until(quote, folded, said_on=said_on)]
    if ends:
        return max(ends)
    days = find_dates(quote, today=said_on)
    if kind == "event":
        return max(day.end for day in days) + timedelta(days=EVENT_DAYS) if days else None
    if _WITHIN_DAYS.search(folded) or _TEMPORARY.search(folded):
        return said_on + timedelta(days=_FEW_DAYS)
    if _WITHIN.search(folded) and len(days) == 1 and days[0].end >= said_on:
        return days[0].end
    return None


def _durations(quote: str, folded: str, *, said_on: date) -> list[date]:
    found = []
    for number in find_numbers(quote):
        days = _UNIT_DAYS.get(number.unit or "")
        before = folded[max(0, number.start - _NEAR_CHARS) : number.start]
        after = folded[number.end : number.end + _NEAR_CHARS]
        if days is None or number.value != int(number.value) or not 0 < number.value * days <= MAX_DAYS:
            continue
        if _LASTED.match(after) or _PERFECT.search(before) or not _LASTS.search(before[-20:]):
            continue
        found.append(said_on + timedelta(days=int(number.value) * days))
    return found


def _until(quote: str, folded: str, *, said_on: date) -> list[date]:
    return [
        day.end
        for day in find_dates(quote, today=said_on)
        if day.end >= said_on
        and (day.end - said_on).days <= MAX_DAYS
        and (
            _UNTIL.search(folded[max(0, day.text_start - 16) : day.text_start])
            or _UNTIL_AFTER.match(folded[day.text_end : day.text_end + _NEAR_CHARS])
        )
        and not re.match(r"\s*(?:之前|以前|前)", folded[day.text_end : day.text_end + _NEAR_CHARS])
    ]
