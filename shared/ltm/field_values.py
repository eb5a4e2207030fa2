"""Values of fields: from what people write or JSON holds to one normal form, and back to what people read.

五十万 = 50万 = ¥500,000 = "half a million" = 500000; 3月15日 = March 15 = "2024-03-15"; 是 = yes = True.
The normal form is plain JSON: text, a whole or broken number, a boolean, an ISO day, a list of texts.
Invariant: normalising a normal form again changes nothing; what has no single value is refused, never
guessed.
"""

from __future__ import annotations

import json
import math
import re
from datetime import date, datetime, tzinfo
from decimal import Decimal
from typing import Any, Final, Literal, Protocol

from shared.errors import InvalidInput
from shared.language.amounts import write_out_scales
from shared.language.awaited_days import contradicts_weekday, find_awaited_dates
from shared.language.bare_days import coming_day
from shared.language.clock_times import find_clock_time
from shared.language.dates import DateSpan
from shared.language.numbers import find_numbers
from shared.language.numerals import read_chinese
from shared.language.scripts import fold
from shared.ltm.schema_path import SchemaPath

MAX_TEXT_CHARS: Final = 2000
MAX_ITEMS: Final = 200
MAX_NUMBER: Final = 10**15
_MAX_OBJECT_CHARS: Final = 8000
_RECENT_DAYS: Final = 60

_YES: Final = frozenset(
    [
        "是",
        "是的",
        "对",
        "对的",
        "有",
        "要",
        "需要",
        "可以",
        "真",
        "yes",
        "y",
        "true",
        "on",
        "1",
        "yep",
        "yeah",
    ]
)
_NO: Final = frozenset(
    [
        "否",
        "不是",
        "不",
        "不对",
        "没有",
        "无",
        "不要",
        "不需要",
        "不用",
        "不可以",
        "假",
        "no",
        "n",
        "false",
        "off",
        "0",
        "nope",
    ]
)
_ITEM_BREAK: Final = re.compile(
    r"\s*(?:[、，,；;\n]|(?<=[\u4e00-\u9fff\w])\s*(?:以及|和|跟|及)\s*(?=\S)|\s+and\s+|\s*&\s+)\s*"
)
_SPACES: Final = re.compile(r"\s+")
_BLANKS: Final = re.compile(r"\s{2,}+")
_WRAPPED: Final = re.compile(
    r"""\s*(?:"([^"]*)"|'([^']*)'|“([^”]*)”|‘([^’]*)’|「([^」]*)」|『([^』]*)』|`([^`]*)`)\s*"""
)
_DATE_LEFT: Final = re.compile(r"\d\s*[年月日号]")
"""Beside a date, part of another one that no calendar has: 2027年13月5日 is not the year 2027."""

_YEAR: Final = re.compile(r"\d{4}|[今去明后前]年|(?:last|this|next) year")
_STRAY_DAY: Final = re.compile(r"[\s,]{0,3}\d{1,2}(?!\d|\s?(?:[:：点點时時]|[ap]\.?m))", re.IGNORECASE)
"""April 32: what follows the month is a day that it has not, and no clock time."""

_SINGLE_NUMERALS: Final = frozenset("一二两三四五六七八九十")
"""Alone they are numbers; inside a text they are words as often."""

_PAST: Final = re.compile(r"上|去年|昨|前天|last|yesterday|ago")


def normalise_value(path: SchemaPath, raw: Any, *, today: date) -> Any:
    """The normal form of a value for this path; `raw` is text as said, or a JSON value as sent.

    Args:
        path: the field.
        raw: text or a JSON value.
        today: the day that relative dates are read against, in the user's zone.

    Raises:
        InvalidInput: the value has another type, is empty, or has no single reading; `field` is "value".
    """
    return _READERS[path.type](path, raw, today=today)


def in_zone(value: Any, path: SchemaPath, *, zone: tzinfo | None) -> Any:
    """A moment that was said by its day and clock time as that moment of a zone; any other value as it is."""
    moment = _iso_moment(value) if path.type == "datetime" and isinstance(value, str) else None
    if moment is None or moment.tzinfo is not None or zone is None:
        return value
    return moment.replace(tzinfo=zone).isoformat()


