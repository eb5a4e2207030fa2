"""Numbers, amounts and percentages in a text, with the place where each stands.

五十万 = 50万 = 500,000 = half a million; ¥3.5万, 百分之六, 0.6%, 20k, full-width digits. A number is found
with its unit: an ISO currency code (元, 块, ¥, RMB: CNY), "%", or the measure word as written (天, days).
Invariant: every span lies in the text, spans do not overlap, and nothing is found inside identifiers
(PROJ-2024-001, v2.3.1, addresses), dates, clock times or telephone numbers. 万一, 千万 (must), 十分 and the
article 一个 are words, not numbers; 两三万, 几十万, 50多万 and "a few hundred" say "about" and give no value.
A numeral of more than 40 characters (number words: 160) is no number either: its digits stay part of the
text and nothing else.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, NamedTuple

from shared.language.numerals import DIGITS, NUMERAL_CHARACTERS, SCALES, WORDS, read_chinese, read_english
from shared.language.overlaps import Taken
from shared.language.scripts import fold_aligned
from shared.language.separators import fold_number_marks, plain_digits
from shared.language.sieve import Sieve

PERCENT: Final = "%"

MAX_NUMERAL_CHARS: Final = 40
MAX_WORD_CHARS: Final = 160

_CURRENCIES: Final = {
    "CNY": "¥ ￥ 元 块 块钱 圆 人民币 元人民币 rmb cny yuan",
    "USD": "$ us$ usd 美元 美金 美刀 dollar dollars bucks",
    "EUR": "€ eur 欧元 euro euros",
    "GBP": "£ gbp 英镑 pound pounds",
    "JPY": "日元 日圆 jpy yen",
    "HKD": "港币 港元 hkd hk$",
    "TWD": "台币 新台币 nt$ twd",
    "INR": "₹ 卢比 inr rupee rupees",
}
_CODES: Final = {word: code for code, words in _CURRENCIES.items() for word in words.split()}
_MEASURES_ZH: Final = """
个月 个小时 个工作日 个 人 天 次 位 名 家 台 件 份 小时 分钟 秒 公里 千米 米 厘米 年 岁 周 斤 公斤
千克 克 吨 升 平米 平方米 度 条 本 张 页 套 间 辆 只 把 瓶 杯 座 层 楼 倍 折 步 场 门 章 节 轮 版 项 笔
单 户 亩 顿 工作日 期 季 集
""".split()  # noqa: SIM905 (a table is read more easily than a list)
_MEASURES_EN: Final = """
days? weeks? months? years? hours? minutes? mins? seconds? people persons? users? kids? children times?
percent kg kgs km miles? meters? metres? lbs? pounds? cups? pages? books? items? units? hrs? points?
""".split()  # noqa: SIM905 (a table of words)

_MONEY_AFTER: Final = "|".join(sorted((re.escape(word) for word in _CODES), key=len, reverse=True))
_MEASURE_AFTER: Final = "|".join(sorted(_MEASURES_ZH, key=len, reverse=True))
_ENGLISH_AFTER: Final = "|".join(_MEASURES_EN)
_AFTER: Final = (
    rf"(?:\s?(?P<unit>%|(?:{_MONEY_AFTER})(?![a-z])|{_MEASURE_AFTER}|(?:{_ENGLISH_AFTER})(?![a-z])))?"
)
_SIGN: Final = re.compile(
    r"(?P<sign>(?:(?<![a-z])(?:us|hk|nt))?\$|[¥€£₹]|(?<![a-z])(?:rmb|cny|usd|eur|gbp|hkd|twd|jpy|inr)|人民币|美元|美金|百分之)\s?$"
)
_SIGN_CHARS: Final = 5
_ARABIC: Final = re.compile(
    rf"(?P<number>[\d−-](?<![\d.,].)(?:(?<=\d)|(?<![\w)\]].)(?=\d))"
    rf"(?:\d{{0,2}}(?:\.\d{{3}})*,\d{{1,2}}(?!\d)|\d{{3,5}},\d{{1,2}}(?!\d)|\d?(?:,\d\d)+,\d{{3}}"
    rf"|\d{{0,2}}(?:(?:,\d{{3}})+(?!\d)|\d*)(?:\.\d++)?+))(?!,?\d)"
    rf"(?:\s?(?P<multiplier>[十百千万亿][\d{NUMERAL_CHARACTERS}]*)"
    rf"|\s?(?P<scale>k|mn?|bn?|thousand|million|billion)(?![a-z\d]))?"
    rf"{_AFTER}"
)
_CHINESE: Final = re.compile(
    rf"(?P<number>[{NUMERAL_CHARACTERS}](?<![{NUMERAL_CHARACTERS}\d.点].)[{NUMERAL_CHARACTERS}]*"
    rf"(?:点[{NUMERAL_CHARACTERS}]+)?"
    rf"|半(?=[天年个]))(?![{NUMERAL_CHARACTERS}\d]){_AFTER}"
)
_WORD: Final = "|".join([*sorted([*WORDS, *SCALES], key=len, reverse=True), "dozen"])
_ENGLISH: Final = re.compile(
    rf"\b(?<!-)(?P<number>(?:half\s+|(?:an?\s+)?quarter\s+(?:of\s+(?=an?\s))?(?=(?:an?\s+)?[mb]illion\b))?"
    rf"(?:an?\s+(?=(?:{'|'.join(SCALES)}|dozen)\b))?(?:{_WORD})"
    rf"(?:(?:[\s-]+(?:and\s+)?(?:{_WORD})|\s+and\s+a\s+half)(?![a-z]))*)(?![a-z]){_AFTER}"
)
_DIGIT_ZH: Final = f"[{''.join(DIGITS)}\\d]"
_SMALL_COINS: Final = re.compile(
    rf"\s?(?:(?P<tenths>{_DIGIT_ZH})[角毛](?:钱|(?P<hundredths>{_DIGIT_ZH})分?)?|零?(?P<cents>{_DIGIT_ZH})分(?![钟之])"
    rf"|(?<=块)(?P<bare>{_DIGIT_ZH})(?![\d{NUMERAL_CHARACTERS}.]|{_MEASURE_AFTER}))"
)
"""What follows whole yuan: 七元四角二分 = 7.42, 三块五 = 3.5."""

_COINS: Final = re.compile(
    rf"(?<![\d.{NUMERAL_CHARACTERS}])(?:(?P<tenths>{_DIGIT_ZH})[角毛](?P<hundredths>{_DIGIT_ZH})分|(?P<tenth>{_DIGIT_ZH})[角毛]钱"
    r"|(?P<plain>\d)[角毛](?![\u4e00-\u9fff])"
    rf"|(?P<cents>{_DIGIT_ZH})分钱)"
)
"""Amounts below one yuan: 五毛钱, 8毛, 8角5分; 三角 and 三毛 alone are words."""

_MINUS: Final = re.compile(r"(?:负|零下|(?<![a-z])(?<!\d\s)(?:minus|negative)\s|(?<![\w)\].])[-−])$")
_MINUS_CHARS: Final = 11
_MONTH_NAME: Final = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?"
_NUMERALS: Final = "[零〇一二三四五六七八九十]"
_ADDRESSES: Final = (r"https?://\S+", r"(?<![\w.+-])[\w.+-]++@[\w-]+(?:\.[\w-]+)+")
_BEGINS_GROUP: Final = r"(?=[\d+#第])"
"""Every group of digits begins so: one look where there would be one for each group."""

_DIGIT_GROUPS: Final = (
    # telephone numbers
    r"\+\d[\d -]{7,15}\d",
    r"(?<!\d)1[3-9]\d{9}(?!\d)",
    r"(?<!\d)0\d{2,3}-\d{7,8}(?!\d)",
    r"(?<!\d)\d{3}-\d{3,4}-\d{4}(?!\d)",
    # days and clock times
    r"(?<!\d)\d{1,4}[-/.]\d{1,2}[-/.]\d{1,4}(?:t\d[\d:.z+]*)?(?!\d)",
    r"(?<![\d,.])(?:19|20)\d{2}[-/]\d{1,2}(?!\d)",
    r"(?<!\d)(?:19|20)\d{2}\s?年",
    r"(?<!\d)\d{1,2}\s?月",
    r"(?<!\d)\d{1,2}\s?[日号](?![元圆])",
    r"\d{1,2}:\d{2}(?::\d{2})?",
    r"(?<!\d)\d{1,2}\s?[ap]\.?m\b",
    # versions and ordinals
    r"(?<![a-z\d])\d+(?:\.\d+){2,}",
    r"#\d+",
    r"\b\d+(?:st|nd|rd|th)\b",
    r"第\d+",
)
_MONTH_DAYS: Final = (
    rf"\b{_MONTH_NAME}\s+\d{{1,2}}(?:st|nd|rd|th)?(?:,?\s+\d{{4}})?\b",
    rf"(?<!\d)\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{_MONTH_NAME}(?:,?\s+\d{{4}})?\b",
)
_NOT_A_CURRENCY: Final = r"(?!(?:us|hk|nt|rmb|cny|usd|eur|gbp|hkd|twd|jpy|inr)[\d$])"
_IDENTIFIERS: Final = (
    r"(?<![a-z])v\d+(?:\.\d+)*",
    rf"(?<![a-z\d]){_NOT_A_CURRENCY}[a-z](?:(?:[a-z_/.#-]*+\d)++[\w-]*+|[a-z_/.#-]++(?P<plain>))",
)
_CHINESE_WORDS: Final = (
    rf"{_NUMERALS}{{4}}年",
    rf"{_NUMERALS}{{1,8}}月(?:{_NUMERALS}{{1,8}}[日号])?",
    "(?:周|星期|礼拜)[一二三四五六]",
    "第[零〇一二三四五六七八九十百]+",
    rf"(?<![{NUMERAL_CHARACTERS}\d])万一",
    rf"(?<![{NUMERAL_CHARACTERS}\d])千万(?![元块美人个])",
    "统一|一[定起样般直些下边切旦律致共]|一点(?![零一二三四五六七八九]+[百千]?[万亿])",
)
_ABOUT_ZH: Final = (
    r"几[十百千万亿]+",
    r"(?<![人总个岁分次件页字])数[十百千万亿]+",
    rf"[\d{NUMERAL_CHARACTERS}][多几余][十百千万亿]*",
)
_ABOUT_EN: Final = (
    r"\b(?:few|couple(?:\s+of)?|several|many)\s+(?:dozen|hundred|thousand|million|billion)",
    r"\b(?:one|two|three|four|five|six|seven|eight|nine)[\s-](?:third|quarter|fifth|sixth|eighth|tenth)s?\b",
)
_NOT_NUMBERS: Final = tuple(
    (re.compile(gate), re.compile("|".join(patterns)))
    for gate, patterns in (
        ("@|://", _ADDRESSES),
        (r"\d", (f"{_BEGINS_GROUP}(?:{'|'.join(_DIGIT_GROUPS)})",)),
        (_MONTH_NAME, _MONTH_DAYS),
        (r"[a-z][-_/.#]*\d", _IDENTIFIERS),
        ("[年月周期拜第万千一]", _CHINESE_WORDS),
        ("[几数多余]", _ABOUT_ZH),
        (r"few|couple|several|many|third|quarter|fth|sixth|tenth|eighth", _ABOUT_EN),
    )
)
"""Where no number is read, by what a text must hold for a group to be looked for at all."""

NUMBER: Final = rf"[\d{NUMERAL_CHARACTERS}半]|(?<![a-z])(?:{_WORD}|half)(?![a-z])"
"""What every number begins with or consists of, for sieves."""

_SMALL_WORDS: Final = "dozen half quarter of percent minus negative and".split()  # noqa: SIM905 (a table of words)
NUMBER_WORDS: Final = frozenset([*WORDS, *SCALES, *_SMALL_WORDS, *filter(str.isascii, _CODES)])
"""English words that numbers and their currencies are written with."""

NUMBER_SIGNS: Final = frozenset(f"{NUMERAL_CHARACTERS}半点个负下分之角毛钱第").union(
    *(word for word in _CODES if not word.isascii())
)
"""The same for single characters: 万, 元, ¥."""

_SOME_NUMBER: Final = Sieve([NUMBER])
_SCALE_VALUES: Final = {"k": 1000, "m": 10**6, "mn": 10**6, "bn": 10**9, "b": 10**9, **SCALES}
_HALF: Final = Decimal("0.5")
_HALF_UNITS: Final = frozenset({"年", "天", "个", "个月", "小时", "周", "倍"})
_PLAIN_UNITS: Final = {"个小时": "小时", "个工作日": "工作日", "块钱": "块"}
_YUAN: Final = frozenset({"元", "块", "圆"})
_BARE_LETTERS: Final = frozenset({"m", "b"})
_ARTICLE: Final = frozenset("一千百万亿零〇")


@dataclass(frozen=True, slots=True)
class NumberSpan:
    """A number as it stands in a text: `quote` is `text[start:end]`; `unit` None where there is none."""

    value: Decimal
    unit: str | None
    start: int
    end: int
    quote: str

    @property
    def numeral_end(self) -> int:
        """Where the number ends without its measure word; a currency or percent sign belongs to it."""
        if self.unit is None or self.unit == PERCENT or self.is_money:
            return self.end
        return self.start + max(fold_aligned(self.quote).rfind(self.unit), 1)

    @property
    def is_money(self) -> bool:
        """Whether the unit is a currency."""
        return self.unit in _CURRENCIES

    @property
    def canonical(self) -> str:
        """One spelling for equal amounts: plain digits without trailing zeros, % after a percentage."""
        plain = canonical_number(self.value)
        return plain + PERCENT if self.unit == PERCENT else plain


def canonical_number(value: Decimal) -> str:
    """The value in plain digits, without an exponent and without zeros at the end of a fraction."""
    text = format(value, "f")
    return text.rstrip("0").rstrip(".") if "." in text else text


def find_numbers(text: str) -> list[NumberSpan]:
    """The numbers of the text in order; overlapping readings give way to the longest that starts first."""
    aligned = fold_number_marks(text)
    if not _SOME_NUMBER.may_hold(aligned):
        return []
    found = list(_candidates(text, aligned))
    if found:
        closed = Taken(_closed_spans(aligned))
        found = [span for span in found if not closed.overlaps(span.start, span.end)]
    found.sort(key=lambda span: (span.start, -span.end))
    kept: list[NumberSpan] = []
    for span in found:
        if not kept or span.start >= kept[-1].end:
            kept.append(span)
    return kept


def _closed_spans(aligned: str) -> list[tuple[int, int]]:
    return [
        match.span()
        for gate, pattern in _NOT_NUMBERS
        if gate.search(aligned) is not None
        for match in pattern.finditer(aligned)
        if match.lastgroup is None  # a word without a digit was only stepped over
    ]


def may_hold_number(folded: str) -> bool:
    """False where no number stands in a folded text: one look, for readers that want no number's place."""
    return _SOME_NUMBER.may_hold(folded)


