"""Numerals written out: Chinese (五十万, 一百二十, 3万5, 两千三) and English (half a million, twenty-five).

Pure grammar on text that is already folded; which stretches of a text are numbers is decided in `numbers`.
"""

import re
from decimal import Decimal
from typing import Final

DIGITS: Final = dict(zip("零〇一二两三四五六七八九壹贰叁肆伍陆柒捌玖", "001223456789123456789", strict=True))
SMALL_UNITS: Final = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
LARGE_UNITS: Final = {"万": 10**4, "亿": 10**8}
NUMERAL_CHARACTERS: Final = "".join([*DIGITS, *SMALL_UNITS, *LARGE_UNITS])

_UNDER_TWENTY: Final = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
seventeen eighteen nineteen
""".split()  # noqa: SIM905 (a table of words)
_TENS: Final = """
twenty thirty forty fifty sixty seventy eighty ninety
""".split()  # noqa: SIM905 (a table of words)
WORDS: Final = {
    **dict(zip(_UNDER_TWENTY, range(20), strict=True)),
    **dict(zip(_TENS, range(20, 100, 10), strict=True)),
}
SCALES: Final = {"hundred": 100, "thousand": 10**3, "million": 10**6, "billion": 10**9}

_TOKEN: Final = re.compile(r"\d+(?:\.\d+)?|\D")
_TEN: Final = 10
_DOZEN: Final = 12
_HUNDRED: Final = 100
_AFTER_POINT: Final = {"": 1, "万": 10**4, "百万": 10**6, "千万": 10**7, "亿": 10**8}


def read_chinese(numeral: str) -> Decimal | None:
    """The value of a numeral of Chinese characters, Arabic digits between them allowed; None if it is none.

    A digit after a multiplier stands for the next lower place (两千三 = 2300, 3万5 = 35000), unless a 零
    stands between them (两千零三 = 2003). Digits side by side are read as such only with a 零 or 〇 among
    them (二〇二四 = 2024); 三四 and 两三 mean "about" and have no value. A 万 or 亿
    after 点 holds for all of it (十二点六万 = 126000).
    """
    head, point, tail = numeral.partition("点")
    if point:
        digits = tail.rstrip("百千万亿")
        scale = _AFTER_POINT.get(tail[len(digits) :], 0)
        whole = read_chinese(head)
        if whole is None or not scale or not digits or any(ch not in DIGITS for ch in digits):
            return None
        return (whole + Decimal("0." + "".join(DIGITS[ch] for ch in digits))) * scale
    if all(ch in DIGITS for ch in numeral):
        return _read_digits(numeral)
    return _read_places(_TOKEN.findall(numeral))


def _read_digits(numeral: str) -> Decimal | None:
    if len(numeral) > 1 and not any(ch in "零〇" for ch in numeral):
        return None
    return Decimal("".join(DIGITS[ch] for ch in numeral)) if numeral else None


class _Places:
    """The sum read so far: `total` of closed 万/亿 groups, `group` of this one, `digit` not yet placed."""

    def __init__(self) -> None:
        self.total = Decimal(0)
        self.group = Decimal(0)
        self.digit: Decimal | None = None
        self.last_unit = 0
        self.last_large = 0
        self.after_zero = False

    def add_digit(self, value: Decimal) -> bool:
        if self.digit is not None and self.digit != 0:
            return False
        self.after_zero = value == 0 or self.digit == 0
        self.digit = value
        return True

    def add_small(self, unit: int) -> bool:
        if 0 < self.last_unit < unit < min(LARGE_UNITS.values()):
            return False
        self.group += (1 if not self.digit else self.digit) * unit
        self.digit, self.last_unit = None, unit
        return True

    def add_large(self, unit: int) -> bool:
        self.group += self.digit or 0
        if self.group == 0 and self.total == 0:
            return False
        if self.total and self.group == 0:
            self.total *= unit
        elif unit > self.last_large > 0:
            self.total = (self.total + self.group) * unit
        else:
            self.total += self.group * unit
        self.group, self.digit, self.last_unit = Decimal(0), None, 0
        self.last_large = unit
        return True

    def close(self) -> Decimal:
        if self.digit is not None:
            place = self.last_unit or self.last_large
            short = place >= _HUNDRED and not self.after_zero and self.digit < _TEN
            self.group += self.digit * place / _TEN if short else self.digit
        return self.total + self.group


def _read_places(tokens: list[str]) -> Decimal | None:
    places = _Places()
    for token in tokens:
        if token in DIGITS:
            read = places.add_digit(Decimal(DIGITS[token]))
        elif token in SMALL_UNITS:
            read = places.add_small(SMALL_UNITS[token])
        elif token in LARGE_UNITS:
            read = places.add_large(LARGE_UNITS[token])
        elif token[0].isdigit():
            read = places.add_digit(Decimal(token))
        else:
            read = False
        if not read:
            return None
    return places.close()


def read_english(words: list[str]) -> Decimal | None:
    """The value of English number words (`half a million`, `two hundred and five`); None if it is none."""
    total, group = Decimal(0), Decimal(0)
    seen = False
    for position, word in enumerate(words):
        following = words[position + 1] if position + 1 < len(words) else ""
        if word in WORDS:
            group, seen = group + WORDS[word], True
        elif word == "half":
            group, seen = group + Decimal("0.5"), True
        elif word == "quarter":
            group, seen = group + Decimal("0.25"), True
        elif word == "dozen":
            group, seen = (group or Decimal(1)) * _DOZEN, True
        elif word in SCALES:
            scaled = (group or Decimal(1)) * SCALES[word]
            total, group = (total, scaled) if SCALES[word] == _HUNDRED else (total + scaled, Decimal(0))
            seen = True
        elif word[:1].isdigit():
            group, seen = group + Decimal(word), True
        elif not (word in {"a", "an"} and following) and word not in {"and", "of"}:
            return None
    return total + group if seen else None
