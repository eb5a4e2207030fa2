"""A bare name after a verb of forgetting: 忘记团子, 能忘掉我老板吗 / "forget Pebble".

It may be a command, or tell that something slipped the mind, or ask what we are able to. So it is none
by itself: where a memory speaks of the thing, the user is asked. Pure.
"""

from __future__ import annotations

import re
from typing import Final

from shared.extraction import command_words_en as en
from shared.extraction import command_words_zh as zh
from shared.extraction.forget_words import NO_THING, NOT_FORGOTTEN
from shared.extraction.pages import Page

_ZH: Final = re.compile(
    r"\s*(?:那就|那|就|你)?忘(?:记|掉|却)(?P<thing>[^\s,，。!！?？；;:：、]{2,12})[。.!！~～\s]*"
)
_EN: Final = re.compile(
    r"\s*(?:ok(?:ay)?,?\s+|just\s+)?forget\s+(?:about\s+)?(?P<thing>[\w'’.-]+(?:\s+[\w'’.-]+){0,2}?)(?<![.])[.!\s]*",
    re.ASCII,
)
_DROP_ZH: Final = r"(?:忘掉|忘记|删掉|删除|清除|清掉|抹掉)"
_KEPT_ZH: Final = r"(?:的?(?:记录|信息|记忆|资料|内容|事情?))"
_MAY_ZH: Final = r"\s*(?:请问)?你?(?:能不能|可不可以|能否|可以|能)(?:请|麻烦|帮我)*"
_OURS_ZH: Final = r"我(?!们)的?(?![吗么嘛吧了掉])(?P<thing>[^\s,，。!！?？；;:：、我]{1,20}?)"
_END_ZH: Final = r"(?:掉|了|吧|吗|么|嘛)*[\s。.!！?？~～]*"
_ASKED: Final = (
    re.compile(rf"{_MAY_ZH}{_DROP_ZH}(?:关于|有关)?{_OURS_ZH}{_KEPT_ZH}?{_END_ZH}"),
    re.compile(rf"{_MAY_ZH}把(?:关于|有关)?{_OURS_ZH}{_KEPT_ZH}?(?:都|全部)?{_DROP_ZH}{_END_ZH}"),
    re.compile(rf"\s*(?:请|麻烦|帮我)*{_DROP_ZH}(?:关于|有关)?{_OURS_ZH}{_KEPT_ZH}{_END_ZH}"),
    re.compile(rf"\s*(?:关于|有关){_OURS_ZH}{_KEPT_ZH}(?:都|请|麻烦|全部|帮我|给我)*{_DROP_ZH}{_END_ZH}"),
    re.compile(
        rf"\s*{_OURS_ZH}(?:是谁|是什么|叫什么)?(?:这件事|的事情?|这事)(?:就|都|也|请)*(?:别|不要|不用)再?记{_END_ZH}"
    ),
    re.compile(
        rf"\s*(?:请|麻烦|帮我)*把?(?:关于|有关)?(?P<thing>[^\s,，。!！?？；;:：、我]{{1,20}}?)(?:的?(?:那|这)[条个]{_KEPT_ZH}?|{_KEPT_ZH})(?:都|全部|给我|也)*(?:{_DROP_ZH}|删了|去掉|不要){_END_ZH}"
    ),
    re.compile(
        r"\s*(?:please\s+|just\s+)*(?:drop|remove|delete|forget|erase|lose|scrap)\s+(?:the|that|your)\s+(?:ones?|bit|part|thing|stuff|memory|memories|notes?|records?|entry)"
        r"\s+(?:about|on|saying|that\s+says)\s+(?:my\s+|our\s+)?(?P<thing>[\w'’.-]+(?:\s+[\w'’.-]+){0,4}?)(?<![.])(?:,?\s+(?:please|pls))?[.!\s]*",
        re.ASCII,
    ),
    re.compile(
        r"\s*(?:(?:can|could|would)\s+you\s+(?:just\s+|please\s+|kindly\s+)?(?:forget|delete|erase|remove)"
        r"|would\s+you\s+mind\s+(?:forgetting|deleting|erasing|removing))\s+(?:about\s+)?"
        r"(?:my|our|(?:that\s+)?(?:i|we)\s+(?:have|had|am|are)(?:\s+an?)?)"
        r"\s+(?P<thing>[\w'’.-]+(?:\s+[\w'’.-]+){0,3}?)(?<![.])(?:,?\s+(?:please|pls|for\s+me))?[.!?\s]*",
        re.ASCII,
    ),
)
"""Requests in everyday words for what is the user's own; each is the whole message."""

_MOST_CHARS: Final = 60


def read_bare_forget(page: Page) -> str:
    """The name in a message that is nothing but a verb of forgetting and it; empty where it is no such."""
    if len(page.text) > _MOST_CHARS:
        return ""
    match = _ZH.fullmatch(page.open) or _EN.fullmatch(page.open) or _asked_in(page.open)
    if match is None:
        return ""
    thing = match["thing"]
    if NOT_FORGOTTEN.match(thing) or NO_THING.search(thing) or en.IDIOM.match(thing):
        return ""
    return page.text[match.start("thing") : match.end("thing")]


def _asked_in(words: str) -> re.Match[str] | None:
    """The match of a request; to delete a paragraph is work, whosever it is."""
    if zh.DELETE_IN_WORK.search(words) or en.DELETE_IN_WORK.search(words):
        return None
    return next((match for pattern in _ASKED if (match := pattern.fullmatch(words))), None)