class _Hit(NamedTuple):
    """What a pattern found: the match in the aligned text, the sign before it, the text as written."""

    match: re.Match[str]
    sign: str
    text: str


def _candidates(text: str, aligned: str) -> Iterator[NumberSpan]:
    for gate, pattern, read in _READERS:
        if gate.search(aligned) is None:
            continue
        for match in pattern.finditer(aligned):
            hit = _Hit(match, _sign_before(aligned, match.start()), text)
            value = read(hit)
            if value is not None:
                yield _span(hit, value)
    if "角" in aligned or "毛" in aligned or "分钱" in aligned:
        yield from _coins(text, aligned)


def _coins(text: str, aligned: str) -> Iterator[NumberSpan]:
    for match in _COINS.finditer(aligned):
        value = _coin_value(
            match["tenths"] or match["tenth"] or match["plain"], match["hundredths"] or match["cents"]
        )
        yield NumberSpan(value, "CNY", *match.span(), text[match.start() : match.end()])


def _coin_value(tenths: str | None, hundredths: str | None) -> Decimal:
    return Decimal(_digit(tenths)) / 10 + Decimal(_digit(hundredths)) / 100


def _digit(character: str | None) -> int:
    return int(DIGITS.get(character, character)) if character else 0


def _sign_before(aligned: str, start: int) -> str:
    """The currency or percent sign that stands right before a number, with the space between them."""
    before = aligned[max(0, start - _SIGN_CHARS) : start]
    match = _SIGN.search(before)
    return match[0] if match else ""


