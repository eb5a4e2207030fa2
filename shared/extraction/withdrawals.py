"""What takes back something that was to hold: 我现在不吃素了, "you can call me before 10am now". Pure.

A withdrawal is a short statement of the user's own that says by itself that things have changed. Of what it takes
back it has the words, but for the polarity: whatever is not said again in just these words is not meant.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from typing import Final

from shared.extraction.guards import asks, is_barred
from shared.extraction.pages import read_page
from shared.language.scripts import fold
from shared.ltm.tombstones import is_denied

_MOST_CHARS: Final = 60
_MOST_CLAUSES: Final = 2
_CHANGED: Final = re.compile(
    r"(?:现在|最近|已经|早就|如今|以后|又|开始|可以|不再).{1,24}了?[吧啊哦\s。.!！]*$|(?:不|没).{1,20}了[\s。.!！]*$|还是.{1,20}吧[\s。.!！]*$|(?:好了|没了|痊愈了?)[\s。.!！]*$"
    r"|\b(?:any\s?more|no longer|any longer|now|again|these days)\b|\b(?:is|has) (?:gone|over|healed|cured)\b"
)
_LEAD: Final = re.compile(
    r"^(?:其实|另外|对了|哦|嗯|顺便说一下|actually|by the way|btw|oh|well|so|but|hey|记住|remember(?: that)?)[\s,，:：]*"
)
_NOISE: Final = re.compile(
    r"从?现在(?:起|开始)?|最近|已经|早就|如今|以后|今后|其实|开始|不再|重新|[又都也还是]|可以|[了吧啊哦]|\b(?:any\s?more|no longer|any longer|now|again|actually|these days|from now on|please|you (?:can|may)|feel free to|i'?m allowed to|started|do|does|'m|am|is|are)\b|i'm\b|[\s,，。.!！:：'’]"
)
_DENIAL: Final = re.compile(
    r"讨厌|不喜欢|不爱|不要|不许|不能|不|别|勿|没有?|\b(?:hate|dislike|do not|don't|doesn't|can't|cannot|not|never|no)\b"
)
_LIKES: Final = re.compile(r"讨厌|\b(?:hate|dislike)\b")
_GONE: Final = re.compile(
    r"(?:我的?)?(?P<zh>[\u4e00-\u9fff]{2,8}?)(?:已经)?(?:好了|没了|治好了|痊愈了?)|my (?P<en>[a-z ]{3,30}?) (?:is|has)(?: all| finally)? (?:gone|over|healed|cured)"
)
_SPOKEN: Final = re.compile(
    r"用(?P<zh>中文|英文|英语|汉语|日语|法语|德语|粤语|普通话)(?:来)?(?:回答|回复|答复|和我|跟我)|(?:answer|reply|respond|write|talk|speak)(?: to me)? in (?P<en>english|chinese|french|german|japanese|spanish)"
)


def read_withdrawal(text: str) -> str:
    """Return the words of a message that takes something back, and says nothing else; empty for all others."""
    if len(text) > _MOST_CHARS or _CHANGED.search(fold(text)) is None:
        return ""
    page = read_page(text)
    clauses = [(sentence, clause) for sentence in page.sentences for clause in sentence.clauses]
    if not 0 < len(clauses) <= _MOST_CLAUSES or len(page.sentences) > 1:
        return ""
    for sentence, clause in clauses:
        if sentence.is_marked_question or asks(page, sentence, clause=clause):
            return ""
        if is_barred(page, sentence, clause=clause):
            return ""
    return text.strip()


def withdraws(new: str, old: str) -> bool:
    """True where the newer statement takes back what the older one says."""
    said, held = _LEAD.sub("", fold(new).replace("’", "'")), _LEAD.sub("", fold(old).replace("’", "'"))
    gone = _GONE.fullmatch(said.rstrip(" 。.!！"))
    if gone is not None:
        thing = (gone["zh"] or gone["en"]).strip()
        return thing in held and not is_denied(held)
    spoken, before = _SPOKEN.search(said), _SPOKEN.search(held)
    if spoken is not None and before is not None:
        return (spoken["zh"] or spoken["en"]) != (before["zh"] or before["en"])
    bare = _bare(said)
    return len(bare) > 1 and bare == _bare(held) and _denies(said) != _denies(held)


def _bare(folded: str) -> str:
    liked = _LIKES.sub(lambda word: "喜欢" if not word[0].isascii() else "like", folded)
    return _NOISE.sub("", _DENIAL.sub(" ", re.sub(r"不喜欢|不爱", "喜欢", liked)))


def _denies(folded: str) -> bool:
    return (
        is_denied(folded)
        or _LIKES.search(folded) is not None
        or re.search(r"不再|no longer", folded) is not None
    )