def show_value(path: SchemaPath, value: Any, *, language: Literal["zh", "en"]) -> str:
    """A value as a person reads it: 500000 -> 500,000, True -> 是 / yes, a list -> its items."""
    if value is None:
        return "（空）" if language == "zh" else "(empty)"
    if isinstance(value, bool):
        return {"zh": ("否", "是"), "en": ("no", "yes")}[language][value]
    if isinstance(value, int | float):
        return f"{value:,}"
    if isinstance(value, list | tuple):
        return ("、" if language == "zh" else ", ").join(one_line(str(item)) for item in value)
    if not isinstance(value, str):
        return json.dumps(value, ensure_ascii=False, sort_keys=True)
    shown = {"date": _show_day, "datetime": _show_moment}.get(path.type)
    return value if shown is None else shown(value, language)


def one_line(item: str) -> str:
    """An item of a list as it is kept: on one line, so that it ends where the list says."""
    return " ".join(item.split())


def split_items(text: str) -> list[str]:
    """The single items of a spoken list: A、B和C / "A, B and C"; quoted items stand whole."""
    whole = unwrap_quotes(text)
    if whole != text.strip():
        return [whole] if whole else []
    close = _BLANKS.sub(lambda match: "\n" if "\n" in match[0] else " ", text)
    return [item for item in (unwrap_quotes(part) for part in _ITEM_BREAK.split(close)) if item]


def unwrap_quotes(text: str) -> str:
    """The text without the one pair of quotation marks that wraps all of it."""
    match = _WRAPPED.fullmatch(text)
    return (
        next((group for group in match.groups() if group is not None), "").strip() if match else text.strip()
    )


def _refuse(path: SchemaPath, wanted: str) -> InvalidInput:
    return InvalidInput(f"The value of {path.path} must be {wanted}.", field="value")


def _read_text(path: SchemaPath, raw: Any, **_today: date) -> str:
    if isinstance(raw, bool) or not isinstance(raw, str | int | float):
        raise _refuse(path, "a text")
    text = _SPACES.sub(" ", str(raw)).strip()
    if not text:
        raise _refuse(path, "a text that is not empty")
    if len(text) > MAX_TEXT_CHARS:
        raise _refuse(path, f"a text of at most {MAX_TEXT_CHARS} characters")
    return text


def _read_number(path: SchemaPath, raw: Any, **_today: date) -> int | float:
    wanted = "one number" if path.type == "number" else "one whole number"
    value = _one_number(write_out_scales(raw) if path.is_money and isinstance(raw, str) else raw)
    if value is None or not value.is_finite():
        raise _refuse(path, wanted)
    if value < 0 and not path.may_be_negative:
        raise _refuse(path, f"{wanted} that is not below zero")
    if abs(value) > MAX_NUMBER:
        raise _refuse(path, f"{wanted} of at most {MAX_NUMBER:,}")
    if value == value.to_integral_value():
        return int(value)
    if path.type == "integer":
        raise _refuse(path, wanted)
    return float(value)


def _one_number(raw: Any) -> Decimal | None:
    if isinstance(raw, bool):
        return None
    if isinstance(raw, int):
        return Decimal(raw)
    if isinstance(raw, float):
        return Decimal(str(raw)) if math.isfinite(raw) else None
    if not isinstance(raw, str) or len(raw) > MAX_TEXT_CHARS:
        return None
    if raw.strip() in _SINGLE_NUMERALS:
        return read_chinese(raw.strip())
    found = find_numbers(raw)
    return found[0].value if len(found) == 1 else None


def _read_boolean(path: SchemaPath, raw: Any, **_today: date) -> bool:
    if isinstance(raw, bool):
        return raw
    word = fold(raw).strip(" 。.！!") if isinstance(raw, str) else ""
    if word in _YES:
        return True
    if word in _NO:
        return False
    raise _refuse(path, "yes or no")


def _read_date(path: SchemaPath, raw: Any, *, today: date) -> str:
    if not isinstance(raw, str) or len(raw) > MAX_TEXT_CHARS:
        raise _refuse(path, "a date")
    iso = _iso_moment(raw)
    if iso is not None:
        return iso.date().isoformat()
    found = find_awaited_dates(raw, today=today)
    if len(found) != 1 or _holds_more(raw, found[0]):
        raise _refuse(path, "one date, as 2024-03-15, 3月15日 or March 15")
    return _coming_day(path, found[0].end, words=found[0].quote, today=today).isoformat()


