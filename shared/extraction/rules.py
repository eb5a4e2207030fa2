"""What rules find without a model: constraints, preferences and decisions in the user's own words. Pure.

The same gate judges them as judges a model. Values of fields are found and proposed in the turn itself. A clause
that hangs on the one before ("…, and never on Fridays", 周五也不要) or takes something out of it ("…, not Mongo",
不用Mongo) is one with it: alone it would say something else.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from shared.extraction.items import Item
from shared.extraction.kinds import DECIDES
from shared.extraction.support import content_units
from shared.model.memory import MemoryKind
from shared.model.message import Message
from shared.stm.clauses import Clause, split_clauses
from shared.stm.key_facts import lift_key_facts

CONFIDENCE = 0.7
MOST_ITEMS = 100
"""So many items of one message are judged, the last of it: each is held against the whole message."""
_LEAST_UNITS = 2
_MOST_CHARS = 240
_GRAVITY: Final[tuple[MemoryKind, ...]] = ("constraint", "decision", "preference")
"""Of clauses that are one, the gravest kind counts."""

_HANGS: Final = re.compile(
    r"\s*(?:(?:(?:and|but|or|nor)\s+)+(?:also\s+|even\s+|especially\s+)?(?:not|never|no|nothing|only|always|on|in|at|for|by|to|with|especially|definitely|ideally|preferably|after|before|if|when|unless)\b"
    r"|(?:also|especially|particularly|even)\s+(?:not|never|on|in|at|for|if|when)\b"
    r"|(?:但是?|而且|并且)(?:也|还|更)?(?:不|别|没|禁止|只|仅|在|周|每|对)|(?:或者?|以及|尤其是?|特别是|包括|也|还|更不)[^,，]|[^,，我你他她]{1,8}(?:也|都)(?:一样|不|别|是|要|得|行))"
)
"""A clause that leaves out what the one before it speaks of."""

_TAKES_OUT: Final = re.compile(
    r"\s*(?:not\b(?!\s+(?:sure|yet|that|because))|instead\s+of\b|rather\s+than\b|but\s+not\b|except\b|apart\s+from\b|unless\b|or\s+(?:on|in|at|to|for|with)\b|and\s+(?:also|not|never|only)\s+(?!(?:i|we|you)\b)"
    r"|而?(?:不是|并非)|而非|除了|除非|但不|(?:而且|并且)?(?:还|也)(?:要|得|必须|需)|尤其是?|特别是)"
)
_OTHER_CHOICE: Final = re.compile(r"\s*而?不(?:再|会)?(?:用|选|考虑|要|采用|走)[^,，]")
"""不用Mongo: behind a decision what was not chosen, elsewhere a prohibition of its own."""


_CONJUNCTION: Final = re.compile(
    r"^(?:(?:and|but|so|also)\s+|而且|并且|但是?(?!凡)|以及)[\s,，]*(?=.{4})", re.IGNORECASE
)


@dataclass(slots=True)
class _Found:
    """A stretch of clauses, from `first` to `last`, of one kind; its text begins at `start`."""

    first: int
    last: int
    kind: MemoryKind
    start: int


def rule_items(message: Message, *, number: int) -> list[Item]:
    """The items that rules find in a user's message, masked before; `number` is its place in the batch."""
    if message.role != "user":
        return []
    clauses = split_clauses(message.text)
    found = [*_lifted(message, clauses), *_decided(clauses)]
    whole: list[_Found] = []
    for each in sorted((_widen(each, clauses) for each in found), key=lambda each: (each.first, each.last)):
        if whole and each.first <= whole[-1].last:
            whole[-1].last = max(whole[-1].last, each.last)
            whole[-1].kind = min(whole[-1].kind, each.kind, key=_GRAVITY.index)
        else:
            whole.append(each)
    slices = ((message.text[each.start : clauses[each.last].end], each.kind) for each in whole)
    texts = [(_CONJUNCTION.sub("", text, count=1), kind) for text, kind in slices]
    items = [
        _item(text, number, kind=kind)
        for text, kind in texts
        if kind != "decision" or len(content_units(text)) >= _LEAST_UNITS
    ]
    distinct = {(item.kind, item.text): item for item in items}
    return list(distinct.values())[-MOST_ITEMS:]


def _lifted(message: Message, clauses: Sequence[Clause]) -> Iterator[_Found]:
    place = 0
    for fact in lift_key_facts(message):
        start = message.text.find(fact.text, place)
        if start < 0 or fact.kind == "value":
            continue
        place = start + len(fact.text)
        kind: MemoryKind = "preference" if fact.kind == "preference" else "constraint"
        first = max(bisect_right(clauses, start, key=lambda each: each.start) - 1, 0)
        last = max(bisect_right(clauses, place - 1, key=lambda each: each.start) - 1, first)
        yield _Found(first, last, kind, start)


def _decided(clauses: Sequence[Clause]) -> Iterator[_Found]:
    for index, clause in enumerate(clauses):
        if not clause.is_question and DECIDES.search(clause.folded):
            yield _Found(index, index, "decision", clause.start)


def _widen(found: _Found, clauses: Sequence[Clause]) -> _Found:
    """The stretch with the clause it hangs on, and those that take something out of it."""
    while found.first and _HANGS.match(clauses[found.first].folded) and _joins(found.first, clauses):
        if clauses[found.last].end - clauses[found.first - 1].start > _MOST_CHARS:
            break
        found.first -= 1
        found.start = clauses[found.first].start
    while found.last + 1 < len(clauses) and _joins(found.last + 1, clauses):
        folded = clauses[found.last + 1].folded
        is_choice = found.kind == "decision" and _OTHER_CHOICE.match(folded)
        if not (_TAKES_OUT.match(folded) or is_choice):
            break
        if clauses[found.last + 1].end - clauses[found.first].start > _MOST_CHARS:
            break
        found.last += 1
    return found


def _joins(index: int, clauses: Sequence[Clause]) -> bool:
    """True where a clause and the one before it are of one sentence, and neither asks."""
    before, after = clauses[index - 1], clauses[index]
    return before.sentence == after.sentence and not (before.is_question or after.is_question)


def _item(text: str, number: int, *, kind: MemoryKind) -> Item:
    return Item(
        op="remember",
        quote=text,
        kind=kind,
        value=text,
        text=text,
        message=number,
        confidence=CONFIDENCE,
        origin="rule",
    )
