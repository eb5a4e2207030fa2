"""What is new of what was said, beside the other items, what waits, stands, or was rejected. Pure.

Two texts are compared by content words, numbers, days and polarity, never by likeness alone: 预算上限十万 and
预算上限二十万 are near, and two things. What says the same is dropped, what says more replaces it, what
contradicts it replaces it as a proposal from old to new. Of one answer the later statement holds. Nothing
is joined to one text: each row keeps its own words, days and sources.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any, Final, Literal

from shared.extraction.evidence import Grounded
from shared.extraction.evidence_checks import Reason
from shared.extraction.polarity import denies
from shared.extraction.support import (
    content_units,
    daytimes_in,
    digit_tokens,
    people_in,
    without_daytimes,
)
from shared.language.dates import find_dates
from shared.language.numbers import find_numbers
from shared.ltm.index import normal_text
from shared.ltm.slots import changes_mind, contradicts
from shared.ltm.tombstones import normal_value

Relation = Literal["same", "refines", "within", "contradicts", "other"]
Store = Literal["memory", "pending", "field", "tombstone"]

SAME_SHARE: Final = 0.75
"""Share of all content words of two texts that both have, from which they say the same."""

SLOT_SHARE: Final = 0.75
"""Share of the shorter text's content words in the longer one, from which they speak of one thing."""

MAX_READ_CHARS: Final = 1_000
_DAY: Final = date(2000, 1, 1)


@dataclass(frozen=True)
class Claim:
    """A text as it is compared; `path` and `value` for a field."""

    text: str
    path: str | None = None
    value: Any = None
    kind: str = "fact"

    @cached_property
    def read(self) -> str:
        """What is read of the text: its first 1,000 characters."""
        return self.text[:MAX_READ_CHARS]

    @cached_property
    def normal(self) -> str:
        return normal_text(self.text)

    @cached_property
    def units(self) -> frozenset[str]:
        return content_units(without_daytimes(self.read))

    @cached_property
    def numbers(self) -> frozenset[str]:
        numbers = frozenset(number.canonical for number in find_numbers(self.read))
        return numbers | digit_tokens(self.read) | daytimes_in(self.read)

    @cached_property
    def days(self) -> frozenset[tuple[date, date]]:
        return frozenset((day.start, day.end) for day in find_dates(self.read, today=_DAY))

    @cached_property
    def is_denied(self) -> bool:
        return denies(self.read)

    @cached_property
    def people(self) -> frozenset[str]:
        return people_in(self.read)


@dataclass(frozen=True)
class Known(Claim):
    """What is known already: where it stands, and its id there."""

    store: Store = "memory"
    id: str = ""


@dataclass(frozen=True, slots=True)
class Decision:
    """What becomes of an item: proposed (`reason` None; `replaces` is the row it would end), or dropped.

    `touches` is the row that says the same already.
    """

    grounded: Grounded
    reason: Reason | None = None
    replaces: Known | None = None
    touches: Known | None = None


def relate(new: Claim, old: Claim) -> Relation:
    """How a new claim stands to an old one; fields by path and value, texts by what they say."""
    if new.path is not None or old.path is not None:
        return _relate_fields(new, old)
    if new.normal == old.normal:
        return "same"
    return _relate_texts(new, old) if new.people == old.people else "other"


def _relate_texts(new: Claim, old: Claim) -> Relation:
    if contradicts(old.read, new.read, is_change=changes_mind(new.read)):
        return "contradicts"
    shared = len(new.units & old.units)
    smaller = min(len(new.units), len(old.units))
    if not shared or shared < SLOT_SHARE * smaller:
        return "other"
    if new.is_denied != old.is_denied:
        return "contradicts"
    if new.numbers != old.numbers or new.days != old.days:
        return _relate_values(new, old)
    return _relate_words(new, old, shared=shared)


def _relate_fields(new: Claim, old: Claim) -> Relation:
    if new.path != old.path:
        return "other"
    return "same" if normal_value(new.value) == normal_value(old.value) else "contradicts"


def _relate_values(new: Claim, old: Claim) -> Relation:
    """Two texts of one slot whose numbers or days differ: one may say more, else they contradict."""
    if new.numbers >= old.numbers and new.days >= old.days:
        return "refines" if new.units >= old.units else "other"
    if new.numbers <= old.numbers and new.days <= old.days:
        return "within" if new.units <= old.units else "other"
    if new.kind == "event" and new.numbers == old.numbers and not changes_mind(new.read):
        return "other"
    shared = len(new.units & old.units)
    return "contradicts" if shared >= SLOT_SHARE * max(len(new.units), len(old.units)) else "other"


def _relate_words(new: Claim, old: Claim, *, shared: int) -> Relation:
    if shared >= SAME_SHARE * len(new.units | old.units):
        return "same"
    if new.units > old.units:
        return "refines" if len(old.units) > 1 else "other"
    if new.units < old.units:
        return "within" if len(new.units) > 1 else "other"
    return "other"


def decide_items(found: Sequence[Grounded], known: Sequence[Known]) -> list[Decision]:
    """Return what becomes of each item, in the order in which they were said."""
    ordered = sorted(found, key=lambda each: (each.place, -len(each.text)))
    claims = [claim_of(each) for each in ordered]
    reasons = _among_themselves(ordered, claims)
    return [
        Decision(each, reason=reason) if reason is not None else _against_known(each, claim, known=known)
        for each, claim, reason in zip(ordered, claims, reasons, strict=True)
    ]


def claim_of(found: Grounded) -> Claim:
    """The claim that a grounded item makes."""
    item = found.item
    path = None if item.op == "remember" else item.path
    return Claim(found.text, path=path, value=found.value, kind=item.kind)


def _among_themselves(found: Sequence[Grounded], claims: Sequence[Claim]) -> list[Reason | None]:
    """Why each item gives way to another one of the same answer: the later, or the fuller one, holds."""
    reasons: list[Reason | None] = [None] * len(found)
    for later in range(len(found)):
        for earlier in range(later):
            if reasons[earlier] is not None or reasons[later] is not None:
                continue
            if found[earlier].item.op != found[later].item.op:
                continue
            if found[earlier].item.op == "append" and relate(claims[later], claims[earlier]) != "same":
                continue
            relation = relate(claims[later], claims[earlier])
            if relation in {"same", "within"}:
                reasons[later] = "duplicate"
            elif relation == "refines":
                reasons[earlier] = "duplicate"
            elif relation == "contradicts":
                reasons[earlier] = "contradicted"
    return reasons


def _against_known(found: Grounded, claim: Claim, *, known: Sequence[Known]) -> Decision:
    replaces: Known | None = None
    for row in known:
        relation = relate(claim, row)
        if relation == "other":
            continue
        if row.store == "tombstone":
            if relation in {"same", "within", "refines"}:
                return Decision(found, reason="tombstone")
            continue
        if relation in {"same", "within"}:
            return Decision(found, reason="duplicate", touches=row)
        if found.item.op != "append" and (replaces is None or row.store == "memory"):
            replaces = row
    return Decision(found, replaces=replaces)
