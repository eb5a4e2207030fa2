"""Clock times in a text: 下午3点半, 三点一刻, 15:00, 3pm, half past three in the afternoon. Pure.

In words an hour from 1 to 12 is read only with its half of the day (下午, pm); with a colon it counts from
0 to 23. Midnight belongs to two days and is not read.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import time
from typing import Final

from shared.language.numerals import WORDS, read_chinese
from shared.language.scripts import fold_aligned

_NOON: Final = 12
_HOURS: Final = 24
_MINUTES: Final = 60
_ZH: Final = r"(?:\d{1,2}|[零一二两三四五六七八九十]{1,3})"
_HALF_ZH: Final = r"(?:(?P<half_zh>凌晨|清晨|早上|早晨|上午|中午|下午|傍晚|晚上|今晚|明晚|明早)\s?)?"
_HALF_EN: Final = (
    r"(?:\s?(?P<half_en>[ap])\.?m\b\.?|\s(?:in\sthe\s|at\s)(?P<part_en>morning|afternoon|evening|night)\b)?"
)
_HOUR_EN: Final = "one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
_PATTERNS: Final = (
    re.compile(
        rf"{_HALF_ZH}(?<![\d:.])(?P<hour>\d{{1,2}})[:：](?P<minute>\d{{2}})"
        rf"(?:[:：](?P<second>\d{{2}}))?(?![\d:]){_HALF_EN}"
    ),
    re.compile(
        rf"{_HALF_ZH}(?<![\d.])(?P<hour>{_ZH})[点點时時](?:钟|整|(?P<quarter>半|[一三]刻)|(?P<minute>{_ZH})分?)?"
    ),
    re.compile(rf"(?<![\d:.])(?P<hour>\d{{1,2}}|\b(?:{_HOUR_EN}))(?:\so'clock)?{_HALF_EN}(?![\w:])"),
    re.compile(
        rf"\b(?P<quarter>half|(?:a\s)?quarter|five|ten|twenty|\d{{1,2}})"
        rf"\s(?P<way>past|to)\s(?P<hour>\d{{1,2}}|{_HOUR_EN})\b{_HALF_EN}"
    ),
    re.compile(r"\b(?P<noon>noon)\b|(?P<noon_zh>正午)"),
)
_QUARTERS: Final = {"半": 30, "half": 30, "一刻": 15, "三刻": 45, "quarter": 15, "a quarter": 15}
_LATE: Final = frozenset({"下午", "傍晚", "晚上", "今晚", "明晚", "afternoon", "evening", "night", "p"})
_MIDNIGHT: Final = frozenset({"晚上", "今晚", "明晚", "night", "evening"})


@dataclass(frozen=True, slots=True)
class ClockTime:
    """The time of day that text[start:end] means."""

    at: time
    start: int
    end: int


def find_clock_time(text: str) -> ClockTime | None:
    """The first clock time of a text; None where there is none or its half of the day is not said."""
    folded = fold_aligned(text)
    for pattern in (_PATTERNS[0], _PATTERNS[1], _PATTERNS[3], _PATTERNS[2], _PATTERNS[4]):
        for match in pattern.finditer(folded):
            at = _time(match.groupdict())
            if at is not None:
                return ClockTime(at, *match.span())
    return None


def _time(said: dict[str, str | None]) -> time | None:
    if said.get("noon") or said.get("noon_zh"):
        return time(_NOON)
    hour = _number(said.get("hour"))
    quarter = said.get("quarter")
    minute = (_QUARTERS.get(quarter) or _number(quarter)) if quarter else _number(said.get("minute") or "0")
    second = _number(said.get("second") or "0")
    if hour is None or minute is None or second is None or minute >= _MINUTES or second >= _MINUTES:
        return None
    hour = _full_hour(hour, said)
    if hour is not None and said.get("way") == "to":
        hour, minute = (hour - 1) % _HOURS, _MINUTES - minute
    return time(hour, minute, second) if hour is not None and minute < _MINUTES else None


def _full_hour(hour: int, said: dict[str, str | None]) -> int | None:
    half = said.get("half_zh") or said.get("half_en") or said.get("part_en")
    if hour >= _HOURS or (hour == _NOON and half in _MIDNIGHT):
        return None
    if half is None:
        is_digital = said.get("minute") is not None and "quarter" not in said
        is_whole = _is_zh(said) and (hour == 0 or hour > _NOON)
        return hour if is_digital or is_whole else None
    if half in _LATE or (half == "中午" and hour < _NOON - 1):
        return hour + _NOON if hour < _NOON else hour
    return 0 if hour == _NOON and half != "中午" else hour


def _is_zh(said: dict[str, str | None]) -> bool:
    """True for 13点: a bare 13 in English is no clock time."""
    return "half_zh" in said


def _number(word: str | None) -> int | None:
    if not word:
        return None
    if word.isdecimal():
        return int(word)
    value = WORDS.get(word) if word.isascii() else read_chinese(word)
    return None if value is None else int(value)