def _span(hit: _Hit, value: Decimal) -> NumberSpan:
    match, sign, text = hit
    start, end = match.start() - len(sign), match.end()
    unit = _unit(sign.strip(), match["unit"])
    if sign and match["unit"] and _unit("", match["unit"]) != unit:
        end = match.start("unit")  # what is counted beside an amount is no part of it: $50 a day, ¥50 天
        end -= match.string[end - 1].isspace()
    if unit in _HALF_UNITS and text.startswith("半", end):
        value, end = value + _HALF, end + 1
    if unit == "CNY" and match["unit"] in _YUAN:
        coins = _SMALL_COINS.match(match.string, end)
        if coins is not None:
            value += _coin_value(coins["tenths"] or coins["bare"], coins["hundredths"] or coins["cents"])
            end = coins.end()
    minus = _MINUS.search(match.string[max(0, start - _MINUS_CHARS) : start])
    if minus is not None and value > 0:
        value, start = -value, start - len(minus[0])
    return NumberSpan(value, unit, start, end, text[start:end])


def _unit(sign: str, unit: str | None) -> str | None:
    if sign == "百分之" or unit == "percent":
        return PERCENT
    word = sign or _PLAIN_UNITS.get(unit or "", unit)
    return _CODES.get(word, word) if word else None


