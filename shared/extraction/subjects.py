"""Of whom a clause speaks: of the user, or of somebody else. Pure.

我同事对海鲜过敏 and "my sister turns 30" speak of others, 医生让我吃两周头孢 of the user. A clause without a
subject (对花生过敏, "Allergic to nuts") is the user's own. A field of the user's profile is said in the first
person or is not said.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from shared.extraction.evidence_words import FIRST_PERSON, KIN, NAMES_SELF, WORKS_AS
from shared.extraction.pattern_words import THIRD_PARTY
from shared.extraction.polarity import plain
from shared.extraction.quotes import Clause
from shared.extraction.support import all_units, content_units
from shared.language.question_words import STOP_WORDS
from shared.language.scripts import fold

_KIN_ZH: Final = "|".join(sorted((word for word in KIN if not word.isascii()), key=len, reverse=True))
_KIN_EN: Final = "|".join(sorted((word for word in KIN if word.isascii()), key=len, reverse=True))
_LEAD_ZH: Final = r"[\s，,。.!！]*(?:(?:其实|不过|另外|对了|现在|目前|平时|最近|今年|今天|明天|昨天|下周.?|上周.?|下个月|上个月|还有|而且|但是?|因为|所以|那个|就是|新来的|隔壁的?|我觉得|好的|嗯)[，,\s]*){0,4}"
_OTHER_ZH: Final = re.compile(
    rf"{_LEAD_ZH}(?:(?:我们?|咱们?|俺)(?:的|家|那|这|公司|部门|组)?(?:个|位|里)?的?)?(?:{_KIN_ZH})(?!说好)"
)
_FOR_ME_ZH: Final = re.compile(
    r"(?:让|叫|要求|建议|嘱咐|提醒|给|帮|陪|和|跟|约|请|教|批准|同意|送)(?:了|过)?我"
)
_LEAD_EN: Final = r"[\s,.!]*(?:(?:and|but|so|well|also|btw|by the way|actually|oh|yes|yeah|ok|okay|because|since|now|currently|these days|last \w+|next \w+|today|yesterday|tomorrow|on \w+|this \w+)[\s,]+){0,4}"
_OTHER_EN: Final = re.compile(
    rf"{_LEAD_EN}(?:(?:my|our|his|her|their|the|a|an|one of my|some)\s+)?(?:(?!i\b|i'm\b|we\b)[a-z'-]+\s+){{0,2}}?(?:{_KIN_EN})(?:'s)?\b"
)
_FIRST_EN: Final = re.compile(rf"{_LEAD_EN}(?:i|i'm|i've|i'd|i'll|we|we're|we've|we'd|we'll)\b")
_FOR_ME_EN: Final = re.compile(
    r"\b(?:told|asked|wants?|wanted|advised|asks|makes|made|gave|put|got|taught|reminded)\s+(?:me|us)\b"
)
_NAMED_EN: Final = re.compile(
    r"\W{0,8}([A-Z][a-z'-]++)(?:\s++[A-Z][a-z'-]++){0,3}\s++(?:is|was|has|had|can|can't|cannot|could|will|won't|likes?|loves?|hates?|works?|lives?|prefers?|wants?|needs?|drinks?|eats?|plays?|speaks?|runs?|handles?|owns?|turns?|doesn't|isn't|does)\b"
)


def speaks_for_user(clauses: Sequence[Clause], *, path: str | None = None, of: str = "") -> bool:
    """True where the clauses speak of the user; for a field (`path`) as that field needs it.

    Of a clause that joins two statements the one is read that says most `of` a text.
    """
    texts = [_piece(clause.text, of) for clause in clauses]
    if path is None:
        return all(_is_of_user(text) for text in texts)
    if not path.startswith("user_profile"):
        return not any(THIRD_PARTY.search(fold(text)) for text in texts) or all(
            FIRST_PERSON.search(plain(text)) and _is_of_user(text) for text in texts
        )
    cue = {"name": NAMES_SELF, "role": WORKS_AS}.get(path.rpartition(".")[2], FIRST_PERSON)
    return all(_is_of_user(text) for text in texts) and any(cue.search(plain(text)) for text in texts)


def _piece(text: str, of: str) -> str:
    wanted = content_units(of)
    pieces = [piece.strip() for piece in _JOINED.split(text) if piece.strip()]
    return max(pieces, key=lambda piece: len(wanted & all_units(piece)), default=text) if wanted else text


_JOINED: Final = re.compile(r"\band (?=(?:i|we|my|our|he|she|they)\b)", re.IGNORECASE)


def is_said_of_subject(subject: str, text: str) -> bool:
    """True where a message names the one whom an item says it speaks of."""
    return fold(subject) in fold(text)


def _is_of_user(text: str) -> bool:
    words = plain(text)
    if _OTHER_ZH.match(words):
        return _FOR_ME_ZH.search(words) is not None
    if _FIRST_EN.match(words):
        return True
    if _OTHER_EN.match(words):
        return _FOR_ME_EN.search(words) is not None
    named = _NAMED_EN.match(text)
    return named is None or fold(named[1]) in STOP_WORDS
