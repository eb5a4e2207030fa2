"""What a newer clause takes the place of: it denies what was said, or chooses another value for it. Pure.

我喜欢喝咖啡 and 我不喜欢喝咖啡了, 价格必须含税 and 价格可以不含税了, "I don't eat meat" and "I eat meat now"
cannot both hold; nor can 以后都用英文回答 and 以后都用中文回答. 不要用红色 and 不要用蓝色 can. Invariant: a clause
takes the place only of what says the same but for its denial, or but for the one value that it chooses.
"""

# ruff: noqa: E501  (an alternation is read best on one line)

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final, NamedTuple

from shared.stm.polarity import count_denials

_KEPT: Final = 2_048
_MOST_CHARS: Final = 240
_LEAST_HAN: Final = 4
_OF_SOMEBODY: Final = re.compile(r"[我你他她咱]")

_NOISE: Final = re.compile(
    r"必须|务必|一定|应该|应当|可以|能够|要求|需要|现在|目前|已经|以后|今后|从现在起|最近|其实|还是|禁止|避免|没关系|没问题|[要得可能又也都就还再请了的吧啦啊呢]"
    r"|\b(?:and|but|so|also|then|must|may|might|can|could|should|shall|will|would|have to|has to|needs?(?: to)?|ca|wo|sha|now|again|any ?more"
    r"|any longer|longer|these days|still|really|actually|always|please|do|does|did|to|be|am|is|are|just|ok|okay|fine|too|after all"
    r"|from now on|avoid|stop)\b|'(?:m|re|s|ve|d|ll)\b"
)
_FORBIDS: Final = re.compile(r"禁止|避免|\b(?:avoid|stop)\b")

_CHOICES: Final = (
    re.compile(
        r"(?P<a>.*?)(?:使用|采用|改用|换成|用|按照?|通过|走)(?P<value>[^,，]{1,12}?)(?P<b>(?:来)?(?:回答|回复|答复|作答|说话|交流|沟通"
        r"|写|接收|接受|发送|发|输出|显示|结算|支付|付款|报价|联系|通知).{0,6})"
    ),
    re.compile(r"(?P<a>.*?)(?P<b>叫我|称呼我(?:为|叫)?|喊我)(?P<value>[^,，的]{1,12})"),
    re.compile(
        r"(?P<a>.*?)\b(?P<b>answer|reply|respond|speak|talk|write)(?: to)?(?: me| us)?(?: only| always)? (?:in|using) "
        r"(?P<value>[\w' -]{2,30})"
    ),
    re.compile(
        r"(?P<a>.*?)\b(?P<b>send|deliver|get|receive|pay|report|contact)(?P<c> .{1,40}?)? (?:via|by|through|over|using) (?P<value>[\w' -]{2,30})"
    ),
    re.compile(r"(?P<a>.*?)\b(?P<b>call|address) me (?:as )?(?P<value>[\w' -]{2,30})"),
)
_SAME_ACT: Final = re.compile(r"回答|回复|答复|作答|\b(?:answer|reply|respond)\b")
_HOLDS_ON: Final = re.compile(
    r"以后|今后|从现在|往后|都|一律|统一|每次|所有|全部|必须|务必|总是|\b(?:always|from now on|going forward|all|every|must|only)\b"
)


class _Said(NamedTuple):
    """A clause without its denial and noise; the frame and the value of what it chooses, if it does."""

    core: str
    is_denied: bool
    frame: str
    value: str


def takes_place(newer: str, older: str, *, message: str) -> bool:
    """Return whether a newer folded clause of a folded message takes the place of what was said before it."""
    new, old = _read(newer), _read(older)
    if new.core and new.core == old.core:
        return new.is_denied != old.is_denied
    if not new.frame or new.frame != old.frame or new.value == old.value or new.is_denied or old.is_denied:
        return False
    return _HOLDS_ON.search(message) is not None


@lru_cache(maxsize=_KEPT)
def _read(folded: str) -> _Said:
    if len(folded) > _MOST_CHARS:
        return _Said("", is_denied=False, frame="", value="")
    bare, count = count_denials(folded)
    is_denied = (count + len(_FORBIDS.findall(folded))) % 2 == 1
    core = _core(_NOISE.sub(" ", bare))
    for pattern in _CHOICES:
        match = pattern.fullmatch(folded)
        if match is not None:
            around = "".join(part for name, part in match.groupdict().items() if part and name != "value")
            frame = _letters(_NOISE.sub(" ", _SAME_ACT.sub("=", around)), kept="=")
            return _Said(
                core, is_denied, _FRAME_IDLE.sub("", frame), _letters(_NOISE.sub(" ", match["value"]))
            )
    return _Said(core, is_denied, frame="", value="")


_FRAME_IDLE: Final = re.compile(r"所有|全部|一律|统一|每次|给我|跟我|我$|^(?:你|you)|来|every|all")


def _core(words: str) -> str:
    """Return what a clause says without its noise; empty where that may be no more than a name."""
    core = _letters(words)
    if core.isascii():
        return core if len(words.split()) > 1 else ""
    return core if len(core) >= _LEAST_HAN or (len(core) > 1 and _OF_SOMEBODY.match(core)) else ""


def _letters(words: str, *, kept: str = "") -> str:
    return "".join(ch for ch in words if ch.isalnum() or ch in kept)
