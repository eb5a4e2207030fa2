"""What keeps words like 别提… / "don't mention …" from being a ban of this user's with us. Pure.

Barred are questions that ask for no favour (怎么才能不提他, "how do I stop talking about my ex"), other people
who are spoken to or of (跟客户别提, "with my dad"), other occasions (面试的时候, "in a first interview"), what
a text to be written must leave out, a condition, and what somebody else said.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from shared.language.scripts import HAN
from shared.language.writing_tasks import WRITING_TASK
from shared.stm.ban_sense import is_reported, is_saying
from shared.stm.clauses import Clause
from shared.stm.polarity import denies

_FAVOUR: Final = re.compile(
    r"(?:能不能|可不可以|可以|能否|可否|能)(?:请|麻烦|你|您|咱们?|我们)*(?:以后|先|再|跟我|和我)*(?:别|不要|不再?|停止)"
    r"|(?:行吗|行不行|好吗|好不好|可以吗|成吗|行么|好么)[\s。.!！?？~～]*$"
    r"|^(?:please|so|and|hey|ok|okay|well|but|[\s,])*(?:(?:can|could|would|will) (?:you|we|u)"
    r"(?: please| just| maybe| all)*(?: not|n't| stop| quit| avoid| never| drop)|(?:would|do) you mind not)\b"
)
"""A question that asks for a favour: 能不能别再提…, "can we not talk about …?"."""

_ASKS_ZH: Final = re.compile(
    r"怎么|怎样|如何|为什么|为何|为啥|干嘛|何必|是不是|要不要|该不该|应不应该|是否|什么时候|谁"
)
_ASKS_EN: Final = re.compile(
    r"^(?:so|and|but|ok|okay|well|hey|hi|[\s,])*(?:how|why|what|when|where|who|which|is|are|am|was|were|do(?! not)"
    r"|does|did|should|shall|can|could|would|will|may|might|any (?:tips?|ideas?|advice))\b"
)
_OTHERS_ZH: Final = re.compile(
    r"(?:(?<![不相])(?:跟|和|对(?!了)|向|同|与|见到?|碰到|遇到|当着)(?!我(?!们?(?:爸|妈|家|老|公|婆|爷|奶|哥|弟|姐|妹"
    r"|儿|女|孩|朋|同|领|客|前|上|导))|咱|你)[^，,]{1,12}|(?:他|她|他们|她们|大家|别人|人家|客户|老板|同事|公司))$"
)
"""Whom a ban speaks to, or of, where it is not this assistant."""

_OCCASION_ZH: Final = re.compile(
    r"(?:(?<![有那同及小暂平临随])时|的?时候|期间|场合|里面?|(?<![以晚早马])上|(?<!其)中|过程中|(?<![之以])内"
    r"|(?<![以之目从])前|(?<![以今往然最之随此])后|面前|约会|面试|聚会|饭局|会议|开会|上课|上班|婚礼|见面|吃饭)(?:[也都就请你您先]|最好|一定|千万)*$"
)
_WITH_US_ZH: Final = re.compile(
    r"(?:聊天|说话|对话|回答|回复|闲聊|交流|交谈|[跟和]我[^，,]{0,4})(?:的)?(?:时候|过程中|时|中|里)|[我咱](?:们)?面前|晚上|早上"
)
_JOINT: Final = re.compile(rf"(?<=[{HAN}])\s+|但是?|不过|可是|而且|另外|还有|所以|然后|因为")
_IF_ZH: Final = re.compile(r"(?:如果|要是|假如|假设|万一|若是)(?!可以|方便|可能)")
_IDLE_WANT_ZH: Final = re.compile(
    r"(?:^|我们?|咱们?|今天|今晚|现在|暂时|最近|以后|今后|这会儿|真的?|实在|确实|也|就|都|再|还是|但是?|不过|所以|那|先"
    r"|一点|点儿?|吧|了|可是|其实|抱歉|不好意思|的事情?|话题|[\s:：])$"
)
"""What stands before 不想: only the user's own wish is a ban."""

_LEADS_EN: Final = re.compile(
    r"(?:^|[,;:.!?…—–-]\s*|\b(?:please|pls|plz|and|but|so|also|then|just|kindly|now|ok|okay|again|well|actually"
    r"|really|seriously|honestly|today|tonight|hey|hi|hello|bilayer|thanks|sorry|rather|first|ever|now on|subject"
    r"|topic|you|you (?:must|should|need to|have to)|you to|us to|said|i(?:'ve| have)? (?:already |just )?asked you to"
    r"|told you(?: to)?|asked you to|(?:can|could|would|will) (?:you|we|u)(?: just| maybe| all)?|let's|we should"
    r"|i (?:don't|do not|want to|would like to|wanna)|i'd like to|mind|thing|time))\s*$"
)
"""What may stand before "never mention …": a courtesy, a joint, the assistant; "I never mention it" tells."""

