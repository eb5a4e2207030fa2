"""Chinese date expressions: what each looks like and which days it means.

Explicit: 2024年3月15日, 3月15号, 5月, 15号, 3月1日到5日, 3月上旬, 二〇二四年, 去年三月.
Relative: 昨天, 上周五, 下个月底, 本月最后一天, 三天后, 两周前, 半年前, 年底, 周末.
Weeks begin on Monday, 上周五 is the Friday of the week before this one, 3个月前 is that whole month,
三天后 is that day.
"""

import re
from collections.abc import Callable
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
from shared.language.numerals import DIGITS, read_chinese

Rule = tuple[re.Pattern[str], Callable[[re.Match[str], Calendar], list[DayRange]]]

_N: Final = r"(?:\d{1,3}|[一二两三四五六七八九十]{1,3})"
_MONTH: Final = r"(?:1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])"
_DAY: Final = r"(?:3[01]|[12]\d|0?[1-9]|三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九])"
_YEAR: Final = (
    r"(?:(?:19|20)\d{2}|(?<!\d)\d{2}|二[零〇]?[零〇一二三四五六七八九]{2}|一九[零〇一二三四五六七八九]{2})"
)
_YEARS_BACK: Final = {"今": 0, "去": -1, "前": -2, "明": 1, "后": 2, "大前": -3, "当": 0, "本": 0}
_YEAR_OR_WORD: Final = rf"(?:(?P<year>{_YEAR})\s?年?|(?P<yearword>今|去|前|明|后)年)"
_TO: Final = r"\s?(?:到|至|-|~|—|–|－)+\s?"
_DAYS_BACK: Final = {
    "今": 0,
    "昨": -1,
    "前": -2,
    "大前": -3,
    "明": 1,
    "后": 2,
    "大后": 3,
}
_DAY_WORDS: Final = {
    "今早": 0,
    "今晚": 0,
    "今夜": 0,
    "今日": 0,
    "昨晚": -1,
    "昨夜": -1,
    "昨日": -1,
    "明早": 1,
    "明晚": 1,
    "明日": 1,
}
_WEEKDAYS: Final = dict(
    zip("一二三四五六日天1234567", [0, 1, 2, 3, 4, 5, 6, 6, 0, 1, 2, 3, 4, 5, 6], strict=True)
)
_NEAR: Final = {"上": -1, "这": 0, "本": 0, "下": 1, "当": 0}
_PARTS: Final = {
    "上旬": "first10",
    "中旬": "mid10",
    "下旬": "last10",
    "初": "start",
    "中": "mid",
    "底": "end",
    "末": "end",
    "头": "start",
    "尾": "end",
}
_OTHER_WORDS: Final = {"头": "条版等号牌像部", "尾": "货款牙数盘号巴灯声"}
_PART: Final = "|".join(
    f"{part}(?![{_OTHER_WORDS[part]}])" if part in _OTHER_WORDS else part for part in _PARTS
)
_EDGE: Final = "(?P<edge>最后一天|最末一天|末日|第一天|头一天)"
_YEAR_PARTS: Final = {
    "初": (1, 2),
    "中": (6, 7),
    "底": (11, 12),
    "末": (11, 12),
    "上半": (1, 6),
    "下半": (7, 12),
}
_SEASONS: Final = {"春": (3, 5), "夏": (6, 8), "秋": (9, 11)}


def _number(text: str) -> int:
    if text.isdigit():
        return int(text)
    if text == "半":
        return 0
    value = read_chinese(text)
    return int(value) if value is not None else -1


def _year(match: re.Match[str], calendar: Calendar) -> int | None:
    groups = match.groupdict()
    if groups.get("yearword"):
        return calendar.today.year + _YEARS_BACK[groups["yearword"]]
    digits = groups.get("year")
    if not digits:
        return None
    return full_year("".join(DIGITS.get(ch, ch) for ch in digits))


