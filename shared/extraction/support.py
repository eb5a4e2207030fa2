"""What a text rests on: its content words, and whether another text holds them. Pure.

A content word is a Han character or an English stem that is no frame: 用户, 数量 and 目前, "user", "currently"
add nothing that a reader would call a claim. Numbers, amounts and days are compared apart, by what they mean.
"""

# ruff: noqa: E501  (tables of words)
from __future__ import annotations

import re
from collections.abc import Iterable
from datetime import date
from typing import Final

from shared.extraction.evidence_words import DAYTIMES, KIN
from shared.language.dates import find_dates
from shared.language.numbers import find_numbers
from shared.language.question_words import STOP_WORDS
from shared.language.scripts import HAN, fold
from shared.language.terms import stem

_FRAME_ZH: Final = (
    "用户本人 自己 数量 总数 总共 一共 共计 目前 现在 当前 如今 正在 已经 最近 平时 通常 一般 日常 表示 认为 觉得 感觉 希望 需要 要求"
    " 计划 打算 准备 喜欢 偏好 偏爱 热爱 讨厌 想要 使用 采用 进行 关于 对于 情况 名字 名叫 叫做 时间 日期 地点 位于 属于 作为 以及 并且 而且 因为 所以 但是 不过"
)
_STOP_HAN: Final = frozenset(
    "我你您他她它们咱俺的地得了着过吗呢吧啊呀么嘛哦是在有和与跟对给把被让将向从到于以为所之其这那此每各都也就还又很太更最再才只刚已正会能可要想去来做用叫个位名些点里时"
    "不没别勿未无非请须应该人"
)
_STOP_EN: Final = STOP_WORDS | frozenset(
    """
    user users user's currently now lately recently usually normally generally regularly always also still already
    really likes like loves love enjoys enjoy prefers prefer preference preferred favourite favorite wants want needs
    need requires require located plans plan planning intends hopes named called name person someone thing things
    would to let's let us please says said states stated mentioned thinks feels make makes made kind going go goes get
    gets got dislike dislikes hate hates hated avoids avoid stand doesn't don't didn't can't cannot won't isn't aren't
    wasn't never no not none ve ll re im
    """.split()  # noqa: SIM905 (a table of words)
)
_STOP_STEMS: Final = frozenset(stem(word) for word in _STOP_EN) | _STOP_EN
_FRAMES: Final = re.compile("|".join(sorted(_FRAME_ZH.split(), key=len, reverse=True)))
_HAN: Final = re.compile(f"[{HAN}]")
_LATIN: Final = re.compile(rf"[^\W\d_{HAN}]+(?:['’][^\W\d_{HAN}]+)*")
_TOKEN: Final = re.compile(r"[a-z0-9](?:[a-z0-9_/.#-]*[a-z0-9])?")
_LATIN_KIN: Final = {word: name for word, name in KIN.items() if word.isascii()}
_HAN_KIN: Final = re.compile(
    "|".join(sorted((word for word in KIN if not word.isascii()), key=len, reverse=True))
)
_DAYTIME: Final = re.compile(
    "|".join(
        word if not word.isascii() else rf"\b{word}\b" for word in sorted(DAYTIMES, key=len, reverse=True)
    )
)
_WORDS: Final = re.compile(r"[a-z][a-z-]*")
_DAY: Final = date(2000, 1, 1)
MAX_READ_CHARS: Final = 8_000


def content_units(text: str) -> frozenset[str]:
    """The content words of a text, numbers and days left out; its first 8,000 characters are read."""
    bare = strip_values(text[:MAX_READ_CHARS])
    folded = _FRAMES.sub(" ", fold(bare)).replace("’", "'")
    han = {ch for ch in _HAN.findall(folded) if ch not in _STOP_HAN}
    words = {_bare(word) for word in _LATIN.findall(folded)}
    return frozenset(
        han
        | {stem(word) for word in words if word and word not in _STOP_EN and stem(word) not in _STOP_STEMS}
    )


def all_units(text: str) -> frozenset[str]:
    """Every Han character and stem of a text, frames included: what a claim may be made of."""
    folded = fold(text[:MAX_READ_CHARS]).replace("’", "'")
    words = {_bare(word) for word in _LATIN.findall(folded)}
    return frozenset(_HAN.findall(folded)) | {stem(word) for word in words if word} | words


def strip_values(text: str) -> str:
    """The text without its numbers and days."""
    spans = [(number.start, number.numeral_end) for number in find_numbers(text)]
    spans += [(day.text_start, day.text_end) for day in find_dates(text, today=_DAY)]
    pieces, place = [], 0
    for start, end in sorted(spans):
        if start >= place:
            pieces.append(text[place:start])
        place = max(place, end)
    return " ".join([*pieces, text[place:]])


def digit_tokens(text: str) -> frozenset[str]:
    """Folded tokens with digits that are neither amounts nor days: room numbers, versions, ids."""
    return tokens_in(strip_values(text))


def tokens_in(text: str) -> frozenset[str]:
    """All folded tokens of a text with digits."""
    found = _TOKEN.findall(fold(text[:MAX_READ_CHARS]))
    return frozenset(token for token in found if any(ch.isdigit() for ch in token))


def daytimes_in(text: str) -> frozenset[str]:
    """The times of day that a text names, each by its one name: 早上 and 上午 are one."""
    return frozenset(DAYTIMES[word] for word in _DAYTIME.findall(fold(text)))


def without_daytimes(text: str) -> str:
    """The text without the times of day that it names."""
    return _DAYTIME.sub(" ", fold(text))


def people_in(text: str) -> frozenset[str]:
    """The other people whom a text speaks of, by who they are: 妈妈 and 母亲 are one."""
    folded = fold(text[:MAX_READ_CHARS])
    found = {KIN[word] for word in _HAN_KIN.findall(folded)}
    found |= {_LATIN_KIN[word] for word in _WORDS.findall(folded) if word in _LATIN_KIN}
    return frozenset(found)


def share_held(units: Iterable[str], held: frozenset[str]) -> float:
    """The share of content words that stand among others; 1 where there are none."""
    wanted = frozenset(units)
    return len(wanted & held) / len(wanted) if wanted else 1.0


def _bare(word: str) -> str:
    return re.sub(r"'(?:s|m|re|ve|ll|d)$|'$", "", word)
