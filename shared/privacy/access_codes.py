"""Codes that open a door or silence an alarm: as secret as a PIN where they stand, not where they are lent.

The gate code is 4711 and 门禁密码是4711 say the same, so both are masked, and so is 门禁码是4711. A code that its
own sentence ends ("door code 4471 this week", 本周的门禁码是4471) is one that somebody was lent: it has to be told
again until then, and stays. What is called a password or a PIN is judged elsewhere, and always masked.
Invariant: places are those of the folded text.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from shared.language.sieve import Sieve

_NEAR_CHARS: Final = 80
_THING_EN: Final = (
    r"(?:door|gate|garage|entry|entrance|lobby|key\s?pad|lock|lock\s?box|locker|safe|vault|padlock)"
)
_ALARM_EN: Final = r"(?:burglar\s|house\s|home\s|office\s|shop\s|workshop\s)?alarm(?:\s(?:system|panel))?"
_THING_ZH: Final = (
    r"(?:门禁|大门|楼门|院门|家门|单元门|车库门?|门锁|闸机|道闸|进门|开门|开锁|解锁|保险[柜箱]|储物柜|更衣柜|挂锁|密码锁"
    r"|报警器|警报器|安防系统)"
)
_LABEL: Final = rf"(?:(?<![a-z]){_THING_EN}(?:['’]s)?\s(?:access\s|entry\s)?code|{_THING_ZH}的?(?:进出|通行|开门|解除)?(?:代码|码))"
_ALARM_LABEL: Final = rf"(?<![a-z])(?<!device )(?<!machine )(?<!fault ){_ALARM_EN}(?:['’]s)?\scode"
_OF: Final = r"(?:\s(?:for|of|to|at|on|in)\s(?:[a-z'’-]{1,20}\s){0,3}?[a-z'’-]{1,20})?"
_LINK: Final = (
    r"\s{0,3}(?:[:=：＝]|是|为|就是|还是|现在是|改成了?|换成了?|\bis(?:\s(?:now|still))?\b|\bwas\b)"
)
_CODE: Final = r"\s{0,3}[\"'“「]?(?P<secret>[#*]?(?=[a-z]{0,6}\d)[a-z0-9]{3,10}[#*]?)(?![a-z0-9_%]|[./:-][a-z0-9])(?!\s{0,3}(?:[个次位条年天块扇]|doors?\b|lines?\b|times\b|digits?\b))"
_AFTER: Final = re.compile(rf"{_LABEL}{_OF}(?:{_LINK})?{_CODE}", re.ASCII)
_ALARM: Final = re.compile(rf"{_ALARM_LABEL}{_OF}{_LINK}{_CODE}", re.ASCII)
_BEFORE: Final = re.compile(
    rf"(?<![a-z0-9_.:/-])(?P<secret>[#*]?\d{{3,10}}[#*]?)\s{{0,3}}(?:\bis\s(?:the|my|our)\s(?:[a-z]{{1,20}}\s){{0,2}}?(?:{_THING_EN}|alarm)\scode(?![a-z])"
    rf"|(?:就?是)(?:我们?|咱们?)?的?{_THING_ZH}的?码)",
    re.ASCII,
)
_ANY: Final = Sieve(pattern.pattern for pattern in (_AFTER, _ALARM, _BEFORE))
_SENTENCE_END: Final = re.compile(r"[。！？!?；;\n]|\.(?=\s|$)")
_LENT: Final = re.compile(
    r"\b(?:this|the)\s(?:week|weekend|month|morning|afternoon|evening)\b|\btoday\b|\btonight\b|\btomorrow\b|\buntil\b|\btill?\b|\bvalid\b"
    r"|\bexpir(?:es?|ing)\b|\btemporar(?:y|ily)\b|\bfor\s(?:\d{1,3}|a|one|two|three|a few)\s(?:hours?|days?|weeks?|months?|nights?)\b|\bthrough\s(?:mon|tue|wed|thu|fri|sat|sun)"
    r"|[本这][个]?(?:周|月|星期|礼拜)|今[天晚日]|明[天晚日]|周末|临时|有效|过期|失效|为止|用到|直到|截至|截止|[日号天月]之?前|[内后]失?作废"
)


def find_access_codes(folded: str) -> Iterator[tuple[int, int]]:
    """Give the places of codes of doors and alarms in a folded text, those that are lent left out."""
    if not _ANY.may_hold(folded):
        return
    for pattern in (_AFTER, _ALARM, _BEFORE):
        for match in pattern.finditer(folded):
            if not _is_lent(folded, match):
                yield match.span("secret")


def _is_lent(folded: str, match: re.Match[str]) -> bool:
    """Return whether the sentence around a code names its end."""
    start, end = max(0, match.start() - _NEAR_CHARS), min(len(folded), match.end() + _NEAR_CHARS)
    before = [mark.end() for mark in _SENTENCE_END.finditer(folded, start, match.start())]
    after = _SENTENCE_END.search(folded, match.end(), end)
    first, last = before[-1] if before else start, after.start() if after else end
    return _LENT.search(folded, first, last) is not None