_OTHERS_EN: Final = re.compile(
    r"\b(?:to|in front of|around) (?:him|her|them|any ?one|anybody|everyone|everybody|people|others?|clients?"
    r"|customers?|colleagues|strangers|my \w+|our \w+|the (?:clients?|customers?|team|boss|press|media|police))\b"
)
_WITH_OTHERS_EN: Final = re.compile(r"\b(?:discuss|talk|speak|chat)\w*\b.*\bwith (?!me\b|us\b)\w+")
_OCCASION_EN: Final = re.compile(
    r"\b(?:in|on|at|for|during|before|after) (?:an?|the|your|any|my|our|his|her|their|every|job|first|this)\b"
    r"(?! (?:future|chat|conversation|session|moment|meantime|morning|way|rest|record|same|last|first place|time))"
    r"|\b(?:when|while|during|if|unless|until)\b(?! (?:we|you) (?:talk|chat|speak|answer|reply))"
    r"|\bat (?:work|dinner|school|lunch|breakfast|parties|interviews?|meetings?)\b|\bin (?:public|interviews?|meetings?)\b"
)
_AGAIN_EN: Final = re.compile(r"\bagain\b|\bany ?more\b|\bany longer\b")
_PLACE_BEFORE_EN: Final = re.compile(
    r"^(?:and |but |so |also |then )?(?:in|on|at|during|for|when|while|if|before|after) (?!possible|(?:we|you) (?:talk|chat|speak|can\b|could|don't mind)|general|short|future|fact|now"
    r"|that note|the (?:future|record|moment|way)|this (?:chat|conversation|session)|today|god|once|all)\w"
)
_LOOK_BACK: Final = 24
"""How many clauses before a ban are looked at for the text that it belongs to; it bounds the work."""

_GIVEN_TEXT: Final = re.compile(
    r"翻译|译成|润色|校对|改写|造句|续写|仿写|\b(?:translate|proofread|rephrase|paraphrase|rewrite|summari[sz]e)\b"
)
_QUOTED: Final = re.compile(r"[「『《][^」』》]*$")
_LASTS: Final = re.compile(r"再|以后|今后|永远|\bagain\b|\bany ?more\b|\bever\b|\bfrom now on\b")
_TALK: Final = re.compile(
    r"提|聊|谈|说|讲|讨论|问|听|\b(?:mention|talk|discuss|speak|bring|ask|hear|chat|topic|subject)"
)
_REFUSES: Final = re.compile(
    r"停止|打住|避免|免谈|禁止|禁区|忌讳|拒绝|甭|莫|少(?:提|聊|谈|说)|换个?话题|到此为止|够了|算了"
    r"|\b(?:stop|stopped|quit|avoid|refrain|refuse|enough|off[- ]limits|taboo|closed (?:topic|subject)|shut up"
    r"|sick of|tired of|rather (?:you|we) |(?:drop|skip|change) (?:the|that|this|it)|leave .{1,40} (?:out|alone|aside))\b"
)


def refuses(words: str) -> bool:
    """Return whether folded words deny or refuse anything; what asks both ways (要不要) does not."""
    return _REFUSES.search(words) is not None or denies(words)


def refuses_talk(words: str) -> bool:
    """Return whether folded words refuse to talk: 别再提了 / "never bring it up"."""
    return _TALK.search(words) is not None and refuses(words)


def is_barred(clause: Clause, clauses: Sequence[Clause], *, start: int, end: int) -> bool:
    """Return whether the words [start:end] of a clause, which look like a ban's, are none.

    `clauses` are those of the message. The words end where the topic begins, and are none where it stands
    before them.
    """
    head, rest, said = clause.folded[:start], clause.folded[end:], clause.folded[start:end]
    before, after = _beside(clause, clauses)
    if _asks(clause, head) or is_reported(head, before=before, after=after) or is_saying(clause, after):
        return True
    if not said:
        barred = False
    elif said.isascii():
        barred = not _LEADS_EN.search(head) or _is_elsewhere(said, rest)
    else:
        barred = _is_of_others(head, said=said)
    return barred or _is_placed(clause, clauses) or _is_task(clause, clauses, start=start)


def _asks(clause: Clause, head: str) -> bool:
    if _ASKS_ZH.search(head):
        return True
    asks = clause.is_question or _ASKS_EN.search(clause.folded) is not None
    return asks and not _FAVOUR.search(clause.folded)


def _beside(clause: Clause, clauses: Sequence[Clause]) -> tuple[Clause | None, Clause | None]:
    """Return the clauses right before and after one in its sentence."""
    same = [each for each in clauses if each.sentence == clause.sentence]
    before = [each for each in same if each.start < clause.start]
    after = [each for each in same if each.start > clause.start]
    return (before[-1] if before else None), (after[0] if after else None)


def _is_of_others(head: str, *, said: str) -> bool:
    head = _JOINT.split(head)[-1]
    if _IF_ZH.search(head) or _OTHERS_ZH.search(head):
        return True
    if _OCCASION_ZH.search(head) and not _WITH_US_ZH.search(head):
        return True
    return "不想" in said[:4] and not _IDLE_WANT_ZH.search(head)


def _is_elsewhere(said: str, rest: str) -> bool:
    if _OTHERS_EN.search(rest) or _WITH_OTHERS_EN.search(said + rest):
        return True
    return _OCCASION_EN.search(rest) is not None and not _AGAIN_EN.search(rest)


def _is_placed(clause: Clause, clauses: Sequence[Clause]) -> bool:
    """Return whether the clause right before it in its sentence names another occasion: 写邮件时，… ."""
    before = [each for each in clauses if each.sentence == clause.sentence and each.start < clause.start]
    if not before:
        return False
    words = before[-1].folded
    if _PLACE_BEFORE_EN.search(words):
        return True
    return bool(_OCCASION_ZH.search(words) or _IF_ZH.match(words)) and not _WITH_US_ZH.search(words)


def _is_task(clause: Clause, clauses: Sequence[Clause], *, start: int) -> bool:
    """Return whether the words stand in a text that is handed over, or tell what one to be made leaves out.

    “别再提我” / 帮我写个简介，别提我离婚的事.
    """
    earlier = [each.folded for each in clauses if each.start < clause.start][-_LOOK_BACK:]
    pieces = [*earlier, clause.folded[:start]]
    before = " ".join(pieces)
    if before.count('"') % 2 or _QUOTED.search(before) or _GIVEN_TEXT.search(before):
        return True
    return not _LASTS.search(clause.folded) and any(WRITING_TASK.search(piece) for piece in pieces)
