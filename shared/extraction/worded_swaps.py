"""The words of a remembered sentence that give way to others where neither has a shape. Pure.

My sister lives in Rome with her kids / "Milan", 我在北京上班 / 上海: what a cue (is, in, 住在, 喜欢) gives as a
value, up to the next word that begins something else. Of names a name is replaced. Where several or joined
values may be meant (Tom and Jerry), None.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from shared.extraction.correction_words import NO_NEW
from shared.extraction.value_shapes import find_shaped
from shared.extraction.value_swaps import may_replace
from shared.language.bare_nouns import BEING
from shared.language.scripts import fold_aligned

_CUE_EN: Final = re.compile(
    r"(?:(?P<be>\b(?:is|are|am|was|were|called|named)|'(?:s|m))|\b(?P<prep>in|at|to|for|as|from|on|near|by|with)"
    r"|\b(?:like|love|prefer|hate|drive|use|speak|play)s?)\s+"
)
_STOP_EN: Final = re.compile(
    r"\s(?:in|at|to|for|as|from|on|near|by|with|of|every|each|since|because|when|while|who|that|which|until|after|before|during|but|so|if)\b|[,;.!?]"
)
_IS_TO: Final = re.compile(r"(?<!\s)\s+to\s")
"""I'm allergic to peanuts, she is married to Tom: what is told stands behind it."""
_SAID_PREP: Final = re.compile(
    r"(?P<prep>in|at|to|for|as|from|on|near|by|with)\s+(?P<rest>\S.*)", re.IGNORECASE
)
_JOINS: Final = re.compile(r"\b(?:and|or)\b|[、和与及跟]|或者")
_ARTICLE: Final = re.compile(r"an?\s+", re.IGNORECASE)
_HAS_ARTICLE: Final = re.compile(r"(?:an?|the|my|our|his|her|their|no)\s", re.IGNORECASE)
_CUE_ZH: Final = re.compile(
    r"(?:(?P<be>(?<![还就可总只但老也不])是(?!不|否)|为|叫做?)|(?P<prep>(?P<home>住在|搬到|定居在?)|(?<![现正存实])在|(?<![没想看听遇直])到|对(?=[^,，]{1,12}(?:过敏|感兴趣|有兴趣)))|(?<!\d)[:：]"
    r"|(?:喜欢|偏好|习惯|讨厌|爱)(?:喝|吃|用|看|听|坐|去)?)\s*"
)
_STOP_ZH: Final = re.compile(r"[,，;；。!！?？]")
_DOES_ZH: Final = re.compile(
    r"(?<=..)(?:上班|工作|任职|上学|上大学|读书|念书|读研|实习|出差|开会|见面|碰头|吃饭|出生|长大|生活|定居|过年|旅游|度假|集合|出发|起飞|降落"
    r"|过敏|感兴趣|有兴趣|转机|举行|召开|举办|办公|住|租房|买|当(?!地)|做).*$"
)
_SAYS_ZH: Final = re.compile(r"不(?!丹)|很|没|太(?![原湖仓平])|[了啊呢]$")
"""天气不好 says something of its own, and is no value."""

_MOST_WORDS: Final = 4
_LONG_ZH: Final = 4


@dataclass(frozen=True, slots=True)
class _Held:
    """Words that a cue gives as a value, at [start:end] of the text."""

    start: int
    end: int
    words: str
    cue: str
    is_name: bool


def swap_worded(text: str, said: str) -> str | None:
    """The text with `said` in place of the words of its kind; None where several or none may be meant.

    Of names a name is replaced; what has a shape gives way to no words, and no words to what has one.
    """
    body = text.rstrip("。.!！ ")
    said, prep = _without_preposition(body, said)
    folded = fold_aligned(said)
    if _SAYS_ZH.search(folded) or NO_NEW.match(folded):
        return None
    held = [each for each in _held(body) if _is_of_kind(each, said)]
    if prep:
        named = [each for each in held if each.cue == prep]
        held = named or (held if len(held) == 1 else [])
    if _is_name(said) and any(each.is_name for each in held):
        held = [each for each in held if each.is_name]
    if len(held) > 1:
        held = [each for each in held if _last(each.words) == _last(said)]
    if len(held) != 1 or (_JOINS.search(held[0].words) and not _JOINS.search(said)):
        return None
    one = held[0]
    if not said.isascii() and one.cue in {"在", "到"} and len(one.words) > max(_LONG_ZH, len(said) + 2):
        return None
    return body[: one.start] + _with_article(one.words, said) + body[one.end :]


def _without_preposition(text: str, said: str) -> tuple[str, str]:
    match = _SAID_PREP.fullmatch(said) if text.isascii() else None
    return (match["rest"], match["prep"].lower()) if match else (said, "")


def _held(text: str) -> Iterator[_Held]:
    folded = fold_aligned(text).replace("’", "'")
    is_english = text.isascii()
    cue_pattern, stop_pattern = (_CUE_EN, _STOP_EN) if is_english else (_CUE_ZH, _STOP_ZH)
    cues = list(cue_pattern.finditer(folded))
    for place, cue in enumerate(cues):
        start, end = cue.end(), len(text)
        stop = stop_pattern.search(folded, max(start - 1, 0))
        end = min(end, stop.start() if stop else end)
        if place + 1 < len(cues):
            end = min(end, cues[place + 1].start())
        if not is_english and cue["prep"]:
            does = _DOES_ZH.search(folded, start, end)
            end = does.start() if does else end
        while end > start and text[end - 1].isspace():
            end -= 1
        words = text[start:end]
        if is_english and cue["be"] and words.islower() and _IS_TO.match(folded, end):
            continue
        if words.strip() and (not is_english or len(words.split()) <= _MOST_WORDS):
            yield _Held(start, end, words, cue["prep"] or "", _is_name(words))


def _is_of_kind(one: _Held, said: str) -> bool:
    """True where both hold values of one shape or neither holds any; a code may also be a name (BMW X5).

    A name gives way to no words in small letters (my boss is Tom / "it's complicated"), but a Tesla to a bike;
    what something is called gives way to no word for what it is (我的猫叫团子 / 是狗).
    """
    if one.is_name and said.islower() and not (_ARTICLE.match(one.words) and _ARTICLE.match(said)):
        return False
    if BEING.fullmatch(fold_aligned(said)) and not BEING.search(fold_aligned(one.words)):
        return False
    held, given = find_shaped(one.words), find_shaped(said)
    if len(held) == 1 and held[0].quote == one.words.strip():
        return False
    shaped = [value for value in given if value.shapes != {"code"}]
    if any(value.quote == said.strip() for value in shaped):
        return False
    return all(any(may_replace(new, old) for old in held) for new in shaped)


def _is_name(words: str) -> bool:
    bare = _HAS_ARTICLE.sub("", words, count=1)
    return bare[:1].isupper() and bare[:2] not in {"I ", "I'"}


def _last(words: str) -> str:
    folded = fold_aligned(words.strip())
    return folded.split()[-1] if folded.isascii() and folded else folded[-1:]


def _with_article(old: str, new: str) -> str:
    """A Tesla / BMW: a BMW; only the little word that the new value lacks is kept."""
    if not _ARTICLE.match(old) or _HAS_ARTICLE.match(f"{new} ") or not new.isascii():
        return new
    return f"{'an' if new[:1].lower() in 'aeiou' else 'a'} {new}"
