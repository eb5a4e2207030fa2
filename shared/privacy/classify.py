"""What in a text is secret (identity numbers, cards, passwords, keys) or sensitive (telephones, e-mails).

Numbers are judged by their own make (an identity number's region and birthday, Luhn's sum of a card) or
by a word beside them (身份证, 卡号, card), never by length alone: order numbers and amounts are let be.
The check digit of an identity number is not asked for, since a mistyped one is as sensitive. Borders are
digits, not word borders, since there is none between Han and a digit. Invariant: spans are in order, do
not overlap, and are those of the text as typed, full-width digits included.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from shared.language.heads import find_from_heads
from shared.language.overlaps import Taken
from shared.language.scripts import fold_aligned, lower_ascii
from shared.privacy.access_codes import find_access_codes
from shared.privacy.labelled import LABELS, find_labelled
from shared.privacy.secret_words import (
    API_KEY,
    API_KEY_HEADS,
    BEARER,
    BEARER_HEADS,
    CARD,
    CARD_CUE,
    CONNECTION,
    EMAIL,
    ID_CUE,
    ID_NUMBER,
    LABELLED_KEY,
    LABELLED_KEY_HEADS,
    MIN_PASSWORD_CHARS,
    MIXED,
    NO_PASSWORD,
    OLD_ID_NUMBER,
    OWNER,
    OWNER_CHARS,
    PASSWORD,
    PASSWORD_HEADS,
    PHONE,
    PRIVATE_KEY,
    REGIONS,
)

SensitiveKind = Literal["id_number", "card", "password", "api_key", "phone", "email"]
Level = Literal["sensitive", "secret"]

_CUE_CHARS: Final = 16
_LUHN_BASE: Final = 10
_CARD_DIGITS: Final = range(13, 20)
_PHONE_DIGITS: Final = range(7, 16)
_FIRST_CARD_DIGITS: Final = frozenset("23456")
_OVERLAP_RANK: Final[dict[Level, int]] = {"secret": 0, "sensitive": 1}


@dataclass(frozen=True, slots=True)
class SensitiveSpan:
    """Something sensitive at the text's [start:end]; a secret is masked everywhere, the rest in audit."""

    kind: SensitiveKind
    level: Level
    start: int
    end: int


def find_sensitive(text: str) -> list[SensitiveSpan]:
    """The sensitive spans of a text, in order; where two overlap, the secret one, then the longer one."""
    if not _may_hold(text):
        return []
    folded = fold_aligned(text)
    labelled = (SensitiveSpan(kind, "secret", start, end) for kind, start, end in find_labelled(folded))
    found = [
        *_keys(text, folded),
        *_passwords(text, folded),
        *_numbers(folded),
        *labelled,
        *(SensitiveSpan("password", "secret", *place) for place in find_access_codes(folded)),
        *_contacts(folded),
    ]
    found.sort(key=lambda span: (_OVERLAP_RANK[span.level], span.start - span.end, span.start))
    taken = Taken()
    kept = [span for span in found if taken.take(span.start, span.end)]
    return sorted(kept, key=lambda span: span.start)


_HAN_MARK: Final = re.compile("[，。；：！？（）【】《》“”、]")
# Most texts have none of these and cost a few looks. Seven digits may stand a little apart; a key may be any
# token of letters and digits, so a digit beside a Latin letter counts too.
_DIGITS: Final = re.compile(r"\d(?:(?:[\s().-]{0,3}\d){6}|(?=[A-Za-z_-])|(?<=[A-Za-z_-]\d))")
_MANY_DIGITS: Final = re.compile(r"\d(?:[\s().-]{0,3}\d){6}")
_HINTS: Final = ("@", "＠", "密", "口令", "令牌", "秘钥", "秘鑰", "://", "-----")
_LATIN_HINTS: Final = ("pass", "pwd", "pin", "key", "secret", "token", "bearer", "sk-", "hf_")
_PIN: Final = re.compile(r"pin(?![a-z0-9_])")
_CODE_WORDS: Final = ("码", "碼", "code", "combination")
_SHORT_LABELS: Final = (*_CODE_WORDS, *LABELS)
_CODE_NEAR_CHARS: Final = 60
_DIGIT: Final = re.compile(r"\d")
_LABELS: Final = ("key", "secret", "token", "密钥", "秘钥", "令牌")


def find_secrets(text: str) -> list[tuple[int, int]]:
    """Return the places of what is secret in a text."""
    return [(span.start, span.end) for span in find_sensitive(text) if span.level == "secret"]


