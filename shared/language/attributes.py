"""What may be known of a thing (its name, birthday, deadline), and how sentences tell it without that word.

我家猫的名字 / "my cat's name" is told by 我的猫叫团子 / "my cat is called Pebble". Pure; all patterns are for
folded text.
"""

# ruff: noqa: E501  (a row is read best on one line)
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

MAX_CHARS: Final = 80
"""No phrase that is longer names a thing."""

_ROWS: Final = (
    # Chinese names | English names | what tells it
    ("名字|姓名|昵称|小名|外号", r"names?|nicknames?", r"叫|名|昵称|\b(?:called|named?|nicknamed?|goes by)\b"),
    ("生日|出生日期", r"birthdays?|birth date|date of birth", r"生日|出生|生于|\b(?:born|birthday)\b"),
    ("住址|地址", r"(?:home )?address(?:es)?", r"住|址|搬到|\b(?:liv(?:es?|ing) (?:in|at|on)|address|moved to)\b"),
    ("电话号码|手机号码?|电话|号码", r"(?:(?:phone|mobile|cell) )?numbers?|phones?", r"电话|手机|号|\d{5}|\b(?:phone|mobile|number)\b"),
    ("年龄|岁数", r"ages?", r"岁|年龄|\b(?:years? old|aged?|turn(?:s|ed))\b"),
    ("工作|职业|职位|职务", r"jobs?|occupation|profession|job title", r"工作|上班|任职|职|\b(?:works?|job|profession|occupation)\b"),
    ("截止日期?|截止时间|最后期限|期限|到期日", r"deadlines?|due dates?|cut-?off(?: date)?", r"截止|到期|期限|\b(?:due|deadline|closes?|cut-?off|end on)\b"),
    ("鞋码|尺码|尺寸", r"(?:shoe |shirt )?sizes?", r"码|尺寸|\bsizes?\b"),
    ("过敏史|过敏源|过敏", r"allerg(?:y|ies)", r"过敏|\ballerg"),
    ("偏好|喜好|爱好|口味|忌口", r"preferences?|hobb(?:y|ies)|tastes?|likes", r"喜|爱|偏|更|不吃|\b(?:prefers?|likes?|loves?|enjoys?|hobb(?:y|ies))\b"),
    ("价格|价钱|报价|费用", r"prices?|costs?|fees?|quotes?", r"价|元|块|费|\d|\b(?:price|cost|fee|quote)"),
    ("工资|薪水|薪资|收入", r"salar(?:y|ies)|wages?|income", r"工资|薪|收入|挣|\b(?:salary|wage|earns?|paid|makes)\b"),
    ("车牌号码?|车牌", r"(?:licen[cs]e )?plates?(?: number)?", r"车牌|\bplate\b"),
    ("日期|日子", r"dates?", r"月|号|日|\d|day\b"),
    ("时间|钟点", r"times?", r"点|时|周|星期|每|号|\d|\b(?:every|each|noon|am|pm)\b|day\b"),
)  # fmt: skip
# Other heads of what is remembered: a sentence that tells of them says the word.
_PLAIN_ZH: Final = (
    "预算|上限|下限|额度|折扣|比例|规定|规则|政策|流程|标准|要求|约束|安排|计划|行程|日程|习惯|身高|体重|血型|座位号?"
    "|航班号?|房间?号|编号|型号|证号|账号|邮箱|生肖|星座|对账日|发薪日|发布日"
)
_PLAIN_EN: Final = (
    r"budgets?|limits?|quotas?|discounts?|rates?|rules?|polic(?:y|ies)|schedules?|itinerary|habits?|height|weight"
    r"|blood type|seats?|flights?|emails?|account|diet|payday"
)
_NAMES_ZH: Final = "|".join(row[0] for row in _ROWS)
_NAMES_EN: Final = "|".join(row[1] for row in _ROWS)

HEAD_ZH: Final = re.compile(rf"(?:{_NAMES_ZH}|{_PLAIN_ZH})$")
HEAD_EN: Final = re.compile(rf"\b(?:{_NAMES_EN}|{_PLAIN_EN})$")

_OWNED_ZH: Final = re.compile(
    rf"(?:我|我们|咱|咱们)?家?里?的?(?P<thing>[^\s的]{{1,16}}?)的?(?P<name>{_NAMES_ZH})"
)
_OWNED_EN: Final = re.compile(
    rf"(?:(?:my|our|the|that)\s+)?(?P<thing>[^\s][^:;,]{{0,40}}?)(?:['’]s?)?\s+(?P<name>{_NAMES_EN})"
    rf"|(?:the\s+)?(?P<name2>{_NAMES_EN})\s+of\s+(?:(?:my|our|the|that)\s+)?(?P<thing2>[^\s][^:;,]{{0,40}})"
)
# What may stand between a thing and what tells of it; another noun may not: 猫粮叫皇家 tells no cat's name.
_GAP_ZH: Final = r"[的是就也都现在今年要于我们它他她一只位月号日每\d，,：:\s]{0,14}"
_GAP_EN: Final = (
    r"(?:['’]s|s|es)?(?:[\s,]+(?:is|was|are|were|has|have|been|now|also|who|which|that|it|he|she|they|we|i|my|our|the|a|an"
    r"|of|at|on|to|still|must|be)\b){0,6}[\s,:]*"
)


@dataclass(frozen=True, slots=True)
class Attribute:
    """Something that may be known of a thing; `told` finds a sentence that tells it."""

    thing: str
    told: re.Pattern[str]

    def is_told_in(self, folded: str) -> bool:
        """True where a folded sentence names the thing and tells this of it."""
        return self.told.search(folded) is not None


def read_attribute(folded: str) -> Attribute | None:
    """What a folded phrase names as known of a thing: 我家猫的名字, "cat's name"; None where it names no such."""
    phrase = folded.strip()
    if len(phrase) > MAX_CHARS:
        return None
    match = _OWNED_ZH.fullmatch(phrase) or _OWNED_EN.fullmatch(phrase)
    if match is None:
        return None
    groups = match.groupdict()
    name = groups["name"] or groups["name2"]
    thing = (groups["thing"] or groups["thing2"]).strip()
    told = next(told for names, told in _TOLD_BY if names.fullmatch(name))
    words = re.escape(thing)
    if thing.isascii():
        pattern = rf"\b{words}{_GAP_EN}(?:{told})|(?:{told})\s+(?:(?:my|our|the)\s+)?{words}\b"
    else:
        pattern = rf"{words}{_GAP_ZH}(?:{told})"
    return Attribute(thing, re.compile(pattern))


_TOLD_BY: Final = tuple((re.compile(f"{zh}|{en}"), told) for zh, en, told in _ROWS)
