"""What a thing to forget is called beside when it was said: 上个月聊的方案 -> 方案, of last month. Pure."""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from datetime import date
from typing import Final, NamedTuple

from shared.language.dates import DateSpan, find_query_dates

_MOST_CHARS: Final = 100
_DAY: Final = "\ue000"
"""Stands for a date in a text."""
_SAY_EN: Final = r"(?:said|mentioned|told(?:\s+you)?|gave(?:\s+you)?|talked|spoke|discussed|chatted)(?:\s+(?:about|of|to\s+you|with\s+you|you))*+"
_ONCE_EN: Final = (
    rf"(?:before|earlier|just\s+now|a\s+(?:moment|minute|while)\s+ago|last\s+time|(?:on\s+|in\s+)?{_DAY})"
)
_ZH: Final = re.compile(
    rf"(?:我们?|咱们?)?(?P<once>(?:刚才|刚刚|刚|之前|以前|先前|前面|上次|上回|{_DAY})*+)(?:我们?|咱们?)?(?:跟|和|对|与)?(?:你|我)?"
    r"(?P<say>(?:说|提|讲|聊|谈|讨论|告诉你?|给你?)?(?:过|到|起|及)?)(?P<of>的?)(?:那个|那些|那条|我们?的)?"
)
_LEAD_EN: Final = re.compile(
    rf"(?:(?:what|everything|anything|all)\s+)?(?:that\s+)?(?:(?:i|we)(?:'ve|\s+have)?\s+(?:just\s+|already\s+)?{_SAY_EN}(?:\s+{_ONCE_EN})*+|{_DAY}(?:'s)?|earlier\b)\s*"
)
_TAIL_EN: Final = re.compile(
    rf"\s+(?:that\s+|which\s+)?(?:i|we)(?:'ve|\s+have)?\s+(?:just\s+|already\s+|once\s+)?{_SAY_EN}(?:\s+{_ONCE_EN})*+$"
    rf"|\s+(?:from|of)\s+{_ONCE_EN}$|\s+(?:earlier|just\s+now|last\s+time)$"
)


class SaidBefore(NamedTuple):
    """What was said, "" where that is not named, and on which days, where they are."""

    thing: str
    days: DateSpan | None


def read_said_before(text: str, *, today: date) -> SaidBefore | None:
    """Return what a text calls by its having been said; None where it does not: 价格 names a price."""
    if len(text) > _MOST_CHARS or _DAY in text:
        return None
    spans = find_query_dates(text, today=today, years=(today.year,))
    days = spans[0] if len(spans) == 1 else None
    if days is not None:
        text = text[: days.text_start] + _DAY + text[days.text_end :]
    folded = text.lower().replace("’", "'")
    if len(folded) != len(text):
        return None
    start, end = _bounds(folded)
    thing = text[start:end].strip()
    is_said = (start > 0 or end < len(text)) and _DAY not in thing
    return SaidBefore(thing, days) if is_said and (thing or days) else None


def _bounds(folded: str) -> tuple[int, int]:
    zh = _ZH.match(folded)
    if zh is not None and (zh["once"] or zh["say"]) and (zh["of"] or zh.end() == len(folded)):
        return zh.end(), len(folded)
    lead = _LEAD_EN.match(folded)
    if lead is not None:
        return lead.end(), len(folded)
    tail = _TAIL_EN.search(folded)
    return 0, tail.start() if tail is not None else len(folded)
