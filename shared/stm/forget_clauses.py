"""Clauses that ask to forget something: 忘掉离婚 and "forget my divorce" come back to no topic. Pure."""

from __future__ import annotations

import re
from typing import Final

from shared.stm.clauses import Clause, split_clauses

_MAY_ASK: Final = re.compile(r"[忘删刪清抹记記留]|forget|delete|erase|remove|clear|wipe", re.IGNORECASE)
_ZH: Final = re.compile(
    r"(?:请|麻烦|劳烦|拜托|那|就|可以|可不可以|能不能|能否|能|帮我|给我|替我|你|您|也|先|都|全部?|彻底)*+\s*"
    r"(?:忘(?:掉|记|了|却)|删(?:掉|除|了)|清(?:除|空|掉)|抹(?:掉|去)|(?:别|不要|不用)(?:再)?记)(?!不)"
)
_ZH_AFTER: Final = re.compile(
    r"(?:忘(?:掉|记|光)|忘了吧|删(?:掉|除|光)|删了|清(?:除|空|掉|光)|抹(?:掉|去)|(?:别|不要|不用)再?[记留])"
    r"(?:掉|了|吧|好吗|可以吗|行吗|一下|[\s~～。!！])*+$"
)
_ZH_BEFORE: Final = re.compile(r"(?:请|麻烦|都|全部?|彻底|也|一起|帮我|给我|给|你|您)*+")
_ZH_NAMED: Final = re.compile(r"把|将|关于|有关|请|麻烦|帮我|的?(?:事情?|事儿|话题|记录|记忆|信息|内容|资料)")
_ZH_TAKEN: Final = re.compile(
    r"(?:请|麻烦|劳烦|拜托|那|就|帮我|给我|替我|你|您)*+(?:把|将)[^,，]{1,40}?(?:的(?:事情?|事儿|话)|全部?|都|统统|彻底)(?:给我|帮我)?忘了$"
)
"""把我前妻的事全忘了 asks for it; 我把密码忘了 and 把钥匙忘了 tell of it."""
_EN: Final = re.compile(
    r"(?:(?:please|ok(?:ay)?|so|and|also|just|now|kindly|then|(?:can|could|would|will) you"
    r"|you (?:can|may|should|must)|i (?:want|need|would like) you to|i'd like you to|go ahead and)\s+)*+"
    r"(?:forget|delete|erase|remove|clear|wipe)\b"
)
_CERTAIN: Final = re.compile(
    r"忘掉|(?:删[除掉]|清[除掉])[^,，。]{0,12}(?:记忆|记录)|\bforget\b(?! (?:to|how)\b)", re.IGNORECASE
)
_OF_MEMORY: Final = re.compile(r"忘|记忆|记录|(?:别|不要|不用)再?记|\bforget\b|\bmemor(?:y|ies)\b")
_MOST_CHARS: Final = 60
_WORD: Final = re.compile(r"\w")


def may_ask_to_forget(text: str) -> bool:
    """Whether a text holds any word by which something could be asked to be forgotten."""
    return _MAY_ASK.search(text) is not None


def only_asks_to_forget(text: str) -> bool:
    """Whether a short message is a request to forget and nothing else: 忘掉我的牙医, "forget my dentist"."""
    if len(text) > _MOST_CHARS or not _CERTAIN.search(text):
        return False
    return _WORD.search(without_forgets(text)) is None


def is_forget_request(clause: Clause) -> bool:
    """Whether a clause asks memory to forget something: 忘掉离婚; 删掉第二段 is work, and asks for none."""
    return _OF_MEMORY.search(clause.folded) is not None and _asks_to_forget(clause)


def without_forgets(text: str) -> str:
    """Return a text without the clauses that ask to forget something, and what was named just before them."""
    if not _MAY_ASK.search(text):
        return text
    clauses = split_clauses(text)
    asks = [_asks_to_forget(clause) for clause in clauses]
    kept, done = "", 0
    for place, clause in enumerate(clauses):
        follows = place + 1 < len(clauses) and clauses[place + 1].sentence == clause.sentence
        if asks[place] or (follows and asks[place + 1]):
            kept += f"{text[done : clause.start]} "
            done = clause.end
    return kept + text[done:]


def _asks_to_forget(clause: Clause) -> bool:
    folded = clause.folded
    if _ZH.match(folded) or _EN.match(folded) or _ZH_TAKEN.match(folded):
        return True
    after = _ZH_AFTER.search(folded)
    if after is None:
        return False
    return bool(_ZH_BEFORE.fullmatch(folded, 0, after.start()) or _ZH_NAMED.search(folded))
