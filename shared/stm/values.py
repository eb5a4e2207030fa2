"""Labelled values: a number, a date or an id together with the noun that says what it is.

预算 46,500 元, 手续费率是0.6%, order PZ-88213, the deadline is 2026-04-17. A bare number (a counter, the
number of a list) is none. Invariant: the quote is a slice of the clause, as the user wrote it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

from shared.language.dates import find_dates, may_hold_date
from shared.language.numbers import NUMBER, find_numbers, may_hold_number
from shared.language.overlaps import Taken
from shared.language.sieve import Sieve
from shared.stm.clauses import fold_for_match, split_words

ValueKind = Literal["number", "date", "id", "name"]

_NOUNS_ZH: Final = split_words(
    "预算 价 价格 总价 单价 报价 成本 费 费用 费率 手续费 税率 利率 汇率 金额 定金 尾款 押金",
    "租金 房租 工资 月薪 年薪 薪资 额度 上限 下限 数量 人数 面积 尺寸 尺码 身高 体重 年龄 温度",
    "血压 血糖 电话 手机 手机号 尾号 号码 编号 单号 订单 订单号 合同号 工号 学号 车牌 房号",
    "门牌 地址 邮编 航班 车次 座位 版本 型号 交期 工期 账期 截止 截止日 截止日期 期限 日期",
    "时间 生日 周期 有效期 比例 折扣 占比 目标 剂量 用量 频率 端口 首付 库存 销量 评分 分数",
    "进度 项目编号 项目号 房间 房间号 楼层 密级 收益 收入 支出 余额 总额 欠款",
)
_NOUNS_EN: Final = split_words(
    "budget price cost fee rate tax total amount deposit rent salary limit cap ceiling floor",
    "quantity headcount size height weight age phone mobile extension order invoice contract",
    "code id room address zip flight train seat version model deadline due date birthday start",
    "end duration period discount ratio share target dose dosage port quota fare mileage stock",
    "score balance income project temperature area",
)
_NAME_NOUNS: Final = (
    "联系人|收件人|负责人|对接人|项目经理|客户名称?|姓名|快递|contact|recipient|owner|client|courier"
)

_ID: Final = re.compile(
    r"(?<![a-z0-9_/.@-])(?=[a-z0-9_-]*[0-9])(?=[a-z0-9_-]*[a-z])[a-z0-9]+(?:[-_][a-z0-9]+)*(?![a-z0-9_@-])"
)
_PHONE: Final = re.compile(
    r"(?<!\d)(?:\+\d[\d -]{7,15}\d|1[3-9]\d{9}|0\d{2,3}-\d{7,8}|\d{3}-\d{3,4}-\d{4})(?!\d)"
)
_NAME: Final = re.compile(
    rf"(?P<label>{_NAME_NOUNS})(?:\s*(?:是|为|叫|[:：=])\s*|\s+(?:is|named)\s+|\s+)"
    r"(?P<name>[^\s，,。；;：:\d][^\s，,。；;]*)"
)
_NO_NAME: Final = re.compile(
    r"(?:late|early|unknown|missing|ill|sick|happy|unhappy|angry|upset|away|here|there|back|not|very|so|too|ready|busy|fine"
    r"|ok(?:ay)?|good|great|bad|new|right|wrong|still|already|now|always|never|also|just|a|an|the|my|our|his|her|their"
    r"|in|on|at|from|to|for|by|no|nobody|nice|rude|rich|dead|gone|due|one|who|what|\w{2,}ing|\w{2,}ed)[.!?]*"
)
"""What is said of somebody, and is no name: my client is late."""
_MORE_NAMES: Final = re.compile(r"(?: [A-Z][\w'-]+)*")
_MIN_ID_DIGITS: Final = 3
_LINK: Final = re.compile(
    r"(?:是|为|在|有|到|按|共|约|叫|成|改|定|达|了|就|只|再|最多|至少|至多|大概|大约|控制|限制|一共|总共|调整"
    r"|不?(?:能|得|可|要)?(?:超过|低于|高于|多于|少于)|[:：=~≈<>≤≥]"
    r"|\b(?:is|are|was|of|at|to|be|under|below|over|above|about|around|now|exactly|only|by|on|for|stay|within"
    r"|must|should|will|not|exceed|up|no|more|less|than|equals?|set)\b|\s|[(（])+$"
)
_LINKED: Final = re.compile(
    r"[是为:：=]|\b(?:is|are|was|of|equals?)\b|至|超过|低于|控制|\bunder\b|\bexceed\b"
)
_HAN_NOUN: Final = re.compile(r"[\u3400-\u9fff]+$")
_LATIN_NOUN: Final = re.compile(r"(?<![a-z'-])[a-z]+(?:[ -][a-z]+){0,2}$")
_FILLER_EN: Final = split_words(
    "a an the my our your his her its their this that is are was and or but so please keep make total new",
    "current",
)
_LEAD_ZH: Final = re.compile(r"^.*(?:[的把将从和与跟在]|我们|我|你|您|先说好)|^[总新原现](?=..)")
_AFTER: Final = re.compile(
    rf"\s?(?:的\s?)?(?P<zh>{'|'.join(sorted(_NOUNS_ZH, key=len, reverse=True))})"
    rf"|\s?(?P<en>(?:{'|'.join(_NOUNS_EN)}))(?![a-z])"
)
_NAMES_NOUN: Final = re.compile(
    rf"{'|'.join(sorted(_NOUNS_ZH, key=len, reverse=True))}|(?<![a-z])(?:{'|'.join(_NOUNS_EN)})"
)
"""Without one of these nouns no date is a value: only a known noun says what a day is for."""

_SOME_NAME: Final = Sieve([_NAME.pattern])
_SOME_VALUE: Final = Sieve([NUMBER, _NAME.pattern, _NAMES_NOUN.pattern])
_DIGIT: Final = re.compile(r"\d")
_MAX_LABEL_CHARS: Final = 10
_EPOCH: Final = date(2000, 1, 1)
_MONEY: Final = frozenset({"CNY", "USD", "EUR", "GBP", "JPY", "HKD", "TWD", "%"})


@dataclass(frozen=True, slots=True)
class LabelledValue:
    """A value in a text: its noun (folded; None for a lone id) and `quote = text[start:end]`."""

    label: str | None
    quote: str
    start: int
    end: int
    kind: ValueKind


@dataclass(frozen=True, slots=True)
class _Found:
    start: int
    end: int
    kind: ValueKind
    unit: str | None = None


def may_hold_value(folded: str) -> bool:
    """False where a text folded for matching holds no labelled value: a look or two, nothing is split."""
    if not _SOME_VALUE.may_hold(folded):
        return False
    return may_hold_number(folded) or _SOME_NAME.may_hold(folded) or may_hold_date(folded)


def find_values(text: str) -> list[LabelledValue]:
    """Return the labelled values of one clause in order."""
    folded = fold_for_match(text)
    if not may_hold_value(folded):
        return []
    found: list[LabelledValue] = []
    for value in _find_spans(text, folded, wants_dates=_NAMES_NOUN.search(folded) is not None):
        label, is_known = _find_label(folded, value)
        if _counts(folded, value, label=label, is_known=is_known):
            found.append(
                LabelledValue(label, text[value.start : value.end], value.start, value.end, value.kind)
            )
    for match in _NAME.finditer(folded):
        start = match.start("name")
        if not _is_name(text[start : match.end("name")], is_linked=_LINKED.search(match[0]) is not None):
            continue
        # the pattern may be empty, so that it always matches
        end = _MORE_NAMES.match(text, match.end("name")).end()  # type: ignore[union-attr]
        if not any(start < value.end and value.start < end for value in found):
            found.append(LabelledValue(match["label"], text[start:end], start, end, "name"))
    return sorted(found, key=lambda value: value.start)


def _is_name(word: str, *, is_linked: bool) -> bool:
    """Return whether the word behind a noun of names is one: Acme, 张三, never "late" or "contact me"."""
    if not word.isascii() or not word[:1].islower() or any(sign.isdigit() for sign in word):
        return True
    return is_linked and _NO_NAME.fullmatch(word) is None


def find_spans(text: str) -> list[tuple[str, ValueKind]]:
    """Return every number, date and id of a text as written, labelled or not, in order."""
    spans = _find_spans(text, fold_for_match(text), wants_dates=True)
    return [(text[span.start : span.end], span.kind) for span in spans]


def _find_spans(text: str, folded: str, *, wants_dates: bool) -> list[_Found]:
    """Return numbers, dates and ids; where two overlap the longer one stands.

    Where no date is wanted, dates are read only to tell their numbers from others.
    """
    found = _candidates(text, folded, wants_dates=wants_dates)
    spans = sorted(found, key=lambda span: (span.start - span.end, span.start))
    taken = Taken()
    kept = [span for span in spans if taken.take(span.start, span.end)]
    return sorted(kept, key=lambda span: span.start)


def _candidates(text: str, folded: str, *, wants_dates: bool) -> Iterator[_Found]:
    numbers = find_numbers(text)
    for number in numbers:
        yield _Found(number.start, number.end, "number", number.unit)
    for day in find_dates(text, today=_EPOCH) if wants_dates or numbers or _DIGIT.search(folded) else ():
        yield _Found(day.text_start, day.text_end, "date")
    for match in _PHONE.finditer(folded):
        yield _Found(*match.span(), "id")
    for match in _ID.finditer(folded):
        digits = sum(ch.isdigit() for ch in match[0])
        if digits >= _MIN_ID_DIGITS or ("-" in match[0] and not match[0].startswith("-")):
            yield _Found(*match.span(), "id")


def _find_label(folded: str, value: _Found) -> tuple[str | None, bool]:
    """Return the noun before a value, else a known one right behind it, and whether it is a known one."""
    before = _LINK.sub("", folded[: value.start])
    label = _noun_at_end(before)
    if label is not None and _is_known(label):
        return label, True
    after = _AFTER.match(folded, value.end)
    if after is not None:
        return after["zh"] or after["en"], True
    return label, False


def _noun_at_end(before: str) -> str | None:
    han = _HAN_NOUN.search(before)
    if han is not None:
        noun = _LEAD_ZH.sub("", han[0])
        return noun[-_MAX_LABEL_CHARS:] if len(noun) > 1 else None
    latin = _LATIN_NOUN.search(before)
    if latin is None:
        return None
    words = latin[0].split()
    while words and words[0] in _FILLER_EN:
        words.pop(0)
    return " ".join(words) or None


def _is_known(label: str) -> bool:
    if label.isascii():
        noun = label.rsplit(maxsplit=1)[-1]
        return noun in _NOUNS_EN or noun.rstrip("s") in _NOUNS_EN
    return label.endswith(tuple(_NOUNS_ZH))


def _counts(folded: str, value: _Found, *, label: str | None, is_known: bool) -> bool:
    """Return whether a value says enough to be carried: known noun, id, or a unit and a linking word."""
    if value.kind == "id":
        return label is not None or "-" in folded[value.start : value.end]
    if is_known:
        return True
    if label is None or value.kind == "date":
        return False
    linked = _LINKED.search(folded[max(0, value.start - 4) : value.start]) is not None
    return value.unit in _MONEY or (linked and value.unit is not None)
