"""Filler: messages that hold nothing to remember, and cost no model call. Pure.

A message is filler where nothing is left of it but greetings, thanks, acknowledgements, laughter, wishes to
go on, bare commands of a shell and marks. 好的方案是…, "ok, and I am allergic to nuts" are read: what follows
a filler counts. Invariant: a text with a number or a name of its own is never filler.
"""

from __future__ import annotations

import re
from typing import Final

from shared.language.scripts import fold

MAX_FILLER_CHARS: Final = 160
"""A longer message always says something."""

_ZH: Final = (
    "好主意|好想法|你好|您好|大家好|哈喽|嗨|在吗|在不在|早上好|上午好|中午好|下午好|晚上好|早安|晚安|早|再见|拜拜|回见|明天见|回头见|慢走"
    "|谢谢|多谢|感谢|谢啦|谢了|辛苦|麻烦|不客气|没事|没关系|不好意思|抱歉|对不起"
    "|好的|好嘞|好滴|好呀|好吧|好|行|可以|嗯|恩|哦|噢|喔|哈|呵|嘿|嘻|啊|呀|哇|哎|唉|诶|额|呃|是的|是|对的|对|没错|当然|收到|明白|了解|知道|懂"
    "|没问题|必须的|一定|肯定|有道理|原来如此|这样|真的|太棒|太好|不错|厉害|真棒|很棒|很好|赞|牛|给力"
    "|继续|接着说|接着|请说|然后呢|还有吗|下一个|下一条|换个话题|再来一个|稍等|等一下|等等|先这样|就这样吧|回答得"
    "|请|你|您|了|啦|呢|吧|哦|的|啊|呀|嘛|么|吗|一下|非常|十分|真是|太|很|也|那|这|就|再|辛苦了|大家|各位|朋友|老师|亲"
)
_EN: Final = (
    "(?:good|great|nice) (?:idea|point|thinking)"
    "|hello|hi|hey|hiya|yo|good (?:morning|afternoon|evening|night|day)|bye|goodbye|see (?:you|ya)|later"
    "|take care|cheers"
    "|thanks|thank you|thank|thx|ty|much appreciated|appreciate it|no problem|no worries|you'?re welcome"
    "|welcome|sorry|my bad"
    "|ok|okay|k|kk|yes|yeah|yep|yup|sure|right|correct|exactly|indeed|got it|gotcha|noted|understood"
    "|i see|i understand"
    "|makes sense|fair enough|sounds good|sounds great|alright|all right|fine|great|good|nice|cool"
    "|awesome|perfect"
    "|excellent|wonderful|amazing|lovely|wow|oh|ah|hm+|mm+|um+|uh|haha+|hehe+|lol|lmao"
    "|go on|continue|carry on|keep going|next|next one|go ahead|please|tell me more|anything else"
    "|what else|one moment|wait"
    "|that'?s|that is|that|it'?s|it|is|so|very|really|a lot|so much|much|to|know|for|your|the|help|you"
    "|all|everyone|there|again|and|me"
    "|absolutely|definitely|certainly|by all means|for sure|totally"
    "|next topic|topic|how are you(?: doing)?|what'?s up|how'?s it going|nice to meet you|will do"
    "|of course|no|nope|not really"
)
_FILLER: Final = re.compile(rf"(?:(?:{_ZH})|(?<![a-z])(?:{_EN})(?![a-z])|[\W_])++")
_SHELL: Final = re.compile(
    r"(?:run|execute|type|运行|执行|跑一下|跑)?\s*[`$>]*\s*"
    r"(?:ls|cd|pwd|cat|echo|git|npm|pip|python3?|node|make|docker|kubectl|curl|grep|sudo|chmod|mkdir|rm"
    r"|cp|mv|ps|top|ssh|pytest|cargo|go)"
    r"(?:\s+[-\w./=:@]+){0,6}\s*`*"
)
_DECIDES: Final = re.compile(r"定了|就这样|就按|let'?s go with|go with")


def is_filler(text: str) -> bool:
    """True where the message says nothing: 好的, 谢谢, hi, "run ls -la"."""
    if len(text) > MAX_FILLER_CHARS:
        return False
    folded = fold(text).strip().replace("’", "'")
    if _DECIDES.search(folded):
        return False
    return not folded or _FILLER.fullmatch(folded) is not None or _SHELL.fullmatch(folded) is not None
