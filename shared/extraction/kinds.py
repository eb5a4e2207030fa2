"""Which kind of memory a statement is, by its own words; a model's word counts only where they say nothing. Pure.

A prohibition or requirement is a constraint, whoever calls it a preference; 定了, 就这样 and "let's go with"
make a decision; how the assistant is to answer (叫我小王, "keep answers short") is a preference. A decision
without such a word is a fact, a constraint without one too.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from datetime import date
from typing import Final

from shared.extraction.evidence_words import LIKES
from shared.extraction.polarity import plain
from shared.language.dates import find_dates
from shared.language.numbers import may_hold_number
from shared.model.memory import MemoryKind
from shared.stm.key_facts import kind_of_clause

_DAY: Final = date(2000, 1, 1)
DECIDES: Final = re.compile(
    r"定了|定下来?|敲定|拍板|决定|说好了|就这么(?:办|定)|就这样(?:定|吧|了)?|就(?:用|选|按|定|要|走)(?!不)|最后定|最终定|改成|改为|选定|确定用|以后都这么|(?<!不)采用|方案是|任务(?:完成|结束)|搞定了"
    r"|\b(?:let's (?:go with|use|take|stick with|settle on|do|print|book)|go(?:ing)? with|we(?:'ve| have)? (?:decided|agreed|settled|chose|picked)|i(?:'ve| have)? (?:decided|settled|chose|picked)|it's decided|final answer|decision:|that's settled|we'll (?:use|go|take)|i'll (?:take|go with))\b"
)
_DIET: Final = re.compile(
    r"过敏|忌口|不耐受|吃素|素食|清真|\ballerg(?:ic|y|ies)\b|\bintoleran(?:t|ce)\b|\b(?:vegetarian|vegan|halal|kosher)s?\b"
)
_BOUND: Final = re.compile(
    r"不(?:超过|低于|少于|多于|高于|短于|长于|早于|晚于|大于|小于)|至少|至多|最多|最少|最晚|最迟|最早|以内|之内|以下|以上|封顶"
    r"|\bat (?:most|least|the latest|the earliest)\b|\bno (?:more|less|fewer|later|earlier|sooner|shorter|longer|higher|lower) than\b"
    r"|\b(?:up to|within|under|below|not (?:over|above|under|exceed))\b|\bor (?:less|fewer|more|under|below)\b"
)
_TOLD: Final = re.compile(
    r"了|(?<!超)过(?!于)|已经|当时|昨|上[周月次]|\b(?:was|were|had|did|took|spent|went|got|paid|ran|walked|cost me|lasted|yesterday|ago)\b"
)
"""A bound in a story (跑了至少五公里, "it took at least an hour") binds nobody."""

_LEFT_OUT: Final = re.compile(
    r"^不(?![是知过然管论仅但同错好太会想必用要够少多超低高短长早晚大小在久对行客])[\u4e00-\u9fff]"
)
"""不拆承重墙, 不上夜班: what is not to be done, said without a subject."""


_FROM_NOW: Final = re.compile(
    r"^[\s,，]*(?:请|please )?(?:从(?:今天|现在|今)(?:起|开始|往后|以后)?|以后|今后|往后|从此(?:以后)?"
    r"|(?:from (?:now|here|today) on(?:wards?| out)?|from today|going forward|in (?:the )?future|henceforth)\b)[\s,，:：]*"
)
_COURTESY: Final = re.compile(
    r"(?:请|麻烦|你|您|都|一律|统一|全部|默认|(?:please|always|only|just|kindly|you (?:should|must|can|will)|(?:i'd|i would) like you to|i want you to)\s+)*"
)
_INSTRUCTS: Final = re.compile(
    r"(?:请|麻烦)?你?(?:回复|回答|称呼我|叫我|喊我|管我叫|用(?:[\u4e00-\u9fff]{1,3}[语文话]|中文)(?:来)?(?:回|答|说|跟|聊)|(?:跟我|和我)?[说讲](?:[\u4e00-\u9fff]{1,3}[语话]|[中英法德日韩]文)\s*$)"
    r"|我(?:想|想要|要|希望|需要)(?:让|请)?[你您](?:的)?(?:都|一律|总是|能)?(?:用|回答|回复|说|讲|叫|简|写)|我(?:想要?|要|希望|需要)(?:所有|收到)?的?(?:回答|回复)"
    r"|(?:please )?(?:keep (?:your |the |all )?(?:answers?|replies|responses)\b|(?:answer|reply|respond|speak|talk)(?: to me| with me)? (?:in|with|briefly)\b|speak [a-z]+ (?:to|with) me\b|call me\b|address me\b)"
    r"|(?:your |all |the )?(?:answers?|replies|responses) (?:in|should|must)\b"
    r"|i(?:'d| would)? (?:want|like|prefer|need|love) (?:you to (?:always )?(?:answer|reply|respond|speak|talk|write|call|use|keep|address)\b|(?:to (?:get|have|see) )?(?:your |all |the |my )?(?:answers?|replies|responses)\b)"
)
"""How the assistant is to answer, at the beginning of a statement."""

_ORDERS: Final = re.compile(
    r"(?:(?:所有|每次|给我|跟我|发我|发给我|报告|报表|邮件|文档|代码|文件|资料|通知|报价|价格|金额|日期|时间|数字|单位|的)*(?:都|一律|统一)?)(?:用(?![不得光完掉过心力])|使用|采用|改用|按|发到|发给|写成|输出|只用|先[给说讲列]|简短|简洁|精简|详细|保持|别|不要|不用|不许)"
    r"|(?:use|answer|reply|respond|write|send|speak|talk|format|give|show|keep|put|include|quote|express|don't|do not|never|stop|default|avoid|refer|treat|round|report|start|sign|address|call)\b"
)
"""What is to be done from now on: an order to whoever remembers, and no news (from now on I live alone)."""


def _instructs(folded: str) -> bool:
    lead = _FROM_NOW.match(folded)
    start = _COURTESY.match(folded, lead.end() if lead else 0)
    begin = start.end() if start else 0
    return _INSTRUCTS.match(folded, begin) is not None or bool(lead and _ORDERS.match(folded, begin))


def settle_kind(claimed: MemoryKind, words: str) -> MemoryKind:
    """The kind of a statement; `words` are the user's, the clause whole."""
    folded = plain(words)
    cue = kind_of_clause(folded)
    if cue in {"prohibition", "requirement"} or _DIET.search(folded) or _binds(folded):
        return "constraint"
    if DECIDES.search(folded):
        return "decision"
    if cue == "preference" or LIKES.search(folded) or _instructs(folded):
        return "preference"
    if claimed in {"constraint", "decision"}:
        return "fact"
    return "fact" if claimed == "event" and not find_dates(words, today=_DAY) else claimed


def _binds(folded: str) -> bool:
    """True for a bound on a number, or for what is not to be done."""
    if _LEFT_OUT.search(folded):
        return True
    return bool(_BOUND.search(folded)) and may_hold_number(folded) and not _TOLD.search(folded)
