"""A bare noun of the user's, of which nothing is said: 我老板, 我妈的生日 / "my boss". Pure, for folded text.

There is nothing in it to remember.
"""

from __future__ import annotations

import re
from typing import Final

from shared.language.attributes import HEAD_EN, HEAD_ZH

_MOST_CHARS: Final = 40
BEING: Final = re.compile(
    r"(?:\b(?:dogs?|cats?|pets?|pupp(?:y|ies)|kittens?|horse|wife|husband|partner|spouse|(?:boy|girl) ?friend"
    r"|sons?|daughters?|child(?:ren)?|kids?|baby|mother|mom|mum|father|dad|parents?|brothers?|sisters?"
    r"|grand(?:mother|father|ma|pa|parents)|aunt|uncle|cousin|niece|nephew|boss|manager|colleagues?|coworkers?"
    r"|friends?|neighbou?rs?|room ?mate|flat ?mate|teacher|doctor|team|family"
    r"|car|bike|phone|laptop|computer|house|apartment|flat|room|garden|life)"
    r"|狗|猫|宠物|马|老婆|妻子|太太|老公|丈夫|先生|爱人|对象|伴侣|男朋友|女朋友|男友|女友|儿子|女儿|孩子|小孩|宝宝"
    r"|妈妈?|母亲|爸爸?|父亲|父母|爸妈|哥哥|弟弟|姐姐|妹妹|奶奶|爷爷|外婆|外公|姥姥|姥爷|阿姨|叔叔|舅舅|姑姑"
    r"|老板|经理|领导|同事|朋友|邻居|室友|老师|医生|团队|家人|家庭"
    r"|车|自行车|手机|电脑|笔记本|房子|公寓|房间|花园|生活)$"
)
"""Of whom and of what many things are true at a time: my dog is sick, and it is called Rex."""

_OWNER: Final = re.compile(r"(?:我|咱|俺)们?家?里?的?|(?:my|our)\s+")
_AND: Final = re.compile(r"[和跟与及、]|\s*(?:,|\band\b)\s*")
_OF: Final = re.compile(r"['’]s?\s")
_MAY_BE_SAID: Final = re.compile(r"过敏|工作|计划|安排|要求|规定|习惯|偏好|喜好|爱好|报价|约束|忌口")
"""Right behind whom they speak of, these say something: 我妈过敏."""


def is_bare_noun(folded: str) -> bool:
    """Whether a folded text names only whom, or what, of the user's, and says nothing of it."""
    words = folded.strip(" \t\r\n。.!！~～")
    owner = _OWNER.match(words) if len(words) <= _MOST_CHARS else None
    return owner is not None and all(_is_name(part) for part in _AND.split(words[owner.end() :]))


def _is_name(words: str) -> bool:
    own = _OWNER.match(words)
    bare = words[own.end() :] if own else words
    if bare.isascii():
        *whose, what = _OF.split(bare)
        is_known = BEING.fullmatch(what) or HEAD_EN.fullmatch(what)
        return is_known is not None and all(BEING.fullmatch(each) for each in whose)
    head = HEAD_ZH.search(bare)
    if head is not None and (bare[: head.start()].endswith("的") or not _MAY_BE_SAID.fullmatch(head[0])):
        bare = bare[: head.start()].removesuffix("的")
        if not bare:
            return True
    return BEING.fullmatch(bare) is not None