def _holds_more(raw: str, found: DateSpan) -> bool:
    """Whether a text holds part of another date beside the one that was found in it."""
    is_stretch = found.start != found.end
    return _DATE_LEFT.search(raw.replace(found.quote, " ", 1)) is not None or (
        is_stretch and _STRAY_DAY.match(raw, found.text_end) is not None
    )


def _coming_day(path: SchemaPath, day: date, *, words: str, today: date) -> date:
    """A deadline lies ahead: 3月15日 said in December is next year's, 25号 and Monday are the next ones."""
    meant = _meant_day(path, day, words=words, today=today)
    if contradicts_weekday(words, meant):
        raise _refuse(path, "a day that has the weekday said beside it")
    return meant


def _meant_day(path: SchemaPath, day: date, *, words: str, today: date) -> date:
    if path.expires != "deadline" or day >= today:
        return day
    coming = coming_day(words, day, today=today)
    if coming is not None:
        return coming
    if _YEAR.search(words) or _PAST.search(fold(words)) or (today - day).days <= _RECENT_DAYS:
        return day
    same = (_same_day(day, year) for year in (today.year, today.year + 1))
    return next((each for each in same if each is not None and each >= today), day)


def _same_day(day: date, year: int) -> date | None:
    try:
        return day.replace(year=year)
    except ValueError:
        return None


def _iso_moment(text: str) -> datetime | None:
    try:
        return datetime.fromisoformat(text.strip())
    except ValueError:
        return None


def _read_datetime(path: SchemaPath, raw: Any, *, today: date) -> str:
    wanted = (
        "one date with its time, as 2027-03-01T15:30:00+08:00, 2027年3月1日下午3点半 or March 1, 2027 3:30 pm"
    )
    if not isinstance(raw, str) or len(raw) > MAX_TEXT_CHARS:
        raise _refuse(path, wanted)
    moment = _iso_moment(raw)
    if moment is not None and ":" in raw:
        return moment.isoformat()
    clock, found = find_clock_time(raw), find_awaited_dates(raw, today=today)
    if clock is None or len(found) != 1 or found[0].start != found[0].end:
        raise _refuse(path, wanted)
    day = _coming_day(path, found[0].end, words=found[0].quote, today=today)
    return datetime.combine(day, clock.at).isoformat()


def _read_items(path: SchemaPath, raw: Any, *, today: date) -> list[str]:
    items = split_items(raw) if isinstance(raw, str) else raw
    if not isinstance(items, list | tuple) or len(items) > MAX_ITEMS:
        raise _refuse(path, f"a list of at most {MAX_ITEMS} texts")
    texts = [one_line(_read_text(path, item, today=today)) for item in items]
    return list(dict.fromkeys(texts))


def _read_object(path: SchemaPath, raw: Any, **_today: date) -> dict[str, Any]:
    if not isinstance(raw, dict) or len(json.dumps(raw, ensure_ascii=False, default=str)) > _MAX_OBJECT_CHARS:
        raise _refuse(path, f"an object of at most {_MAX_OBJECT_CHARS} characters")
    return raw


def _show_day(value: str, language: Literal["zh", "en"]) -> str:
    moment = _iso_moment(value)
    if moment is None:
        return value
    return f"{moment.year}年{moment.month}月{moment.day}日" if language == "zh" else moment.date().isoformat()


def _show_moment(value: str, language: Literal["zh", "en"]) -> str:
    moment = _iso_moment(value)
    if moment is None:
        return value
    clock = moment.strftime("%H:%M:%S" if moment.second else "%H:%M")
    return f"{_show_day(value, language)} {clock}"


class _Reader(Protocol):
    """What reads a raw value as one type of field."""

    def __call__(self, path: SchemaPath, raw: Any, *, today: date) -> Any: ...


_READERS: Final[dict[str, _Reader]] = {
    "string": _read_text,
    "integer": _read_number,
    "number": _read_number,
    "boolean": _read_boolean,
    "date": _read_date,
    "datetime": _read_datetime,
    "string[]": _read_items,
    "object": _read_object,
}
