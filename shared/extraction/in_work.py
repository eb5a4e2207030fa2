"""Whether a verb that takes away is said of the work at hand: 忘掉预算，随便设计个方案. Pure.

A sentence that goes on with a task means its document, its layers, its draft, unless the words name the
memory or what is the user's own (我的预算, "my budget").
"""

from __future__ import annotations

import re
from typing import Final

from shared.extraction.clause import MARKS, Clause
from shared.extraction.pages import Span

_OWN: Final = re.compile(
    r"记忆|我们?的|我(?:刚才|刚刚|之前|前面|上次)?(?:说|提|讲|告诉)|(?:刚才|刚刚|之前|上次)(?:说|提|讲|聊)|关于我|你(?:所)?记"
    r"|\b(?:memor(?:y|ies)|my|our|about\s+me|(?:i|we)\s+(?:just\s+)?(?:said|told|mentioned|gave)|you\s+(?:know|remember|saved))\b"
)
_WORK: Final = re.compile(
    r"设计|重新|重[写做画来算排]|从头|再(?:写|算|做|画|来|出|生成|改)|改写|生成|排版|[写做画出][一个]|图层|画布|代码|文案|草稿"
    r"|只[谈聊讲说看]|先[谈聊]|算一?[下遍]|方案|推荐"
    r"|\b(?:re-?(?:writ|do\b|draft|design|draw|calculat|comput)|design|draft|generat|sketch|draw\b|calculat|comput|writ(?:e|ing)\b"
    r"|(?:give|show)\s+me\s+(?:(?:the|your|some|an?)\s+)?(?:best|ideal|wildest|options?|ideas?|plans?|proposals?)|suggest|recommend|go\s+(?:wild|big|crazy)"
    r"|render|layers?\b|layout|from\s+scratch|start\s+(?:over|again|afresh|fresh|anew)|(?:just|only)\s+(?:talk|discuss|focus))"
)
_AT_WILL: Final = re.compile(
    r"\W*(?:那|就|你|请|咱们|我们)*+(?:随便|随意|直接|只管|尽管|放开|大胆|只)|\W*(?:just|simply|only|please\s+just|go)\b"
)
"""How a sentence goes on that makes the one before an idiom: "Forget the budget. Just design it"."""

_NAMES_MEMORY: Final = re.compile(r"记忆|记[录住的]|保存|\bmemor(?:y|ies)\b|\bsaved?\b")
_BESIDE_UNDO: Final = re.compile(
    r"(?:[\s,，.。;；:：!！?？、~～…]|谢谢你?|多谢|麻烦你?了?|拜托|请|不好意思|抱歉|对不起|哎呀?|哦|啊|嗯|呃|好的?|不对|不是|等等|等一下|等下|算了|别"
    r"|(?:是)?我?[说记写弄搞看打想讲]?错了|我改主意了|我反悔了|弄反了|不该改|不要了"
    r"|\b(?:please|pls|thanks?|thank\s+you|sorry|wait|no|oops|ok(?:ay)?|hmm|actually|hey|hi|well|so"
    r"|(?:that|it)(?:'s|\s+is|\s+was)\s+(?:wrong|a\s+mistake|not\s+right)|(?:i\s+was|i'm|i\s+am)\s+wrong|my\s+mistake"
    r"|i\s+(?:made\s+a\s+mistake|misspoke|changed\s+my\s+mind)|i\s+didn't\s+mean\s+(?:it|that))\b)*+"
)
"""What may stand beside an undo that means the memory."""
_OF_MEMORY: Final = re.compile(
    r"(?<![日笔标书])记(?!者)|忘|设[为成置定]|撤[销回]|预算|截止"
    r"|\b(?:memor(?:y|ies)|remember(?:ed)?|forget|undo|set|saved?|noted?|budget|deadline)\b"
)


def is_of_work(clause: Clause) -> bool:
    """Whether what stands beside the clause tells of a task, and this one names nothing of the user's.

    Beside it stand the other clauses of its sentence, and the next sentence where that goes on at will.
    """
    if _OWN.search(clause.folded):
        return False
    folded = clause.page.folded
    others = [span for span in clause.sentence.clauses if span != clause.span]
    if clause.span == clause.sentence.clauses[-1]:
        later = next((each for each in clause.page.sentences if each.start >= clause.sentence.end), None)
        if later is not None and _AT_WILL.match(folded, later.start, later.end):
            others.append(Span(later.start, later.end))
    return any(_WORK.search(folded, span.start, span.end) for span in others)


def undoes_work(clause: Clause) -> bool:
    """Whether more is said beside an undo, and neither names the memory."""
    if _NAMES_MEMORY.search(clause.folded):
        return False
    folded = clause.page.folded
    before, after = folded[: clause.span.start].strip(MARKS), folded[clause.span.end :].strip(MARKS)
    return any(
        not (_BESIDE_UNDO.fullmatch(said) or _OF_MEMORY.search(said)) for said in (before, after) if said
    )
