"""What may be known of a thing (its name, birthday, deadline), and how sentences tell it without that word.

我家猫的名字 / "my cat's name" is told by 我的猫叫团子 / "my cat is called Pebble". Pure; all patterns are for
folded text.
"""

# ruff: noqa: E501  (a row is read best on one line)
from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

_LEAST_PLURAL: Final = 3
MAX_CHARS: Final = 80
"""No phrase that is longer names a thing."""

_IS: Final = r"(?:(?<=\bis )|(?<=\bwas )|(?<=\bare )|(?<=['’]s ))"
CALLED_ZH: Final = "叫做|叫(?![得了声唤醒外车我你他她人过着好不起苦]|来(?![福财喜宝旺]))"
"""What gives a name; a cat that 叫得响 has none by it."""

_ROWS: Final = (
    # Chinese names | English names | what tells it: no word that tells as well of anything else (猫叫得响, the boss called)
    ("名字|姓名|昵称|小名|外号", r"names?|nicknames?", rf"{CALLED_ZH}|名字|名为|小名|{_IS}(?:called|named|nicknamed)\b|\b(?:nick)?name(?:\s+is\b|:)|\bgoes by\b"),
    ("生日|出生日期", r"birthdays?|birth date|date of birth", r"生日|出生|生于|\b(?:born|birthday)\b"),
    ("住址|地址", r"(?:home )?address(?:es)?", r"住|地址|搬[到回去]|\b(?:liv(?:es?|ing) (?:in|at|on)|address|moved to)\b"),
    ("电话号码|手机号码?|电话|号码", r"(?:(?:phone|mobile|cell) )?numbers?|phones?", r"电话|手机|号码|[\d-]{7}|\b(?:phone|mobile|number is)\b"),
    ("年龄|岁数", r"ages?", r"\d+岁|[一二三四五六七八九十]岁|年龄|\b(?:years? old|aged)\b|\bturn(?:s|ed) \d"),
    ("工作|职业|职位|职务", r"jobs?|occupation|profession|job title", r"工作|上班|任职|职业|职位|\b(?:works? (?:as|for|at|in)|job|profession|occupation)\b"),
    ("截止日期?|截止时间|最后期限|期限|到期日", r"deadlines?|due dates?|cut-?off(?: date)?", r"截止|到期|期限|\b(?:due|deadline|closes?|cut-?off|end on)\b"),
    ("鞋码|尺码|尺寸", r"(?:shoe |shirt )?sizes?", r"鞋码|尺码|尺寸|\d码|\bsizes?\b"),
    ("过敏史|过敏源|过敏", r"allerg(?:y|ies|ic)", r"过敏|\ballerg(?:ic|y|ies)\b"),
    ("偏好|喜好|爱好|口味|忌口", r"preferences?|hobb(?:y|ies)|tastes?|likes", r"喜欢|爱[吃喝看听玩用]|偏好|偏爱|不吃|\b(?:prefers?|likes?|loves?|enjoys?|hobb(?:y|ies))\b"),
    ("价格|价钱|报价|费用", r"prices?|costs?|fees?|quotes?", r"价格|报价|费用|[\d.]+[元块万]|[¥￥$€£]|\b(?:price|costs?|fees?)\b"),
    ("工资|薪水|薪资|收入", r"salar(?:y|ies)|wages?|income", r"工资|薪水|薪资|收入|月薪|年薪|\b(?:salary|wages?|earns?|income)\b"),
    ("车牌号码?|车牌", r"(?:licen[cs]e )?plates?(?: number)?", r"车牌|\bplate\b"),
    ("日期|日子", r"dates?", r"\d+[月号日]|[一二三四五六七八九十][月号日]|周[一二三四五六日天]|星期|\b(?:\d{1,2}(?:st|nd|rd|th)|\w+day)\b"),
    ("时间|钟点", r"times?", r"\d[点:：]|[一二三四五六七八九十]点|[上下中]午|早上|晚上|周[一二三四五六日天]|星期|每[天周月]|\b(?:every|each|noon|\w+day|\d{1,2}(?::\d\d)? ?[ap]m)\b"),
)  # fmt: skip
# Other heads of what is remembered: a sentence that tells of them says the word.
_PLAIN_ZH: Final = (
    "预算|上限|下限|额度|折扣|比例|规定|规则|政策|流程|标准|要求|约束|安排|计划|行程|日程|习惯|身高|体重|血型|座位号?"
    "|航班号?|房间?号|编号|型号|证号|邮箱|纪念日|联系方式|微信号?|网址|生肖|星座|对账日|发薪日|发布日"
)
_PLAIN_EN: Final = (
    r"budgets?|limits?|quotas?|discounts?|rates?|rules?|polic(?:y|ies)|schedules?|itinerary|habits?|height|weight"
    r"|blood type|seats?|flights?|emails?|diet|payday|anniversar(?:y|ies)|contact details"
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
    rf"|(?:the\s+)?(?P<name2>{_NAMES_EN})\s+(?:of|for)\s+(?:(?:my|our|the|that)\s+)?(?P<thing2>[^\s][^:;,]{{0,40}})"
)
# What may stand between a thing and what tells of it; another noun may not: 猫粮叫皇家 tells no cat's name.
_GAP_ZH: Final = r"[的是就也都现在今年要于我们它他她一只位月号日每\d，,：:\s]{0,14}"
_GAP_EN: Final = (
    r"(?:['’]s|s|es)?(?:[\s,]+(?:is|was|are|were|has|have|been|now|also|who|which|that|it|he|she|they|we|i|my|our|the|a|an"
    r"|of|at|on|to|still|must|be)\b){0,6}[\s,:]*"
)


@dataclass(frozen=True, slots=True)
class Attribute:
    """Something that may be known of a thing, by its name; `told` finds a sentence that tells it."""

    name: str
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
    own_names, told = next((own, told) for names, own, told in _TOLD_BY if names.fullmatch(name))
    words = re.escape(thing)
    if thing.isascii():
        words = rf"{re.escape(thing[:-1])}s?" if thing.endswith("s") and len(thing) > _LEAST_PLURAL else words
        first = rf"\b(?:{own_names})\s+(?:of|for|to)\s+(?:(?:my|our|the)\s+)?{words}(?:s|es)?\b"
        pattern = rf"\b{words}{_GAP_EN}(?:{told})|{first}"
    else:
        pattern = rf"{words}{_GAP_ZH}(?:{told})"
    return Attribute(name, re.compile(pattern))


def tells_attribute(name: str, folded: str) -> bool:
    """True where a folded sentence tells what a bare name asks for, of whatever: 住址 is told by 我住在北京."""
    phrase = name.strip()
    told = [told for names, _, told in _TOLD_BY if names.fullmatch(phrase)]
    return bool(told) and re.search(told[0], folded) is not None


_TOLD_BY: Final = tuple((re.compile(f"{zh}|{en}"), en, told) for zh, en, told in _ROWS)
