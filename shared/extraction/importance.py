"""How much a memory weighs, by rule, 0.05 to 1: its kind first, then what its words hold. Pure.

    base    constraint .8, decision .7, preference .65, fact .5, event .45, small talk .1
    + .1    a number, an amount, a date or an identifier; an explicit word of wish or rule; confirmed
    - .2    an emotion or a hedge (好开心, 大概, so happy, maybe)
    + .1    much said: six content words of a fact or event, four of small talk; - .05 small talk of one word

A model's own score moves the result by at most .1, so that no model decides alone.
"""

from __future__ import annotations

import re
from datetime import date
from typing import Final

from shared.extraction.filler import is_filler
from shared.extraction.pattern_words import HEDGE
from shared.extraction.small_talk import is_small_talk
from shared.extraction.support import content_units
from shared.language.dates import find_dates
from shared.language.numbers import find_numbers
from shared.language.scripts import fold, is_han
from shared.model.memory import IMPORTANCE_BY_KIND, MemoryKind

RULE_VERSION: Final = 1
"""Raised whenever the rule changes, so that rows scored by the older one are scored anew."""

SMALL_TALK: Final = 0.1
STEP: Final = 0.1
LESS: Final = 0.2
LEAST: Final = 0.05
MAX_SHIFT: Final = 0.1
MAX_READ_CHARS: Final = 2_000
_MUCH: Final = 6
_MUCH_TALK: Final = 4

_DAY: Final = date(2000, 1, 1)
"""Whether a text names a day does not depend on the day it is read on."""

_IDENTIFIER: Final = re.compile(r"(?<![a-z0-9])[a-z]+[-_#]?\d[\w-]{1,40}|(?<!\d)\d{5,40}(?!\d)")
_EXPLICIT: Final = re.compile(
    r"必须|务必|一定要|不要|不许|不得|不能|禁止|严禁|只(?:能|要|用|接受|收)|只有|千万别|别再|一律|统一|以后都|以后请|每次都|从不|绝不|绝对不|永远"
    r"|喜欢|最爱|偏爱|偏好|讨厌|受不了|习惯|更愿意|宁愿|过敏|忌口|不吃|不喝|首选|优先|要求"
    r"|\b(?:must|never|always|prefer(?:s|red)?|favou?rite|hates?|dislikes?|loves?|likes?|can'?t\s+stand"
    r"|cannot|allergic|allergy"
    r"|only|do\s+not|don'?t|required?|mandatory|no\s+more\s+than|at\s+(?:least|most)|avoid|rather)\b"
)
_EMOTION: Final = re.compile(
    r"开心|高兴|难过|伤心|郁闷|烦死|好烦|烦躁|焦虑|生气|气死|激动|兴奋|失落|沮丧|崩溃|哈哈|呜呜|累死|好累|无聊|孤独|害怕|担心|紧张|感动|心情|哭"
    r"|\b(?:happy|sad|upset|angry|excited|thrilled|tired|bored|lonely|anxious|nervous|stressed|depressed"
    r"|frustrated|annoyed|scared"
    r"|afraid|worried|glad|overwhelmed|crying|lol|haha+|ugh|yay|feel(?:s|ing)?|felt|mood)\b|!!|！！"
)


def importance_of(
    kind: MemoryKind, text: str, *, confirmed: bool = False, model_score: float | None = None
) -> float:
    """The importance of a memory, 0.05 to 1, rounded to hundredths (rules of importance: above).

    Args:
        kind: the memory's kind.
        text: its words; the first 2,000 characters are read.
        confirmed: the user has said yes to it.
        model_score: what a model gave it, 0 to 1; None where none was asked.
    """
    text = text[:MAX_READ_CHARS]
    folded = fold(text).replace("’", "'")
    is_chatter = _is_chatter(kind, text)
    score = SMALL_TALK if is_chatter else IMPORTANCE_BY_KIND[kind]
    if is_chatter or kind in {"fact", "event"}:
        score += _detail(text, is_chatter=is_chatter)
    if not is_chatter:
        score += STEP * _names_value(text, folded) + STEP * (_EXPLICIT.search(folded) is not None)
    if _EMOTION.search(folded) or HEDGE.search(folded):
        score -= LESS
    score += STEP * confirmed
    if model_score is not None:
        score += max(-MAX_SHIFT, min(MAX_SHIFT, min(1.0, max(0.0, model_score)) - score))
    return round(min(1.0, max(LEAST, score)), 2)


def _is_chatter(kind: MemoryKind, text: str) -> bool:
    """A rule or a wish is none, however politely it is put: 请别, "please don't"."""
    return is_filler(text) or (kind in {"fact", "event"} and is_small_talk(text))


def _detail(text: str, *, is_chatter: bool) -> float:
    """What much or little content adds; two Han characters count as one word."""
    words = sum(0.5 if len(unit) == 1 and is_han(unit) else 1 for unit in content_units(text) if unit)
    if is_chatter and words <= 1:
        return -LEAST
    return STEP if words >= (_MUCH_TALK if is_chatter else _MUCH) else 0.0


def _names_value(text: str, folded: str) -> bool:
    return bool(find_numbers(text) or find_dates(text, today=_DAY) or _IDENTIFIER.search(folded))
