"""Small talk and requests: what people say that says nothing of themselves to remember. Pure.

Thanks, praise, encouragement, advice to the other, reactions, leave-taking, talk about the talk, and what the
assistant is to do now (帮我查一下, "summarise this"). A sentence that speaks of the user (我, "I", "my") is small
talk only where it is such a courtesy or request; one without the user also where it merely reacts or urges.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from typing import Final

from shared.extraction.filler import is_filler
from shared.language.scripts import HAN, fold

MAX_CHARS: Final = 400

_COURTESY: Final = re.compile(
    r"谢谢|感谢|多谢|辛苦|你好|您好|再见|明天见|下次(?:再)?聊|改天聊|回头聊|拜拜|晚安|早安|祝你|加油|恭喜|抱歉|不好意思|很高兴(?:认识|和你|跟你|见到)|跟你聊|和你聊|想(?:跟|和)你(?:聊|分享|说)|聊聊|聊天"
    r"|听你的|你(?:的)?(?:建议|话|意见|看法|提醒|陪伴|关心)|你说(?:的)?(?:得)?(?:对|很对|有道理)|有道理|我(?:明白|知道|理解|懂|了解)(?:了|你|这|这些|的)|我会(?:试|考虑|注意|努力|记住|好好|尽量|按|去看|去试)|试试看?"
    r"|请问|问你|告诉我|推荐|希望(?:你|能帮)|帮助|谢你"
    r"|\bthank(?:s| you)|\bappreciate|\bsee you\b|\bgoodbye\b|\bbye\b|\bchat(?:ting)?\b|\btalk (?:to|with) you\b|\btake care\b|\bgood luck\b|\bcongrat|\bnice to (?:meet|see|hear|talk|chat)\b|\bgood to (?:see|hear)\b"
    r"|\byour (?:advice|suggestions?|support|help|words|opinion|company|kindness|question|perspective|reminder)\b|\bi (?:see|understand|agree|get it|know what you mean|hear you)\b|\byou'?re (?:right|welcome|the best|so|such|really|very|doing)\b"
    r"|\bi(?:'ll| will) (?:try|consider|keep|think|remember|take your|give it|do my best|check|look|be sure|make sure)\b|\bi have a (?:small )?question\b|\b(?:ask|tell|share|hear)(?:ing)? (?:you|me|more|about it|with you|from you)\b|\blong time no see\b"
    r"|\bhow about you\b|\bwhat about you\b|\blet me know\b|\bglad (?:to|you|it|that)\b|\bhope (?:you|it|that|this)\b|\bsorry (?:to|about|for)\b|\bthat'?s (?:a )?(?:great|good|awesome|amazing|nice|cool|true|right|so|really|very|wonderful|impressive|tough)\b"
)
_REQUEST: Final = re.compile(
    r"^(?:(?:那|好的?|嗯|ok|please|请|麻烦|现在|再|顺便|然后)[，,\s]*)*(?:(?:请|麻烦|能不能|可以)?(?:你|您)?(?:帮我|帮忙|给我|替我)|(?:继续|接着)(?:说|讲|聊|吧)?|下一个|换个话题|总结|解释|翻译|列出|写一|写个|查一下|看一下|讲讲|说说|介绍)"
    r"|^(?:(?:ok|okay|and|then|now|please|also|so|well|next|could you|can you|would you)[,\s]+)*(?:please\s+)?(?:continue|go on|next (?:topic|question|one)|write|summari[sz]e|translate|explain|book|find|show|tell|give|list|help|draft|compare|calculate|search|describe|pull|fetch|generate|create|fix|review|check|answer|read|send me)\b"
)
_FIRST: Final = re.compile(
    r"我(?!们?(?:都)?应该)|咱|俺|\b(?:i|i'm|i've|i'd|i'll|my|mine|me|we|we're|we've|our|us)\b"
)
_REACTS: Final = re.compile(
    r"^(?:哇|嗯|哦|啊|是的|对|确实|真的|太|好|那|这|听起来|看起来|原来|没错|当然|哈)|[!！]\s*$|^(?:也许|或许)?(?:你|您)|希望|应该|需要|一定要|不要|可以|加油"
    r"|^(?:wow|yeah|yes|yep|no|oh|ah|hey|well|sure|right|okay|ok|absolutely|totally|definitely|exactly|haha|aw+|cool|great|nice|awesome|man|that|this|it|they|these|those|what|sounds?|looks?|seems?|so|such|can't wait|love|enjoy)\b"
    r"|^(?:keep|don't|never|just|make|take|remember|go|try|stay|believe|let|do|be|have|give|find|check|look|think|follow|trust)\b|\b(?:you|your|you're|you'll|you've)\b"
)
_TELLS: Final = re.compile(
    rf"[{HAN}](?:叫|在|住|今年|生日|毕业|工作|上班)|\d|\b(?:live[sd]?|works?|born|called|named|married|studies|studied|moved|bought|allergic|birthday)\b"
)


def is_small_talk(text: str) -> bool:
    """True where a sentence only greets, thanks, praises, urges, reacts, or talks of the talk."""
    if len(text) > MAX_CHARS:
        return False
    folded = fold(text).strip().replace("’", "'")
    if is_filler(text) or _REQUEST.match(folded):
        return True
    if _TELLS.search(folded):
        return False
    is_told = _FIRST.search(folded) is not None
    return _COURTESY.search(folded) is not None or (not is_told and _REACTS.search(folded) is not None)