def _read_arabic(hit: _Hit) -> Decimal | None:
    match, sign, text = hit
    if match.end("multiplier" if match["multiplier"] else "number") - match.start() > MAX_NUMERAL_CHARS:
        return None
    codes = {_CODES.get(sign.strip()), _CODES.get(match["unit"] or "")} - {None}
    digits = plain_digits(
        match["number"],
        is_money=bool(codes) and match["multiplier"] is None,
        is_euro="EUR" in codes,
        is_scaled=match["scale"] is not None or match["unit"] == PERCENT,
    )
    if digits is None:
        return None
    if match["multiplier"]:
        value = read_chinese(digits.lstrip("-") + match["multiplier"])
        return -value if value is not None and digits.startswith("-") else value
    value = Decimal(digits)
    scale = match["scale"]
    if scale is None:
        return value
    if (
        scale in _BARE_LETTERS
        and not (sign or match["unit"] in _CODES)
        and not text[match.start("scale")].isupper()
    ):
        return value
    return value * _SCALE_VALUES[scale]


def _read_chinese(hit: _Hit) -> Decimal | None:
    match, sign, _ = hit
    numeral = match["number"]
    if numeral == "半":
        return _HALF
    if len(numeral) > MAX_NUMERAL_CHARS:
        return None
    if len(numeral) == 1 and not sign:
        unit = match["unit"]
        if unit is None or (numeral in _ARTICLE and unit not in _CODES and unit != "%"):
            return None
    return read_chinese(numeral)


def _read_english(hit: _Hit) -> Decimal | None:
    if len(hit.match["number"]) > MAX_WORD_CHARS:
        return None
    words = re.split(r"[\s-]+", hit.match["number"])
    if words in (["one"], ["zero"]):
        return None
    return read_english(words)


_READERS: Final = (
    (re.compile(r"\d"), _ARABIC, _read_arabic),
    (re.compile(f"[{NUMERAL_CHARACTERS}半]"), _CHINESE, _read_chinese),
    (re.compile(rf"(?:{_WORD}|half)(?![a-z])"), _ENGLISH, _read_english),
)
