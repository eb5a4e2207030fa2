"""Slots that hold one value at a time, and when two statements cannot both stand. Pure.

My home airport is Porto / is Bilbao, 我住在北京 / 我搬到上海了: the newer one holds. Of likings several may
stand, unless the same thing is now denied or the user says that they changed their mind. Of a dog, a wife, a
car many things are true at a time, and one name: "is sick" takes the place of no name.
"""

from __future__ import annotations

import re
from typing import Final

from shared.language.attributes import CALLED_ZH
from shared.language.bare_nouns import BEING
from shared.language.scripts import fold
from shared.ltm.answering import answers_otherwise
from shared.ltm.index import normal_text
from shared.ltm.replaced import takes_place
from shared.ltm.tombstones import is_denied

_COPULA: Final = re.compile(
    rf"(?P<slot>.{{2,60}}?)\s*(?:现在|目前)?(?P<verb>是|为|{CALLED_ZH}|住在|改成|换成|：|:|\bis\b|\bare\b|=)\s*(?:now\s+)?(?P<value>.+)"
)
_LIKING: Final = re.compile(
    r"(?P<slot>(?:我|i\s+)?(?:现在|最近|平时|now\s+)?(?:不|don't\s+|do\s+not\s+)?"
    r"(?:喜欢|爱|讨厌|偏好|习惯|like|love|hate|prefer|enjoy)(?:喝|吃|用|看|听|to\s+\w+)?)\s*(?P<value>.+)"
)
_CHANGES_MIND: Final = re.compile(
    r"改主意|还是|改一下|更正|不再|changed my mind|actually|instead|no longer|update|correction"
)
_LEAD: Final = re.compile(
    r"(?:请|帮我|please\s+)?(?:记住|记一下|记下来?|记着|更正|更新一下|remember(?:\s+that)?|note(?:\s+that)?|update|correction)\s*[:：,，]?\s*"
)
_NEWS: Final = re.compile(
    r"^(?:(?:big|great|good|some|exciting)\s+news|guess\s+what|by\s+the\s+way|btw|fyi|oh|hey|so|well"
    r"|好消息|告诉你(?:个好消息)?|跟你说|对了|哦|嗯|诶)\s*[:：,，!！]\s*"
)
_MOVED_WHEN: Final = (
    r"(?:(?![^,，。]{0,8}?(?:下|明|后|将|要|准备|打算|计划|想))[^,，。:：]{0,8}?"
    r"(?:[年月周日号天初底前]|月份|星期[一二三四五六日天]|周[一二三四五六日末])(?=(?:我们?|咱们?)?(?:刚|已经|又)?搬))?"
)
"""When somebody moved: 上个月搬到了, 上周末我们搬到; who will move has not, and 昨天住在 is no home."""
WHEN_EN: Final = re.compile(
    r"\s+(?:(?:last|this|next)\s+\w+|(?:in|since)\s+(?:\d{4}|january|february|march|april|may|june|july|august"
    r"|september|october|november|december)\b.*|\w+\s+(?:days?|weeks?|months?|years?)\s+ago|yesterday|recently|today|already|again)$"
)
STATES_EN: Final = (
    r"(?:(?:constant|perpetual|total|utter|complete|deep)\s+)?(?:fear|hope|peace|pain|chaos|poverty|luxury|comfort|denial|silence"
    r"|misery|exile|limbo|harmony|squalor|tears|money|free|fun|myself|nights?)"
)
"""What somebody lives in, works for or is moved to, and what is neither a place nor a firm."""
_NO_PLACE: Final = (
    r"(?:[a-z]+\s+){0,3}(?:items?|points?|steps?|tasks?|topics?|subjects?|questions?|pages?|slides?|chapters?|sections?"
    r"|parts?|levels?|stages?|lists?|phases?|teams?|plans?|tabs?)\b"
)
"""Whoever moved to the next item of a list still lives where they did."""
_HOME: Final = re.compile(
    rf"(?:我们?|咱们?|(?:i|we)(?:['’](?:m|re|ve))?\s+)?{_MOVED_WHEN}(?:我们?|咱们?)?"
    r"(?:现在|目前|已经|刚|又|最近|now\s+|currently\s+|just\s+|have\s+|am\s+|are\s+)*"
    rf"(?:住在?|定居在?|搬回到了?|搬[到去来回]了?|lives?\s+in|living\s+in|moved\s+(?:back\s+)?to|based\s+in|reside[sd]?\s+in)(?!\s*(?:{_NO_PLACE}|{STATES_EN}\b))\s*(?P<value>.+)"
)
_NEW_WORK_ZH: Final = (
    r"(?:(?:我们?)?(?:已经|刚|上周|上个?月)?(?:跳槽|换(?:了新?)?工作|找到了?新工作)了?[,，。]\s*)?"
)
_NEW_WORK_EN: Final = (
    r"i(?:'ve|\s+have)?\s+(?:just\s+)?(?:got|found|started|landed)\s+a\s+new\s+job"
    r"(?:\s*[,:;.]\s*|\s+(?=as\b|at\b|with\b))(?:i'?m\s+|i\s+am\s+|now\s+|as\s+|at\s+|with\s+)*"
)
_WORK: Final = re.compile(
    rf"{_NEW_WORK_ZH}(?:我|i\s+)?(?:现在|目前|now\s+|currently\s+)*"
    r"(?:在(?P<a>.{2,30}?)(?:上班|工作|任职)"
    rf"|(?:work(?:s|ing)?\s+(?:as\s+[^,;.]{{2,40}}?\s+)?(?:for|at)|joined|跳槽到了?|入职了?)(?!\s*{STATES_EN}\b)\s*(?P<value>.+))"
    rf"|{_NEW_WORK_EN}(?P<c>.+)"
)
_COMMA: Final = re.compile(r"[,，;；、](?!\d)")
_DENIAL: Final = re.compile(r"不|没有?|别|讨厌|\b(?:don't|do not|not|never|no longer|hate)\b|can't stand")
_ASKS: Final = re.compile(r"[?？]|[吗呢]$|哪|什么|谁|多少|几|\b(?:where|what|which|who|how|when|why)\b")
_OWN: Final = re.compile(r"(?:我|咱们?|俺)(?:们)?的|my\b|our\b")
_NAMED: Final = re.compile(r"(?:called|named)\s+")
_NAME_OF: Final = re.compile(r"(?:'s\s+name|的名字?|名字?)$")
_MAY_FILL: Final = re.compile(
    "住|定居|搬|上班|工作|任职|跳槽|入职|[我咱俺们]的"
    "|liv(?:es?|ing)|moved|based|reside|work|joined|new job|my|our"
)
"""One of these stands in all that fills a slot: most texts need no closer look."""

