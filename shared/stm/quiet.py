"""Off the record until it is lifted: 这次聊天都不要记, "this whole chat is off the record"; 可以记了. Pure.

A session's notes hold the stretches of its messages that are not to be kept. They stay in the session's
window and nowhere else: the archive takes them without their words, so that nothing is found or extracted in them.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final, Literal

from shared.language.scripts import fold_aligned
from shared.model.message import Message, SessionNotes

Turns = Literal["", "on", "off"]
MAX_STRETCHES: Final = 50
_MOST_CHARS: Final = 400
_QUOTED: Final = re.compile(r"[\"“「『][^\"”」』]{0,400}[\"”」』]")
_CLAUSE: Final = re.compile(r"(?P<words>[^，,。.!！?？;；:：\n]+)(?P<mark>[，,。.!！?？;；:：\n]|$)")
_FROM_NOW: Final = re.compile(r"\b(?P<when>from\s+now\s+on)\s*,")
_SAYS: Final = re.compile(r"(?:说|讲|写道?|问|\b(?:said|says|say|told\s+\w+|wrote|asked))\s*$")
_ASKS: Final = re.compile(r"[吗么呢]\s*$")

_LEAD_ZH: Final = r"(?:\s|好的?|嗯|那|就|请|麻烦|拜托|你|我|希望|现在(?!起|开始)|对了|帮我|先)*+"
_NOT_ZH: Final = (
    r"(?:都|全程|全部?|也|就|请|先|你|可)*+(?:别|不要|不用|不许|不准|不能|不必|勿)再?(?:帮我|给我|替我)?"
)
_KEEP_ZH: Final = r"(?:记录|记住|记下来|记下|记|保存|存档|存下来|存|留底|留存)"
_END_ZH: Final = r"(?:下来|在?到?进?你?的?(?:记忆|系统|档案)里?面?|了|吧|哈|啊|哦)*+\s*"
_FROM_NOW_ZH: Final = r"(?:从?现在(?:起|开始)|从这里开始|接下来|以下|下面|后面|之后|往后|剩下)"
_TALK_ZH: Final = r"(?:聊天|对话|会话|谈话)(?:的?(?:内容|记录))?"
_ON_ZH: Final = re.compile(
    rf"{_LEAD_ZH}(?:{_FROM_NOW_ZH}[我咱]?(?:们)?(?:要|想)?(?:说|讲|聊|发|谈)的?(?:话|内容|东西|一切|所有)*(?=都|全|也){_NOT_ZH}{_KEEP_ZH}{_END_ZH}"
    rf"|{_FROM_NOW_ZH}的?(?:整个|所有|这次)?的?{_TALK_ZH}{_NOT_ZH}{_KEEP_ZH}{_END_ZH}"
    rf"|从?现在(?:起|开始){_NOT_ZH}{_KEEP_ZH}{_END_ZH}"
    rf"|{_NOT_ZH}{_KEEP_ZH}(?:这次|本次|这个|这段)(?:整个)?的?{_TALK_ZH}{_END_ZH}"
    rf"|(?:这次|本次|这个|这段|整个|这整个|今天的?)(?:整个)?的?{_TALK_ZH}{_NOT_ZH}{_KEEP_ZH}{_END_ZH})"
)
_NEXT_FEW_ZH: Final = re.compile(
    rf"{_LEAD_ZH}(?:下面|接下来|后面|以下)(?:这|说的)?几[句条段](?:话|消息)?[^。！？!?]{{0,8}}?[，,]?{_NOT_ZH}{_KEEP_ZH}{_END_ZH}[。！!]*"
)
_OFF_ZH: Final = re.compile(
    r"(?:\s|好的?|嗯|那|就|现在|以后|接下来|你|请|又|了)*+(?:(?:可以|能)(?:继续|恢复|开始|重新|正常|接着|再)*|(?:恢复|重新开始|重新|继续)(?:正常)?)(?:记录|记)(?:了|吧|啦)*+\s*"
)
_LEAD_EN: Final = (
    r"(?:\s|(?:please|ok(?:ay)?|so|well|now|just|and|hey|hi|let's|let\s+us|we're|we\s+are|i\s+want)\b)*+"
)
_OFF_RECORD: Final = r"(?:(?:strictly|completely|totally|all|entirely)\s+)?off[\s-]+the[\s-]+record"
_TALK_EN: Final = r"(?:chat|conversation|session|talk|discussion)"
_WHOLE_EN: Final = (
    rf"(?:(?:the\s+)?(?:rest|remainder)\s+of\s+)?(?:this|our|the)\s+(?:(?:whole|entire)\s+)?{_TALK_EN}"
)
_SAID_EN: Final = (
    r"(?:everything|anything|whatever|all)(?:\s+that)?\s+(?:i|we)\s+(?:say|tell\s+you|write|type|discuss)"
)
_WHEN_EN: Final = rf"(?:\s+(?:from\s+(?:now|here)\s+on|from\s+now|today|for\s+a\s+(?:bit|while|moment|minute|sec(?:ond)?)|(?:in|for)\s+{_WHOLE_EN}|here))"
_ENDS_EN: Final = r"(?:\s+(?:please|pls|ok|okay|thanks|until\s+i\s+say\s+(?:so|otherwise)))*\s*"
_ON_EN: Final = re.compile(
    rf"{_LEAD_EN}(?:{_WHOLE_EN}(?:\s+(?:is|stays|should\s+be|will\s+be|must\s+be)|'s)\s+{_OFF_RECORD}(?:\s+from\s+now\s+on)?"
    rf"|(?:from\s+now\s+on\s+)?{_SAID_EN}{_WHEN_EN}?\s+(?:is|stays|should\s+be|will\s+be)\s+{_OFF_RECORD}{_WHEN_EN}?"
    rf"|(?:(?:go|stay|keep\s+(?:it|this|everything)|this\s+is)\s+)?{_OFF_RECORD}{_WHEN_EN}"
    rf"|from\s+(?:now|here)\s+on\s+(?:(?:this|we|it|everything)(?:'s|'re|\s+is|\s+are)\s+)?{_OFF_RECORD}"
    rf"|(?:nothing|none\s+of\s+what)\s+(?:i|we)\s+(?:say|write|tell\s+you|discuss){_WHEN_EN}?\s+(?:should|may|is\s+to|must)\s+be\s+(?:remembered|recorded|saved|stored|kept)"
    rf"|{_WHOLE_EN}\s+{_OFF_RECORD}"
    rf"|(?:don't|do\s+not|dont)\s+(?:keep|save|store|record|remember|log)\s+anything\s+(?:from|of)\s+{_WHOLE_EN}"
    rf"|keep\s+{_WHOLE_EN}\s+(?:{_OFF_RECORD}|out\s+of\s+(?:your\s+)?(?:memory|records?|notes))"
    rf"|(?:don't|do\s+not|dont)\s+(?:keep|save|store|record|remember|log)\s+(?:{_SAID_EN}{_WHEN_EN}|anything\s+from\s+(?:now|here)\s+on|(?:this|our)\s+(?:(?:whole|entire)\s+)?{_TALK_EN})"
    rf"){_ENDS_EN}"
)
_FOR_ALL_EN: Final = re.compile(
    rf"{_LEAD_EN}for\s+{_WHOLE_EN}\s*,?\s*(?:please\s+)?(?:don't|do\s+not|dont|never)\s+(?:keep|save|store|record|remember|log)"
    rf"(?:\s+(?:anything|a\s+record|any\s+notes?|it|this|any\s+of\s+(?:it|this)|what\s+i\s+say))?{_ENDS_EN}[.!]*"
)
_OFF_EN: Final = re.compile(
    rf"{_LEAD_EN}(?:(?:go\s+|i'm\s+|you're\s+)?(?:back\s+on\s+(?:the\s+)?record|the\s+record\s+is\s+back\s+on|on\s+the\s+record\s+again)"
    r"|you\s+(?:can|may)\s+(?:start\s+)?(?:remember|record|save|keep)(?:ing)?(?:\s+(?:things|this|what\s+i\s+say))?\s+(?:again|now)"
    r"|(?:start|resume)\s+(?:remembering|recording)(?:\s+again)?)(?:\s+(?:now|again|please))*\s*"
)


def read_quiet(text: str) -> Turns:
    """Return whether a message takes what follows off the record, or puts it back on; the last word counts."""
    if len(text) > _MOST_CHARS:
        return ""
    folded, before = _QUOTED.sub("\ufffc", fold_aligned(text).replace("’", "'")), ""
    found: Turns = "on" if _NEXT_FEW_ZH.fullmatch(folded) or _FOR_ALL_EN.fullmatch(folded) else ""
    folded = _FROM_NOW.sub(r"\g<when> ", folded)
    for clause in _CLAUSE.finditer(folded):
        words = clause["words"]
        if not (clause["mark"] in {"?", "？"} or _ASKS.search(words) or _SAYS.search(before)):
            if _ON_ZH.fullmatch(words) or _ON_EN.fullmatch(words):
                found = "on"
            elif _OFF_ZH.fullmatch(words) or _OFF_EN.fullmatch(words):
                found = "off"
        before = words
    return found


def is_quiet(notes: SessionNotes, messages: Iterable[Message] = ()) -> bool:
    """Whether a session is off the record, after those messages too that its notes have not taken in."""
    quiet = bool(notes.quiet) and notes.quiet[-1][1] == 0
    for message in messages:
        if message.role == "user" and message.seq > notes.lifted_to:
            turns = read_quiet(message.text)
            quiet = turns == "on" or (quiet and turns != "off")
    return quiet


def next_stretches(notes: SessionNotes, message: Message) -> tuple[tuple[int, int], ...]:
    """Return the stretches after one more message of the user's; the message that lifts it is on the record."""
    turns = read_quiet(message.text)
    if turns == "on" and not is_quiet(notes):
        return (*notes.quiet, (message.seq, 0))[-MAX_STRETCHES:]
    if turns == "off" and is_quiet(notes):
        return (*notes.quiet[:-1], (notes.quiet[-1][0], message.seq - 1))
    return notes.quiet
