"""A bound that a user sets to what they tell: 只在这次对话里 / "for this chat only", "just this once". Pure.

What is bound to a session is no memory: it stays among the session's own words.
"""

from __future__ import annotations

import re
from typing import Final

from shared.language.scripts import fold_aligned

_TALK_ZH: Final = r"(?:会话|对话|聊天|谈话)"
_TALK_EN: Final = r"(?:chat|conversation|session|talk)"
_WHILE: Final = (
    r"(?:today|tonight|now|the\s+moment|the\s+time\s+being|tomorrow"
    r"|this\s+(?:morning|afternoon|evening|week|weekend|month)|an?\s+(?:while|few\s+\w+)|the\s+(?:day|week|weekend))"
)
_BOUND: Final = re.compile(
    rf"(?:只|仅|就)(?:限|在|用|针对|对)*(?:于)?(?:这|本)(?:一)?(?:次|个|场|段|轮)?{_TALK_ZH}"
    rf"|(?:在)?(?:这|本)(?:一)?(?:次|个|场|段|轮)?{_TALK_ZH}(?:里面?|中|内)(?!.{{0,6}}(?:说|讲|聊|提)(?:过|的))"
    r"|(?<!不)(?<!不是)(?:就|只|仅)(?:限|用|在)?(?:于)?(?:这|本|此)一?次(?!是)|仅(?:限)?(?:本次|此次)|下次(?:就)?(?:不用|不必|别)(?:了|这样)?(?=$|[，,。.！!])"
    r"|(?:这次|这回)就?先(?![前生])"
    r"|(?:今天|今晚|这周|本周|这几天|眼下|目前)(?:就|只)?先(?:帮我|给我|请你?)?记[住着一下]|(?:暂时|临时|暂且)先?(?:帮我|给我|请你?)?记[住着一下]|(?:^|[记住,，\s])到(?:今天|今晚|明天|后天|周末|月底)(?:为止|就[行好])"
    rf"|\b(?:remember|keep\s+in\s+mind|note)\s+(?:(?:this|it|just|only)\s+)*(?:for|until|till)\s+(?:just\s+|only\s+)?{_WHILE}\b|\bfor\s+(?:just\s+)?{_WHILE}[\s,]+(?:please\s+)?(?:just\s+)?(?:remember|note|keep)\b"
    r"|\b(?:just|only)\s+for\s+(?:today|tonight|now|the\s+moment|the\s+time\s+being)(?=\s*(?:[,;.!]|$))"
    rf"|\b(?:for|in|during)\s+(?:just\s+|only\s+)?(?:this|our|the\s+current)\s+{_TALK_EN}(?:\s+(?:only|alone))?(?=\s*(?:[,;.!]|$)|\s+(?:only|amounts?|use|i|my|please|call|we|the)\b)"
    rf"|\b(?:this|current)\s+{_TALK_EN}\s+only\b"
    r"|(?<!not )\b(?:just|only)\s+(?:for\s+)?this\s+(?:once|time)\b|\bthis\s+time\s+only\b"
    r"|\bnothing\s+permanent\b|\bnot\s+(?:for\s+)?next\s+time\b|\bback\s+to\s+normal\s+(?:tomorrow|afterwards|after)\b"
)
_SENTENCE_END: Final = re.compile(r"[。！？!?\n]|\.(?=\s)")


def is_for_session(text: str) -> bool:
    """Whether a text says that it holds in this conversation only."""
    return _BOUND.search(fold_aligned(text)) is not None


def sentences_around(text: str, start: int, *, end: int) -> str:
    """Return the sentence of text[start:end], or the sentences of it, with its own marks inside."""
    before = [mark.end() for mark in _SENTENCE_END.finditer(text, 0, max(start, 0))]
    after = _SENTENCE_END.search(text, min(end, len(text)))
    return text[before[-1] if before else 0 : after.start() if after else len(text)]
