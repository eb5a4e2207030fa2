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


_INSTRUCTS: Final = re.compile(
    r"^(?:请|麻烦)?你?(?:回复|回答|称呼我|叫我|管我叫|用(?:中文|英文|英语|粤语|普通话)(?:来)?(?:回|答|说|跟))"
    r"|^(?:please )?(?:keep (?:your |the |all )?(?:answers?|replies)\b|(?:answer|reply|respond|speak)(?: to me)? (?:in|with|briefly)\b|call me\b|address me\b)"
)


def settle_kind(claimed: MemoryKind, words: str) -> MemoryKind:
    """The kind of a statement; `words` are the user's, the clause whole."""
    folded = plain(words)
    cue = kind_of_clause(folded)
    if cue in {"prohibition", "requirement"} or _DIET.search(folded) or _binds(folded):
        return "constraint"
    if DECIDES.search(folded):
        return "decision"
    if cue == "preference" or LIKES.search(folded) or _INSTRUCTS.search(folded):
        return "preference"
    if claimed in {"constraint", "decision"}:
        return "fact"
    return "fact" if claimed == "event" and not find_dates(words, today=_DAY) else claimed


def _binds(folded: str) -> bool:
    """True for a bound on a number, or for what is not to be done."""
    if _LEFT_OUT.search(folded):
        return True
    return bool(_BOUND.search(folded)) and may_hold_number(folded) and not _TOLD.search(folded)
