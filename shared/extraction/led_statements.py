"""A whole statement that puts something right: "Actually Clara moved to Porto", 其实我老板是李四. Pure.

The cue leads it, follows a take-back (不对，我老板是李四 / "no, my boss is Jerry"), or stands inside it
(我老板其实是李四 / "Clara has actually moved to Porto"). What it puts right is not said: that is for the
caller, who knows what is held. An interjection alone (oh, 等等) puts nothing right.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from shared.extraction.pages import Page, Span, trim_span
from shared.ltm.other_values import may_give_value

_MOST_CLAUSES: Final = 2
_ZH: Final = r"其实|实际上|事实上|准确地?说(?=[\s,，:：是])|更正一下|更正|纠正一下|应该说(?=[\s,，:：是])"
_EN: Final = r"actually|in\s+(?:actual\s+)?fact|as\s+a\s+matter\s+of\s+fact"
_CUE: Final = re.compile(
    rf"\s*(?:(?:哦|啊|嗯|哎|诶|对了|那个|不过|但是?|oh|ah|well|hmm|hey|but|and|so|wait|sorry)[\s,，]*){{0,3}}(?:(?:{_ZH})|(?:{_EN})\b)[\s,，:：]*"
)
_INSIDE: Final = re.compile(rf"(?:{_ZH})|\s(?:{_EN})(?=\s)")
_AFTER: Final = re.compile(rf"\s*(?:{_ZH}|{_EN})\s*")
_TAKES_BACK: Final = re.compile(
    r"不对|不是(?:这样|这个|那个)?的?[\s,，]|错了|口误|更正|纠正|其实|实际上"
    r"|\b(?:no|nope|nah|wrong|incorrect|correction|misspoke|mistake|typo|actually|scratch\s+that)\b|isn't\s+(?:right|correct)"
)
_LOOSE: Final = re.compile(
    r"我(?:想|猜|希望|打算|准备|可能)|可能|也许|大概|好像|如果|要是|别|不用"
    r"|(?:i\s+(?:guess|hope|wish|wonder|might|want|would)|maybe|perhaps|probably|if|let's|please|can|could|do|don't|just|never|no)\b"
)
_OPINION: Final = re.compile(
    r"觉得|以为|认为|说|告诉|\b(?:think|thinks|thought|believes?|said|says|told|heard)\b"
)
"""What somebody says or believes is no statement of the user's own."""


def led_statement(page: Page, clauses: Sequence[Span], *, left: Sequence[Span]) -> str:
    """The statement that `clauses`, all of a short message, make to put something right; empty where none.

    `left` are those after what takes back (`corrections` has read it off).
    """
    if not left or len(left) > _MOST_CLAUSES:
        return ""
    before = page.open[clauses[0].start : left[0].start]
    start, end = left[0].start, left[0].end
    cue = _CUE.match(page.open, start, end)
    if cue is not None:
        start = cue.end()
    is_led = cue is not None or _TAKES_BACK.search(before) is not None
    if start == end and len(left) > 1:
        start, end = left[1].start, left[1].end
        left = left[1:]
    if not is_led and len(left) > 1:
        is_led = _AFTER.fullmatch(page.open, left[1].start, left[1].end) is not None
    inside = None if is_led else _INSIDE.search(page.open, start, end)
    if (
        not (is_led or inside)
        or _LOOSE.match(page.open, start, end)
        or _OPINION.search(page.open, start, end)
    ):
        return ""
    span = trim_span(page.text, start, end=end)
    text = page.text[span.start : span.end]
    if inside is not None:
        text = page.text[span.start : inside.start()] + page.text[inside.end() : span.end]
    is_whole = "\ufffc" not in page.open[start:end]
    return text.strip() if is_whole and may_give_value(text) else ""
