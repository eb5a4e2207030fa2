"""Numbers that only their label makes secret: papers, card checks, one-time codes, turns of a lock.

536-22-1984 alone may be a part's number, "my SSN is 536-22-1984" is not. A label and its number stand side
by side, with no more than "is" or a colon between them; an order's, a flight's or a postal number has
another label. Invariant: a text is read folded, and places are those of the folded text.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final, Literal

from shared.language.heads import find_from_heads
from shared.language.sieve import Sieve

LABELS: Final = ("ssn", "social", "cvv", "cvc", "otp", "insurance", "the back", "背面", "后四位", "後四位")
"""Labels of short numbers, for the first look at a text; the others stand beside what it finds anyway."""

_IS: Final = r"(?:\s{0,3}(?:[:=：＝,，#(（]|是|为|就是|\bis\b|\bwas\b|\bare\b)){0,2}\s{0,3}[\"'“「『‘`]?"
_NUMBER_EN: Final = r"(?:\s{1,3}(?:number|num|no|id|#))"
_NUMBER_ZH: Final = r"(?:号码?|编号)"
_END: Final = r"(?![a-z0-9_%*]|[./:-][a-z0-9])"

_SSN_LABEL: Final = (
    rf"(?:(?<![a-z])ssn|(?<![a-z])social(?:\s{{1,3}}(?:security|insurance)){_NUMBER_EN}?"
    r"|社会?安全?号码?|社安号码?|社会保障号码?|社保号码?)"
)
_SSN: Final = r"(?<![\d.-])(?!000|666)\d{3}(?P<gap>[ -]?)\d{2}(?P=gap)\d{4}"
_SSN_AFTER: Final = re.compile(rf"{_SSN_LABEL}\.?{_IS}(?P<secret>{_SSN}){_END}", re.ASCII)
_SSN_BEFORE: Final = re.compile(
    rf"(?P<secret>{_SSN})\s{{0,3}}(?:is|was|=|[,，(（]|是)\s{{0,3}}(?:my|our|his|her|their|the)?\s{{0,3}}"
    rf"(?:[我你他她您]的?)?{_SSN_LABEL}",
    re.ASCII,
)
_SSN_LAST: Final = re.compile(
    rf"(?:(?<![a-z])last\s{{1,3}}(?:4|four)(?:\s{{1,3}}digits?)?\s{{1,3}}of\s{{1,3}}(?:[a-z]{{2,5}}\s{{1,3}})?{_SSN_LABEL}"
    rf"|{_SSN_LABEL}(?:\s{{1,3}}(?:ends?|ending)\s{{1,3}}(?:in|with)|的?[后最]+[四4]位数?字?)){_IS}(?P<secret>\d{{4}}){_END}",
    re.ASCII,
)

_PAPER_EN: Final = (
    r"(?:passport|(?:driver['’]?s?|drivers['’]|driving)\s{1,3}licen[cs]e|(?:travel|residence|resident|work)\s{1,3}permit"
    r"|green\s{1,3}card|national\s{1,3}insurance|social\s{1,3}insurance"
    r"|aadhaar|medicare|military\s{1,3}id)"
)
_PAPER_ZH: Final = (
    r"(?:护照|驾驶?[证照]|行驶证|[通同]行证|台胞证|回乡证|居[住留]证|暂住证|军官证|士兵证|警官证|绿卡|社保卡|医保卡?|签证"
    r"|户口[本簿])"
)
# Where the label says "number", any long number is one; beside the bare paper only one that starts with letters.
_SOLID: Final = r"[a-z]{0,5}\d[a-z0-9]{4,19}+"
_SPLIT: Final = r"[a-z]{0,5}\d{0,5}(?:[ -]\d[a-z0-9]{1,7}){1,4}(?:[ -][a-z])?"
_LETTERED: Final = r"[a-z]{1,3}\d{6,9}"
_PAPER_NUMBER: Final = re.compile(
    rf"(?:(?<![a-z]){_PAPER_EN}{_NUMBER_EN}\.?|(?<![a-z])nino|{_PAPER_ZH}的?{_NUMBER_ZH})"
    rf"{_IS}(?P<secret>(?:{_SPLIT}|{_SOLID})){_END}",
    re.ASCII,
)
_PAPER: Final = re.compile(
    rf"(?:(?<![a-z]){_PAPER_EN}|{_PAPER_ZH}){_IS}(?P<secret>{_LETTERED}){_END}", re.ASCII
)
_LEAST_PAPER_DIGITS: Final = 5

_CARD_CHECK: Final = re.compile(
    r"(?:(?<![a-z])(?:cvv|cvc)2?(?:\s{0,3}(?:code|number|no\.?)|码|号)?|安全码"
    r"|背面的?[后末最]*[三3]位(?:数字?|数|码)?|(?<![a-z])(?:three|3)\s{1,3}(?:digits|numbers)\s{1,3}on\s{1,3}the\s{1,3}back)"
    rf"{_IS}(?P<secret>\d{{3,4}}){_END}(?!\s{{0,3}}(?:位|个|次|conference|digits))",
    re.ASCII,
)

_ONE_TIME_ZH: Final = (
    r"(?:验证码|校验码|动态码|动态密码|动态口令|短信码|口令码|一次性(?:密码|口令|码)"
    r"|恢复码|恢复代码|备用(?:验证)?码)"
)
_ONE_TIME_EN: Final = (
    r"(?:(?:verification|authentication|authenticator|log-?\s?in|sign-?\s?in|one[- ]time|2fa|mfa|two-factor|otp|sms"
    r"|recovery|backup)\s{1,3}(?:pass)?code|one[- ]time\s{1,3}(?:pin|password)|t?otp)"
)
_ONE_TIME_CODE: Final = (
    r"(?:(?:[a-z]-)?\d{4,8}|\d{3}[ -]\d{3}|(?=[a-z-]{0,8}\d)[a-z0-9]{4,8}(?:-[a-z0-9]{4,8}){1,7})"
)
_COUNTED: Final = r"(?!\s{0,3}(?:[次个条位秒分天年人元块]|requests?|users?|times|digits?|seconds?|minutes?|characters?|a\s|per\s))"
_ONE_TIME_AFTER: Final = re.compile(
    rf"(?:{_ONE_TIME_ZH}|(?<![a-z]){_ONE_TIME_EN}){_IS}(?P<secret>{_ONE_TIME_CODE}){_END}{_COUNTED}", re.ASCII
)
_ONE_TIME_BEFORE: Final = re.compile(
    r"(?<![a-z0-9_.:/-])(?P<secret>(?:[a-z]-)?\d{4,8})(?:"
    rf"\s{{1,3}}(?:is|as)\s{{1,3}}(?:your|my|the|our)\s{{1,3}}(?:[a-z]{{1,20}}\s{{1,3}}){{0,2}}?{_ONE_TIME_EN}(?![a-z])"
    rf"|\s{{0,3}}(?:是|就是|[(（])[我你您]?的?[\u4e00-\u9fff]{{0,6}}?{_ONE_TIME_ZH})",
    re.ASCII,
)

_COUNT: Final = r"(?:\d{1,3}|[一二两三四五六七八九十]{1,3})"
_TURN_ZH: Final = rf"[左右](?:边)?(?:转|旋|拧)?\s?(?:{_COUNT}圈)?(?:到|至)?\s?(?:{_COUNT}[格下圈]?)?"
_TURN_EN: Final = r"(?:left|right|[lr]|clockwise|counter-?clockwise)\s?(?:to\s)?\d{1,3}"
_STEP: Final = r"[\s,，、;；>→-]{0,3}(?:然?后|再|then\s|and\s)?\s?"
_TURNS: Final = rf"(?:(?:{_TURN_ZH})(?:{_STEP}{_TURN_ZH}){{1,6}}|{_TURN_EN}(?:{_STEP}{_TURN_EN}){{1,6}})"
_OF: Final = r"(?:\s{1,3}(?:for|of|to|on)\s{1,3}(?:[a-z'-]{1,20}\s{1,3}){0,4}?(?:[a-z'-]{1,20}))??"
_SPREAD: Final = r"\d{1,2}(?:(?:\s?[, ]\s?|-)\d{1,2}){2,4}"
_COMBINATION: Final = re.compile(
    rf"(?:密码锁?|口令|保险[柜箱]|(?<![a-z])(?:combination|combo|(?:safe|lock|locker)\s{{1,3}}code){_OF}){_IS}(?:先|要|first\s)?"
    rf"(?P<secret>{_TURNS}){_END}(?![个位人名])"
    r"|(?:保险[柜箱]|储物柜|更衣柜|密码锁|挂锁|行李箱)的?密?码"
    rf"{_IS}(?P<spread>{_SPREAD}){_END}"
    r"|(?<![a-z])(?:safe|vault|lock|padlock|locker|briefcase|suitcase)(?:['’]s)?\s{1,3}combination"
    rf"{_IS}(?P<apart>{_SPREAD}){_END}",
    re.ASCII,
)

_CODE_WORD: Final = r"(?:密码|口令|(?<![a-z])(?:pass(?:word|code|phrase|wd)|pwd|pin(?:\s?码|\s{1,3}(?:code|number|no\.?))?)(?![a-z0-9_]))"
_NO_DATE: Final = r"(?!\d{4}(?:年|[-/.]\d)|\d{1,2}[月:])"
_BARE_PASSWORD: Final = re.compile(
    rf"{_CODE_WORD}\s{{0,3}}{_NO_DATE}(?P<secret>(?=[!-~]{{0,40}}\d)[a-z0-9@#$&*_+][!-~]{{3,63}}?)(?=[.,;:!?)\]\"']{{0,3}}(?:[^!-~]|\Z)){_COUNTED}"
    rf"|{_CODE_WORD}{_IS}(?P<spoken>[零〇一二三四五六七八九]{{4,20}}|\d(?:[ -]\d){{3,11}}){_END}{_COUNTED}",
    re.ASCII,
)
"""A password that stands right behind its label, without "is" or a colon: wifi密码 88888888, PIN 4821."""
_BARE_KEY: Final = re.compile(
    r"(?<![a-z])(?:secret(?:\s(?:access\s)?key)?|api[ _-]?key|access[ _-]?(?:key|token)|密钥|秘钥|令牌)\s{1,3}"
    r"(?P<secret>(?=\S{0,80}\d)(?=\S{0,80}[a-z])[a-z0-9/+=_-]{20,200})(?![a-z0-9/+=_-])",
    re.ASCII,
)

_BARE: Final = (
    (_BARE_PASSWORD, ("密码", "口令", "pass", "pwd", "pin")),
    (_BARE_KEY, ("secret", "api", "access", "密钥", "秘钥", "令牌")),
)
"""With the words that each begins with: long texts are looked through for these alone."""

Kind = Literal["id_number", "password"]


_PAPERS: Final = (_SSN_AFTER, _SSN_BEFORE, _SSN_LAST, _PAPER, _PAPER_NUMBER)
_CODES: Final = (_CARD_CHECK, _ONE_TIME_AFTER, _ONE_TIME_BEFORE, _COMBINATION)
_ANY: Final = Sieve(pattern.pattern for pattern in (*_PAPERS, *_CODES, *dict(_BARE)))


def find_labelled(folded: str) -> Iterator[tuple[Kind, int, int]]:
    """Give the kind and the place of each number that its label makes secret, in no order; places may overlap."""
    if not _ANY.may_hold(folded):
        return
    for pattern in _PAPERS:
        for match in pattern.finditer(folded):
            if pattern is not _PAPER_NUMBER or _is_long(match["secret"]):
                yield "id_number", *match.span("secret")
    for pattern in _CODES:
        for match in pattern.finditer(folded):
            yield "password", *_place_of(match)
    for pattern, heads in _BARE:
        for match in find_from_heads(pattern, folded, heads=heads):
            yield "password", *_place_of(match)


def _is_long(number: str) -> bool:
    return sum(ch.isdigit() for ch in number) >= _LEAST_PAPER_DIGITS


def _place_of(match: re.Match[str]) -> tuple[int, int]:
    """The place of the one group of a pattern that holds its secret."""
    name = next(name for name, value in match.groupdict().items() if value)
    return match.span(name)