def _may_hold(text: str) -> bool:
    if _DIGITS.search(text) is not None or any(hint in text for hint in _HINTS):
        return True
    lower = lower_ascii(text)
    if _may_hold_code(text, lower):
        return True
    found = [hint for hint in _LATIN_HINTS if hint in lower]
    return bool(found) and (found != ["pin"] or _PIN.search(lower) is not None)


def _may_hold_code(text: str, lower: str) -> bool:
    """True where a digit stands near a word for a code."""
    for word in _SHORT_LABELS:
        where = lower if word.isascii() else text
        place = where.find(word)
        while place >= 0:
            end = place + len(word)
            if _DIGIT.search(text, max(0, place - _CODE_NEAR_CHARS), end + _CODE_NEAR_CHARS) is not None:
                return True
            place = where.find(word, end)
    return False


def _keys(text: str, folded: str) -> Iterator[SensitiveSpan]:
    for match in PRIVATE_KEY.finditer(text):
        yield SensitiveSpan("api_key", "secret", *match.span())
    for match in find_from_heads(API_KEY, text, heads=API_KEY_HEADS):
        yield SensitiveSpan("api_key", "secret", *match.span())
    for match in find_from_heads(BEARER, text, heads=BEARER_HEADS):
        yield SensitiveSpan("api_key", "secret", *match.span("secret"))
    for match in (
        find_from_heads(LABELLED_KEY, text, heads=LABELLED_KEY_HEADS, looked_in=folded)
        if any(label in folded for label in _LABELS)
        else ()
    ):
        if any(ch.isdigit() for ch in match["secret"]):
            yield SensitiveSpan("api_key", "secret", *match.span("secret"))
    for match in find_from_heads(CONNECTION, text, heads=("://",)):
        yield SensitiveSpan("password", "secret", *match.span("secret"))


def _passwords(text: str, folded: str) -> Iterator[SensitiveSpan]:
    former = 0
    for match in find_from_heads(PASSWORD, folded, heads=PASSWORD_HEADS):
        after, former = former, match.end()
        start, end = match.span("secret")
        mark = _HAN_MARK.search(text, start, end)
        end = mark.start() if mark else end
        while end > start and text[end - 1] in ".,;:?)":
            end -= 1
        word = folded[start:end]
        if end - start < MIN_PASSWORD_CHARS or NO_PASSWORD.fullmatch(word):
            continue
        if match["mark"] or MIXED.search(text[start:end]) or _is_owned(folded, match, after=after):
            yield SensitiveSpan("password", "secret", start, end)


def _is_owned(folded: str, match: re.Match[str], *, after: int) -> bool:
    first = max(after, match.start() - OWNER_CHARS)
    return OWNER.search(folded, first, match.start()) is not None


def _numbers(folded: str) -> Iterator[SensitiveSpan]:
    if _MANY_DIGITS.search(folded) is None:
        return
    for match in ID_NUMBER.finditer(folded):
        if match[0][:2] in REGIONS or _has_cue(folded, match, cue=ID_CUE):
            yield SensitiveSpan("id_number", "secret", *match.span())
    for match in OLD_ID_NUMBER.finditer(folded):
        if _has_cue(folded, match, cue=ID_CUE):
            yield SensitiveSpan("id_number", "secret", *match.span())
    for match in CARD.finditer(folded):
        digits = re.sub(r"\D", "", match[0])
        if len(digits) not in _CARD_DIGITS:
            continue
        if _has_cue(folded, match, cue=CARD_CUE) or (
            digits[0] in _FIRST_CARD_DIGITS and _passes_luhn(digits)
        ):
            yield SensitiveSpan("card", "secret", *match.span())


def _contacts(folded: str) -> Iterator[SensitiveSpan]:
    for match in EMAIL.finditer(folded) if "@" in folded else ():
        yield SensitiveSpan("email", "sensitive", *match.span())
    for match in PHONE.finditer(folded) if _MANY_DIGITS.search(folded) else ():
        if sum(ch.isdigit() for ch in match[0]) in _PHONE_DIGITS:
            yield SensitiveSpan("phone", "sensitive", *match.span())


def _has_cue(folded: str, match: re.Match[str], *, cue: re.Pattern[str]) -> bool:
    return cue.search(folded, max(0, match.start() - _CUE_CHARS), match.start()) is not None


def _passes_luhn(digits: str) -> bool:
    total = 0
    for place, digit in enumerate(reversed(digits)):
        value = int(digit) * (1 + place % 2)
        total += value - 9 if value >= _LUHN_BASE else value
    return total % _LUHN_BASE == 0 and len(set(digits)) > 1