def _day(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    year, month, day = _year(match, calendar), _number(match["month"]), _number(match["day"])
    found = [day_range(each, month, day=day) for each in calendar.candidate_years(year)]
    return calendar.choose(found, year_given=year is not None)


def _days(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    year, month = _year(match, calendar), _number(match["month"])
    last_month = _number(match["month2"]) if match["month2"] else month
    found = []
    for each in calendar.candidate_years(year):
        start = day_range(each, month, day=_number(match["day"]))
        end = day_range(each + (last_month < month), last_month, day=_number(match["day2"]))
        found.append(span_days(start[0], end[0]) if start and end else None)
    return calendar.choose(found, year_given=year is not None)


def _month(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    year, month = _year(match, calendar), _number(match["month"])
    part = _PARTS.get(match["part"] or "")
    found = [month_range(each, month, part=part) for each in calendar.candidate_years(year)]
    return calendar.choose(found, year_given=year is not None)


def _edge_day(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    """3月最后一天, 这个月第一天, 每月最后一天."""
    groups = match.groupdict()
    if groups.get("month"):
        year, month = _year(match, calendar), _number(match["month"])
        found = [month_range(each, month) for each in calendar.candidate_years(year)]
    else:
        year = calendar.today.year
        found = [month_of(calendar.today, _weeks(match) if groups["near"] else 0)]
    place = 0 if match["edge"] in {"第一天", "头一天"} else 1
    days = [span_days(each[place], each[place]) for each in found if each]
    return calendar.choose(days, year_given=year is not None)


def _months(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    year, first, last = _year(match, calendar), _number(match["month"]), _number(match["month2"])
    found = [months_range(each, first, last=last) for each in calendar.candidate_years(year) if first <= last]
    return calendar.choose(found, year_given=year is not None)


def _bare_day(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    day = _number(match["day"])
    months = [
        month_of(calendar.today, _NEAR[match["near"]] if match["near"] else shift) for shift in (0, -1, 1)
    ]
    found = [day_range(month[0].year, month[0].month, day=day) if month else None for month in months]
    if match["near"] or calendar.years is not None:
        return [each for each in found[:1] if each]
    return calendar.choose(found, year_given=False)


def _whole_year(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    year = _year(match, calendar)
    return _one(year_range(year) if year else None)


def _year_part(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    year = _year(match, calendar)
    first, last = _YEAR_PARTS[match["part"]]
    return _one(months_range(calendar.today.year if year is None else year, first, last=last))


def _season(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    year = _year(match, calendar)
    first, last = _SEASONS[match["season"]]
    found = [months_range(each, first, last=last) for each in calendar.candidate_years(year)]
    return calendar.choose(found, year_given=year is not None)


def _quarter(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    year, quarter = _year(match, calendar), _number(match["quarter"])
    found = [months_range(each, quarter * 3 - 2, last=quarter * 3) for each in calendar.candidate_years(year)]
    return calendar.choose(found, year_given=year is not None)


def _near_day(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    day = shift_days(calendar.today, _DAYS_BACK[match["back"]])
    return _one(span_days(day, day))


def _day_word(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    day = shift_days(calendar.today, _DAY_WORDS[match[0]])
    return _one(span_days(day, day))


def _weeks(match: re.Match[str]) -> int:
    near = match["near"] or ""
    return sum(_NEAR[ch] for ch in near)


def _week(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    return _one(week_of(calendar.today, _weeks(match)))


def _weekday(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    return _one(weekday_of(calendar.today, _weeks(match), weekday=_WEEKDAYS[match["weekday"]]))


def _weekend(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    week = week_of(calendar.today, _weeks(match))
    return _one(span_days(shift_days(week[0], 5), week[1]) if week else None)


def _near_month(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    return _one(month_of(calendar.today, _weeks(match), part=_PARTS.get(match["part"] or "")))


def _month_part(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    return _one(month_of(calendar.today, 0, part=_PARTS[match["part"]]))


def _ago(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    count, unit = _number(match["count"]), match["unit"]
    if count < 0:
        return []
    if match["count"] == "半":
        day = shift_months(calendar.today, -6) if unit == "年" else shift_days(calendar.today, -15)
        return _one(month_of(day, 0) if day and unit == "年" else span_days(day, day))
    if unit in {"天", "日"}:
        day = shift_days(calendar.today, -count)
        return _one(span_days(day, day))
    if unit == "年":
        return _one(year_range(calendar.today.year - count) if calendar.today.year > count else None)
    return _one(month_of(calendar.today, -count) if "月" in unit else week_of(calendar.today, -count))


def _later(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    count, unit = _number(match["count"]), match["unit"]
    if count < 0:
        return []
    half = match["count"] == "半"
    if unit in {"天", "日"} or ("月" not in unit and unit != "年"):
        day = shift_days(calendar.today, count * (1 if unit in {"天", "日"} else 7))
    elif unit == "年":
        day = shift_months(calendar.today, 6 if half else count * 12)
    else:
        day = shift_days(calendar.today, 15) if half else shift_months(calendar.today, count)
    return _one(span_days(day, day))


def _recent(match: re.Match[str], calendar: Calendar) -> list[DayRange]:
    count, unit = _number(match["count"]), match["unit"]
    if count <= 0:
        return []
    days = {"天": 1, "日": 1, "年": 365}.get(unit, 30 if "月" in unit else 7)
    ahead = match["way"] == "未来"
    other = shift_days(calendar.today, count * days * (1 if ahead else -1))
    return _one(span_days(calendar.today, other) if ahead else span_days(other, calendar.today))


def _one(found: DayRange | None) -> list[DayRange]:
    return [found] if found else []


_UNIT: Final = r"(?P<unit>天|日(?!元|圆)|个?星期|周|个?礼拜|个月|年)"
_WEEK: Final = r"(?:周|星期|礼拜)"

_MONTH_AT: Final = rf"(?:{_YEAR_OR_WORD}的?\s?)?(?<![\d第])(?P<month>{_MONTH})\s?月(?:份|(?!份))"
_MONTH_TO: Final = rf"{_TO}(?P<month2>{_MONTH})\s?月份?"
_DAY_TO: Final = rf"{_TO}(?:(?P<month2>{_MONTH})\s?月\s?)?(?P<day2>{_DAY})\s?[日号]"
_DAY_ALONE: Final = (
    rf"(?:(?P<near>[上这本下])个?月\s?的?|(?<![\d月.第-]))(?P<day>{_DAY})[日号](?![线楼店院元圆])"
)
_COUNT: Final = rf"(?P<count>{_N}|半){_UNIT}"
_NEARS: Final = "(?P<near>上上|下下|上|这|本|下|当)"
_FOUR_DIGITS: Final = r"(?P<year>(?:19|20)\d{2}|二[零〇][零〇一二三四五六七八九]{2})"

RULES: Final[tuple[Rule, ...]] = tuple(
    (re.compile(pattern), resolve)
    for pattern, resolve in (
        (rf"{_MONTH_AT}\s?(?P<day>{_DAY})(?:\s?[日号])?{_DAY_TO}", _days),
        (rf"{_MONTH_AT}\s?(?P<day>{_DAY})\s?[日号]", _day),
        (rf"{_MONTH_AT}{_MONTH_TO}", _months),
        (rf"{_MONTH_AT}(?!\s?\d{{1,2}}\s?[日号])的?(?P<part>{_PART})?", _month),
        (rf"{_MONTH_AT}的?{_EDGE}", _edge_day),
        (rf"(?:{_NEARS}[一个]?|每个?)月的?{_EDGE}", _edge_day),
        (_DAY_ALONE, _bare_day),
        (rf"{_FOUR_DIGITS}\s?年(?!代)", _whole_year),
        ("(?P<yearword>[今去前明后])年", _whole_year),
        (rf"(?:{_YEAR_OR_WORD}年?|(?<![\d今去前明后])年)(?P<part>[初中底末])(?![学级秀])", _year_part),
        (rf"(?:{_YEAR_OR_WORD})?(?P<part>上半|下半)年", _year_part),
        (rf"(?:{_YEAR_OR_WORD}的?)?(?P<season>[春夏秋])[天季]", _season),
        (rf"(?:{_YEAR_OR_WORD}的?)?第?(?P<quarter>[一二三四1-4])季度", _quarter),
        ("(?P<back>大前|大后|[今昨前明后])天", _near_day),
        ("|".join(_DAY_WORDS), _day_word),
        (rf"{_NEARS}(?:一|个|1)?{_WEEK}(?![一二三四五六日天末\d])", _week),
        (rf"{_NEARS}?个?{_WEEK}(?P<weekday>[一二三四五六日天])(?![个月])", _weekday),
        (rf"{_NEARS}?个?{_WEEK}末", _weekend),
        (rf"{_NEARS}[一个]?月的?(?P<part>{_PART})?(?!\d)", _near_month),
        (rf"(?<![\d个上下本这一二三四五六七八九十当])月(?P<part>[初中底末]|{_PART})", _month_part),
        (rf"每个月的?(?P<part>{_PART})", _month_part),
        ("(?<![月\\d])(?P<part>[上中下]旬)", _month_part),
        (rf"{_COUNT}半?多?[之以]?前", _ago),
        (rf"再?过{_COUNT}", _later),
        (rf"{_COUNT}[之以]?后", _later),
        (rf"(?P<way>最近|过去|近|未来)的?{_COUNT}", _recent),
    )
)
