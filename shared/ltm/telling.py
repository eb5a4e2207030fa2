"""Whether a text tells what a field holds or held, or what a memory says. Pure.

A number or a day tells a field's value only beside the field's name: 60万 may be anybody's. One right after
the name is told of the field whether it was ever kept or not (我决定把预算提高到60万). A name, an address or
an identifier of the user's tells itself.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache
from typing import Any, Final

from shared.errors import InvalidInput
from shared.language.dates import find_dates
from shared.language.numbers import find_numbers
from shared.language.scripts import fold, fold_aligned
from shared.ltm.index import normal_text
from shared.ltm.schema import SchemaPath, normalise_value
from shared.ltm.tombstones import text_keys

_MOST_CHARS: Final = 1_000
_LEAST_ITSELF: Final = 5
_MOST_BETWEEN: Final = 16
_COUNTER: Final = re.compile(
    r"\s*(?:[%％次遍个人位天日周月年季份条版项页台号件张]|小时|分钟"
    r"|(?:times?|minutes?|hours?|days?|weeks?|months?|years?|people|percent|items?|lines?|pages?)\b)"
)
"""Behind a number that counts something else: 预算复核2次, "the budget has 3 people on it"."""

_LEAST_GROUPED: Final = 7
_GROUPING: Final = re.compile(r"(?<=\d)[ ().-]{1,3}(?=\d)")
_MARK_OF_ITSELF: Final = re.compile(r"[\d@]")
VALUE_CUES: Final = {
    "name": re.compile(r"叫|名字|姓名|我是|用户是|\b(?:name|named|called|i am|i'm|user is|goes by)\b"),
    "role": re.compile(
        r"是|担任|工作|职业|\b(?:work(?:s|ing)?|job|is an?|am an?|i'm an?|employed|acts?|serv(?:es?|ing))\b"
    ),
}
"""Words that name a field as well as its label does, by the last word of its path."""

_USER: Final = (
    (re.compile(r"(?:用户|本人)+"), "我"),
    (re.compile(r"\b(?:the\s+)?user's\b"), "my"),
    (re.compile(r"\b(?:the\s+)?user\b"), "i"),
)


def tells_value(text: str, path: SchemaPath, *, values: Iterable[Any], day: date) -> bool:
    """True where a text tells one of the field's values; `day` is the day it was said.

    Of a long text the first 1,000 characters are read.
    """
    text = text[:_MOST_CHARS]
    folded = fold_aligned(text).replace("’", "'")
    ends = [match.end() for match in names_pattern(path).finditer(folded)]
    items = list(_items(values))
    if path.type in {"number", "integer"}:
        return bool(ends) and _tells_number(text, items, ends=ends, day=day)
    if path.type == "date":
        return bool(ends) and _tells_day(text, path, values=items, ends=ends, day=day)
    if path.type not in {"string", "string[]"}:
        return False
    said, cue = plain_text(text), VALUE_CUES.get(path.leaf)
    cues = [match.end() for match in cue.finditer(said)] if cue is not None else []

    def tells(item: str) -> bool:
        places = _places_of(item, said)
        if ends or path.leaf == "name" or _tells_itself(item):
            return bool(places)
        return any(_follows(place, cues) for place in places)

    return any(tells(item) for item in (plain_text(str(item)) for item in items) if item)


def said_keys(text: str) -> frozenset[str]:
    """The keys under which two texts say one thing, in the user's words or of the user: 用户养猫 = 我养猫."""
    return frozenset(text_keys(_as_own(text[:_MOST_CHARS])))


def plain_text(text: str) -> str:
    """A text or a value in the form in which one is looked for in the other."""
    return normal_text(text).replace("’", "'")


@lru_cache(maxsize=256)
def names_pattern(path: SchemaPath) -> re.Pattern[str]:
    """What finds a field's labels, aliases and path in a folded text."""
    names = sorted({fold(name) for name in path.names}, key=len, reverse=True)
    return re.compile(
        "|".join(re.escape(name) if not name.isascii() else rf"\b{re.escape(name)}\b" for name in names)
    )


def item_pattern(item: str) -> re.Pattern[str]:
    """What finds a value's plain form as words of its own: Al is not in Alice, nor dev@x.io in a.dev@x.io."""
    before = r"(?<![a-z0-9])" if item[0].isascii() and item[0].isalnum() else ""
    after = r"(?![a-z0-9])" if item[-1].isascii() and item[-1].isalnum() else ""
    address = r"(?<![a-z0-9][._+-])" if "@" in item else ""
    return re.compile(f"{before}{address}{re.escape(item)}{after}")


def _items(values: Iterable[Any]) -> Iterator[Any]:
    for value in values:
        yield from value if isinstance(value, list | tuple) else (value,)


def _tells_number(text: str, values: Sequence[Any], *, ends: Sequence[int], day: date) -> bool:
    wanted = {
        Decimal(str(value))
        for value in values
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    days = [range(found.text_start, found.text_end) for found in find_dates(text, today=day)]
    return any(
        number.value in wanted
        or (
            _follows(number.start, ends)
            and _COUNTER.match(text, number.numeral_end) is None
            and not any(number.start in span for span in days)
        )
        for number in find_numbers(text)
    )


def _tells_day(text: str, path: SchemaPath, *, values: Sequence[Any], ends: Sequence[int], day: date) -> bool:
    for found in find_dates(text, today=day):
        try:
            said = normalise_value(path, found.quote, today=day)
        except InvalidInput:
            continue
        if said in values or _follows(found.text_start, ends):
            return True
    return False


def _follows(place: int, ends: Sequence[int]) -> bool:
    """True where a place stands close behind the nearest name before it."""
    before = bisect_right(ends, place)
    return before > 0 and place - ends[before - 1] <= _MOST_BETWEEN


def _tells_itself(item: str) -> bool:
    return len(item) >= _LEAST_ITSELF and _MARK_OF_ITSELF.search(item) is not None


def _places_of(item: str, text: str) -> list[int]:
    """Where a value stands; a long number may be written in groups: 138-0000-1111."""
    found = [match.start() for match in item_pattern(item).finditer(text)]
    digits = _GROUPING.sub("", item)
    if not found and digits.isdecimal() and len(digits) >= _LEAST_GROUPED:
        found = [match.start() for match in item_pattern(digits).finditer(_GROUPING.sub("", text))]
    return found


def _as_own(text: str) -> str:
    folded = fold(text).replace("’", "'")
    for user, own in _USER:
        folded = user.sub(own, folded)
    return folded
