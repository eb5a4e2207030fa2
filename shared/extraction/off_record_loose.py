"""A clause that is nothing but "do not" and "keep", in any order of small words: 请勿记录, 这个就别往记忆里写了. Pure.

The patterns of off_record_words tell exactly what is meant; whoever asks in words of their own is heard too:
each word of the clause is one of asking, keeping, pointing or politeness, and none is of anything else.
All patterns are for folded text.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from typing import Final

_KEEP_ZH: Final = r"(?:记录|记住|记下来?|记入|记进|记到|记|保存|存储|储存|留存|存档|归档|存进|存下来?|存|入档|入库|入案|收录|录入|写进记忆|写入记忆|(?<=记忆里)写|(?<=记忆中)写|留痕|留底|留(?!下)|save|keep|record|log|note|remember)"
_NOT_ZH: Final = r"(?:别|不用|不必|无需|无须|不需要|不要|请?勿|不许|不准|不能|不得|甭|别再|不要再|不(?=入|存档|留痕|做|作))(?:帮我|给我|替我|把|做|作|放|往)*"
_SMALL_ZH: Final = (
    r"(?:\s|请|麻烦|拜托|千万|先|就|也|都|可|还是|一定|声明|说明|提前|以下|下面|接下来|后面|上面|前面|刚才|刚刚|这|那|个|句|段|条|些|几|两|一|下|话|内容|信息|消息|事情?|东西|点"
    r"|我|你|要|说|讲|发|的|把|将|往|进|入|到|在|里|面|中|记忆|记录|档案|了|吧|哦|啊|哈|呀|啦|谢谢你?|this|that|it)"
)
_LOOSE_ZH: Final = re.compile(
    rf"[【\[(（]?(?!我不)(?:{_SMALL_ZH})*+{_NOT_ZH}(?:这|那|个|句|段|条|些|一|下|话|往|在|到|把|你的?|我|记忆|档案|里面?|面|中|it|this|that|\s)*+{_KEEP_ZH}(?:{_SMALL_ZH})*+[】\])）]?"
)
_KEEP_EN: Final = (
    r"(?:keep|save|store|record|log|note|write|remember|retain|memori[sz]e|记|存|保存|记录|put|add|file)"
)
_NOT_EN: Final = r"(?:no\s+need\s+to|(?<!i )(?<!you )(?<!we )(?<!they )(?:don't|do\s+not|dont|never|not)(?:\s+(?:ever|actually|you|to))*)"
_SMALL_EN: Final = (
    r"(?:\s|(?:please|pls|ok|okay|thanks|thank\s+you|though|just|now|for|a|bit|while|so|but|and|also|anywhere|down|at|all|any|anything|everything|of|the|this|that|it|these|those|them|one|next|last|following|above|rest"
    r"|sentences?|messages?|things?|parts?|bits?|lines?|words?|few|two|three|what|i|i'm|i've|am|we|just|said|say|saying|tell|told|you|about|going|to|wrote|write|typed|in|into|on|from|your|long-term|memory|memories|notes|records?|either)(?![\w'’]))"
)
_LOOSE_EN: Final = re.compile(
    rf"[【\[(（]?(?:{_SMALL_EN})*+(?:{_NOT_EN}\s+(?:{_KEEP_EN})(?![\w'’])(?=\s+(?:this|that|it|what|the|these|those|everything|anything|my|any)\b|\s*[\])】:：])(?:{_SMALL_EN}|my(?!\w))*+"
    rf"|(?:leave|keep)\s+(?:{_SMALL_EN})++(?:out\s+of|off)\s+(?:your\s+|the\s+)?(?:long-term\s+)?(?:memory|memories|records?|notes|logs?)(?:{_SMALL_EN})*+)[】\])）]?"
)
_SET: Final = re.compile(
    r"[【\[(（]?(?:请)?(?:无痕(?:模式)?|不留痕迹?|阅后即焚|不入档|不入库|(?:this\s+is\s+)?not\s+for\s+the\s+record|for\s+your\s+ears\s+only|no\s+records?|leave\s+no\s+trace|(?:go(?:ing)?\s+)?incognito(?:\s+mode)?"
    r"|(?:(?:go|going|this\s+is|it's)\s+)?off\s+the\s+record(?:\s*(?:哈|啊|哦|for\s+a\s+(?:bit|while|moment|second|sec)))?|(?:这|那)(?:句话?|话|个|条|段)?(?:就|请|可以)?(?:阅后即焚|不留痕迹?))[】\])）]?"
)
NEXT: Final = re.compile(
    r"下面|接下来|后面|以下|下一|先(?:声明|说明|说好)|提前(?:声明|说)|\bnext\b|\bfollowing\b|about to|going to|for a (?:bit|while|moment|sec)"
)
"""What speaks of words to come."""

POINTS: Final = re.compile(
    r"刚才|刚刚|上面|前面|(?:那|这)[句条段些]|\b(?:said|told|wrote|typed|(?:that|this|last)\s+(?:one|sentence|message|bit|part))\b"
)
"""What points at words that were said."""

EXPLAINS: Final = re.compile(
    r"[^\w\ufffc]*+(?:我(?:只是|就是|不过是?|自己|已经|会|有|随口)|i(?:'m| am| was)? (?:just|only|already|have it|got it|can)\b)"
)
"""Words behind a request that say why it is made, and nothing of the user: 不用记住这个，我只是随口一说."""

_ENDS: Final = re.compile(r"[】\])）]|.[:：,，—;；-]")
_MOST_CHARS: Final = 80


def is_set(folded: str) -> bool:
    """Whether a request is a fixed saying: 无痕模式, "leave no trace"; it speaks of whatever follows."""
    return _SET.fullmatch(folded) is not None


def loosely_asked(folded: str, start: int, *, end: int) -> int | None:
    """Return where a request not to keep ends, of a clause that begins with nothing but it; else None."""
    for pattern in (_SET, _LOOSE_ZH, _LOOSE_EN):
        found = pattern.match(folded, start, min(end, start + _MOST_CHARS))
        if found is not None and (found.end() == end or _ENDS.match(folded, found.end() - 1)):
            return found.end()
    return None
