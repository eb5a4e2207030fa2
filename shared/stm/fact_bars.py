"""What keeps a clause with a cue from being a key fact: it asks, cannot, pleads, or is a text handed over. Pure.

为什么不能用MD5 and "what is required for a visa" ask without a mark; 他不能来了 and "no reply from him yet" tell
what is not so; 别走 and "don't cry" are said to somebody; what follows 翻译成英文： or "Proofread this:" is no word
of the user's to us.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from typing import Final

_ASKS_BEFORE_ZH: Final = re.compile(
    r"怎么(?!都|也|样都)|怎样|如何|为什么|为何|为啥|什么(?!.{0,8}[都也])|哪(?:里|儿|个|些|种|家|天)(?!.{0,8}[都也])|谁(?!都|也)|多少(?!.{0,4}[都也])|是不是|要不要|能不能|可不可以|有没有|该不该"
)
_ASKS_LAST_ZH: Final = re.compile(
    r"(?:怎么办|咋办|怎么弄|怎么处理|怎么解决|怎么回事|咋回事|行不行|好不好|可不可以)[\s。~～啊呀呢]*$"
)
_ASKS_EN: Final = re.compile(
    r"^(?:so|and|but|ok|okay|well|hey|hi|[\s,])*(?:what|why|how|where|who|whom|whose|which(?! means)"
    r"|when (?:is|are|do|does|did|will|can|should|must)|is|are|do(?! not\b)|does|did|can|could|should|would|will|shall|am|was|were|must (?:i|we|the|it|they))\b"
)
_UNABLE_ZH: Final = re.compile(
    r"不(?:能|可以)(?!再)[^,，]{0,12}了[\s。!！~～]*$|不能(?:来|去|到|赶来|赶到|参加|出席|呼吸|动弹?|睡|走路|上班|上学|登录|登陆|打开|连接|上网|开机|说话)[\s。!！~～]*$"
    r"|没有[^,，]{0,4}(?:必须|要求)|^你不(?:能|可以)(?:这样|这么|凶|骂|怪|欺负|离开|不理)"
)
_TELLS_EN: Final = re.compile(
    r"\bno (?:\w+ ){0,2}?(?:repl(?:y|ies)|responses?|answers?|news|word|luck|signs?|signal|connection|power|internet|results?|change|progress|show|sleep|time|money)\b(?: \w+)*? ?(?:\b(?:yet|from|so far|since|today|left|again|either|at all|here|for (?:days|weeks|hours))\b|$)"
    r"|\bno [\w ]{1,30}\b(?:yet|so far)$|\bi must (?:say|admit|confess)\b|\bthere (?:is|are|was|were) no\b|\bdon't you dare\b"
)
_PLEAS_ZH: Final = re.compile(
    r"^(?:你|您|求你|求求你|拜托|请|快|都|先|[\s,，])*(?:别|不要)(?:再)?(?:走|闹|哭|吵|怕|慌|动|逗|装|睡|挂|傻|烦|生气|难过|伤心|紧张|害怕|开玩笑|逗我|骗我|吓我|烦我|理他|理她|管我|离开我|放弃|灰心|哭泣|笑我)(?:了|啦|啊|呀|嘛|吧|哦)*[\s。!！~～]*$"
)
_PLEAS_EN: Final = re.compile(
    r"^(?:please|oh|hey|no|just|[\s,])*(?:don't|do not|never|stop)(?: you)? (?:go|leave|cry|panic|move|laugh|run|stop|be (?:mad|angry|sad|silly|scared|upset|late)|leave me|lie to me|give up|hang up|joke|joking|crying|laughing|it|that)(?: now| yet| please| again| me)*[\s.!]*$"
)
_HANDS_OVER: Final = re.compile(
    r"(?:翻译|译成|译为|润色|校对|改写|仿写|续写|造句|总结|概括|纠错|检查语法|\b(?:translate|proofread|rewrite|rephrase|paraphrase|summari[sz]e|correct|edit|check the grammar)\b)[^。.!！?？\n:：]{0,60}[:：]"
)
_QUOTES: Final = re.compile(
    r"(?:(?:说|写|写着|写道|标语|口号|歌词|台词|原文|句子|翻译|译成\S{0,4}|润色|\b(?:says?|said|reads?|wrote|sign|phrase|sentence|line|quote|translate|proofread)\b)[:：,，\s]{0,3})(?P<quote>\"[^\"\n]{1,400}\"|「[^」\n]{1,400}」|『[^』\n]{1,400}』)"
)


_OTHERS_RULE: Final = re.compile(
    r"听说|据说|有些(?:公司|人|地方|国家)|别的公司|(?:表[姐哥妹弟]|堂[姐哥妹弟]|朋友|同学|邻居|亲戚|老同事|别人|人家)(?:的)?(?:公司|单位|学校|家|店)"
    r"|(?:合同|协议|说明书?|海报|牌子|标牌|标语|网上|书|新闻|文章|简历)(?:里|上|中)?(?:面)?(?:写|说|讲|印)|[”\"」』]的?(?:牌子|标语|标志|标识|海报)"
    r"|\bi(?:'ve)? heard\b|\bapparently\b|\b(?:they|people) say\b|\bsome (?:firms|companies|people|places|countries|schools)\b"
    r"|\b(?:cousin|friend|neighbou?r|brother|sister|uncle|aunt|classmate|buddy)(?:'s|s') (?:\w+ )?(?:firm|company|office|school|place|shop|job|boss)\b"
    r"|\b(?:contract|sign|poster|label|manual|article|book|website|policy|news) (?:says|said|reads|states)\b"
)
_OF_ANOTHER: Final = re.compile(r"^(?:他|她|他们|她们)(?!的)|^(?:he|she|they)\b")
_OPEN_END: Final = re.compile(
    r"(?:多少(?:钱)?|几[天个种号]?|什么|怎么[办做算]?|哪[个里儿种]?|谁)[\s。]*$|\b(?:how (?:much|many|long)|what|which|who|where|when)\b[^,]*$"
)


def is_of_others(folded: str, kind: str) -> bool:
    """Return whether a folded clause tells what others have heard, written or want, and binds nothing here."""
    return _OTHERS_RULE.search(folded) is not None or (
        kind == "preference" and _OF_ANOTHER.search(folded) is not None
    )


def asks_of_a_case(folded: str) -> bool:
    """Return whether a condition ends in a question: 如果要求必须含税，价格是多少 / "if tax …, how much is it"."""
    return _OPEN_END.search(folded) is not None


def asks_unmarked(folded: str, *, cue: int) -> bool:
    """Return whether a folded clause asks without a mark; `cue` is where its cue begins.

    A question that only depends on the cue (不要解释为什么) is none of the user's.
    """
    if _ASKS_EN.search(folded) or _ASKS_LAST_ZH.search(folded):
        return True
    match = _ASKS_BEFORE_ZH.search(folded)
    return match is not None and match.start() < cue


def tells_or_pleads(folded: str) -> bool:
    """Return whether a folded clause tells of what cannot be, or pleads with somebody, and binds nothing."""
    return any(
        pattern.search(folded) is not None for pattern in (_UNABLE_ZH, _TELLS_EN, _PLEAS_ZH, _PLEAS_EN)
    )


def given_texts(folded: str) -> list[tuple[int, int]]:
    """Return the stretches of a folded message that are somebody's text: handed over, or quoted."""
    found = [match.span("quote") for match in _QUOTES.finditer(folded)]
    handed = _HANDS_OVER.search(folded)
    return [*found, (handed.end(), len(folded))] if handed is not None else found
