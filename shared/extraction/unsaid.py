"""A whole message that takes back what was just said: 忘掉我刚才说的, "take that back", 还是别记了. Pure.

"Forget what I just said" means the user's message before, whatever it was. "Take that back" and 别记了 are said
to people too, and of things: they count only right after a message that memory has carried something out of, or
has asked about. All patterns are for folded text.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from shared.extraction.command import Command
from shared.extraction.off_record import OffRecord, read_off_record
from shared.extraction.off_record_words import OFF_RECORD_WORDS
from shared.extraction.pages import Page, read_page
from shared.ltm.raw_words import RawWords

UNSAID_WORDS: Final = (
    *(
        "忘",
        "删",
        "清除",
        "抹掉",
        "收回",
        "当我没说",
        "没说过",
        "不记了",
        "不用存",
        "不用留",
        "forget",
        "erase",
    ),
    *(
        "delete",
        "disregard",
        "ignore",
        "pretend",
        "act like",
        "take that back",
        "take it back",
        "scratch that",
    ),
    *("strike that", "no need to"),
)
"""One of them, or of those off the record, stands in every message that takes something back."""

_ASIDE_ZH: Final = r"(?:[^\w\ufffc]|算了|想了想|想想|等等|等一?下|不对|不好意思|抱歉|对不起|我?改主意了|我?后悔了|其实|嗯|哎呀?|唉|哦|请|麻烦|拜托|那个?|你|就|还是|先|帮我|给我|吧|了|哈|啊|呀|谢谢你?)*+"
_SAID_ZH: Final = r"(?:我)?(?:刚才|刚刚|刚|方才|上一?(?=[句条]))(?:我)?(?:说|讲|发|提|告诉你|跟你说|和你说)?(?:过|到)?(?:的|那)*(?:[一]?[句条段些番个])?(?:话|内容|消息|事情?|东西)?(?:都|全|统统)*"
_GONE_ZH: Final = r"(?:忘(?:掉|了|记)?|删(?:掉|除|了|去)?|清除|抹掉)"
_PLAIN_ZH: Final = re.compile(
    rf"{_ASIDE_ZH}(?:{_GONE_ZH}{_SAID_ZH}|(?:把)?{_SAID_ZH}(?:给)?(?:我)?{_GONE_ZH}|(?:{_SAID_ZH}|那)?(?:就)?当我没说过?){_ASIDE_ZH}"
)
_BARE_ZH: Final = re.compile(
    rf"{_ASIDE_ZH}(?:收回(?:我)?(?:刚才|刚刚|刚)?(?:我)?(?:说)?(?:的|那|这)*(?:[一]?[句条些])?(?:话)?"
    r"|(?:(?:刚才|刚刚|刚)?(?:记|存)?的?(?:这|那)(?:个|条|句))?(?:就|也|都)*(?:别|不要|不用|不必|不)再?(?:帮我|给我)?(?:记住?|留|存|保存|记下来?|记录|记着)(?:着|它|这个|那个|在记忆里|了)*"
    rf"){_ASIDE_ZH}"
)
_ASIDE_EN: Final = r"(?:[^\w\ufffc]|(?:on\s+second\s+thoughts?|come\s+to\s+think\s+of\s+it|i(?:'ve)?\s+changed\s+my\s+mind|you\s+know\s+what|never\s?mind|my\s+(?:bad|mistake)|after\s+all|thank\s+you|actually|wait|hmm+|sorry|oops|please|pls|just|then|thanks|though|can\s+you|could\s+you|would\s+you|hey|oh|ok|okay|well|so|no(?!\s+need)|and|but)(?![a-z']))*+"
_LAST_EN: Final = r"(?:(?:everything|all|the\s+thing|what|that\s+thing)\s+(?:that\s+)?i(?:'ve|\s+have)?\s+just\s+(?:said|told\s+you|wrote|typed|mentioned|sent)|what\s+i\s+(?:said|told\s+you|wrote)\s+(?:just\s+now|a\s+(?:moment|second|minute)\s+ago)|the\s+last\s+thing\s+i\s+(?:said|told\s+you|wrote)|(?:my|that)\s+(?:last|previous)\s+(?:message|sentence))"
_PLAIN_EN: Final = re.compile(
    rf"{_ASIDE_EN}(?:(?:forget|erase|delete)\s+(?:about\s+)?{_LAST_EN}"
    rf"|(?:forget|pretend|act\s+like|let's\s+pretend)\s+(?:that\s+)?i\s+(?:(?:never|ever|didn't|did\s+not)\s+)?(?:said|say|mentioned|mention|told\s+you)\s+(?:that|it|this|anything)){_ASIDE_EN}"
)
_BARE_EN: Final = re.compile(
    rf"{_ASIDE_EN}(?:(?:i\s+|let\s+me\s+)?(?:take|scratch|strike)\s+(?:that|it)(?:\s+back)?|(?:disregard|ignore)\s+{_LAST_EN}"
    r"|(?:don't|do\s+not|dont|no\s+need\s+to)\s+(?:actually\s+)?(?:keep|save|remember|store|note)\s+(?:that|it|this|that\s+one)(?:\s+(?:in\s+(?:your\s+)?memory|down))?"
    rf"){_ASIDE_EN}"
)
_MOST_CHARS: Final = 200
_WORDS: Final = RawWords((*UNSAID_WORDS, *OFF_RECORD_WORDS))


def means_former(text: str) -> bool:
    """Whether a message asks that what was said before it is not kept: 刚才那条别存, "take that back"."""
    if len(text) > _MOST_CHARS or not _WORDS.occur_in(text):
        return False
    return any(each.back for each in read_not_kept(read_page(text), ()))


def read_not_kept(page: Page, commands: Sequence[Command]) -> tuple[OffRecord, ...]:
    """Return what a message asks not to keep, in order, or that the one before it is left out."""
    return read_off_record(page, commands) or _read_unsaid(page)


def _read_unsaid(page: Page) -> tuple[OffRecord, ...]:
    if len(page.text) > _MOST_CHARS or not _WORDS.occur_in(page.text):
        return ()
    if any(each.is_marked_question for each in page.sentences):
        return ()
    is_plain = any(each.fullmatch(page.open) for each in (_PLAIN_ZH, _PLAIN_EN))
    if not is_plain and not any(each.fullmatch(page.open) for each in (_BARE_ZH, _BARE_EN)):
        return ()
    return (OffRecord("", 0, len(page.text), back=1, is_of_kept=not is_plain),)