_MOST_CHARS: Final = 200
_NOISE: Final = re.compile(r"\s+|了$|现在|最近|目前|平时|\bnow\b|\bcurrently\b|的")


def changes_mind(text: str) -> bool:
    """True where the user says that they changed their mind: 还是…, 改主意, "actually", "instead"."""
    return _CHANGES_MIND.search(fold(text)) is not None


def contradicts(old: str, new: str, *, is_change: bool) -> bool:
    """True where the two cannot both hold: 我住在北京 / 我住在上海, 喜欢爵士乐 / 不喜欢爵士乐."""
    old_words, new_words = normal_text(old), normal_text(new)
    if old_words == new_words:
        return False
    if denies_same(old_words, new_words) or answers_otherwise(old_words, new_words) or takes_place(old, new):
        return True
    before, after = _LIKING.fullmatch(old_words), _LIKING.fullmatch(new_words)
    if before and after:
        return is_change and _bare(before["slot"]) == _bare(after["slot"])
    for pattern in (_HOME, _WORK):
        before, after = pattern.fullmatch(old_words), pattern.fullmatch(new_words)
        if before and after:
            return _bare(before[before.lastgroup or 0]) != _bare(after[after.lastgroup or 0])
    before, after = _COPULA.fullmatch(old_words), _COPULA.fullmatch(new_words)
    if before is None or after is None:
        return False
    slot = _slot(before)
    return bool(slot) and slot == _slot(after)


def denies_same(old: str, new: str) -> bool:
    """True where one of the two denies just what the other says: 我吃辣 / 我不吃辣, like / don't like tea."""
    old_words, new_words = normal_text(old), normal_text(new)
    return is_denied(old_words) != is_denied(new_words) and _bare(old_words) == _bare(new_words)


def _slot(copula: re.Match[str]) -> str:
    """Return what a statement gives its value to; empty where many such statements hold at a time."""
    holder = _bare(_NAME_OF.sub("", copula["slot"]))
    is_called = copula["verb"].startswith("叫") or _NAMED.match(copula["value"])
    if is_called or _NAME_OF.search(copula["slot"]):
        return f"{holder} name" if holder else ""
    return "" if BEING.search(copula["slot"]) else holder


def _value(copula: re.Match[str]) -> str:
    return _bare(_first_clause(_NAMED.sub("", copula["value"], count=1)))


def _bare(words: str) -> str:
    return _NOISE.sub("", _DENIAL.sub("", words))


def slot_of(text: str) -> tuple[str, str] | None:
    """Return the slot of the user's that a short statement fills, and the value; None where there is none.

    我住在北京: home, 北京; "I work for Acme": work, acme; 我的尺码是M: 我的尺码, m. A question fills nothing.
    """
    if len(text) > _MOST_CHARS:
        return None
    folded = fold(text.strip())
    if not _MAY_FILL.search(folded) or _ASKS.search(folded):
        return None
    words = normal_text(text)
    lead = _LEAD.match(words)
    words = words[lead.end() :] if lead else _NEWS.sub("", words, count=1)
    for name, pattern in (("home", _HOME), ("work", _WORK)):
        found = pattern.fullmatch(words)
        if found:
            return name, _bare(WHEN_EN.sub("", _first_clause(found[found.lastgroup or 0])))
    found = _COPULA.fullmatch(words)
    if found is None or not _OWN.match(found["slot"]):
        return None
    slot = _slot(found)
    return (f"own {slot}", _value(found)) if slot else None


def _first_clause(words: str) -> str:
    """Return what stands before a comma: what comes after it says something else, or more of the same."""
    return _COMMA.split(words, maxsplit=1)[0]
