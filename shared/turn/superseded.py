"""Key facts that no longer hold: what they told was superseded after it was said, and the user agreed. Pure.

我的预算是9000元, then 不对，是9500元 and a yes: the field's card tells what holds, and the first words stand
in the head no more. Invariant: only words that were said before the change go, and only where they tell the
old value and not the one that holds now; other facts of the same message stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from functools import cached_property
from typing import Any, Final

from shared.ids import made_at_ms
from shared.language.dates import find_dates
from shared.language.numbers import find_numbers
from shared.language.scripts import fold
from shared.ltm.index import normal_text
from shared.ltm.schema import Schema
from shared.model.memory import Ended, FieldVersion, Memory
from shared.model.session_state import KeyFact

ENDED_READ: Final = 100
"""As many as a turn's recall reads, so that they are read once."""

_LEAST_WORDS: Final = 4
_LEAST_DIGITS: Final = 6
"""Values of so many digits are the same however these are grouped: telephone numbers, order numbers."""

_EPOCH: Final = date(2000, 1, 1)


def drop_superseded(
    facts: Sequence[KeyFact], ended: Iterable[Ended], *, values: Mapping[str, Any], schema: Schema
) -> tuple[KeyFact, ...]:
    """Return the facts without those whose value, or whose words, something newer has taken the place of.

    `values` are the current fields' by path. A memory that ended and was followed by nothing takes no fact
    away: a tombstone does that. A value of a field does, also where an undo has left the field empty.
    """
    changes = [each for each in ended if each.newer is not None or isinstance(each.row, FieldVersion)]
    if not changes:
        return tuple(facts)
    newest = {normal_text(each.newer.text) for each in changes if isinstance(each.newer, Memory)}
    newest -= {normal_text(each.row.text) for each in changes if isinstance(each.row, Memory)}
    return tuple(
        fact
        for fact, told in ((fact, _Told(fact.text)) for fact in facts)
        if told.words in newest
        or not any(_took_place(each, fact, told=told, values=values, schema=schema) for each in changes)
    )


def former_words(ended: Iterable[Ended]) -> frozenset[str]:
    """Return the words, in their normal form, of memories that something newer has taken the place of."""
    rows = (each.row for each in ended if each.newer is not None)
    words = (normal_text(row.text) for row in rows if isinstance(row, Memory))
    return frozenset(each for each in words if len(each) >= _LEAST_WORDS)


@dataclass(frozen=True)
class _Told:
    """The words of a fact, and what they tell, read when it is first asked for."""

    text: str

    @cached_property
    def words(self) -> str:
        return normal_text(self.text)

    @cached_property
    def folded(self) -> str:
        return fold(self.text)

    @cached_property
    def digits(self) -> str:
        return _digits(self.text)

    @cached_property
    def numbers(self) -> frozenset[Decimal]:
        return frozenset(number.value for number in find_numbers(self.text))

    @cached_property
    def days(self) -> frozenset[tuple[int, int]]:
        return frozenset((day.start.month, day.start.day) for day in find_dates(self.text, today=_EPOCH))

    def tells(self, value: Any) -> bool:
        """Return whether the words tell a field's value."""
        if isinstance(value, bool) or not isinstance(value, int | float | Decimal | str):
            return False
        if not isinstance(value, str):
            return Decimal(str(value)) in self.numbers
        day = _day(value)
        if day is not None:
            return (day.month, day.day) in self.days
        digits = _digits(value)
        is_told = len(digits) >= _LEAST_DIGITS and len(digits) * 2 > len(value) and digits in self.digits
        return is_told or self.says(value)

    def says(self, value: str) -> bool:
        """Return whether the words hold a value; in Latin letters as a whole word (no S in "my size")."""
        folded = fold(value).strip()
        if not folded or not folded.isascii():
            return bool(folded) and normal_text(value) in self.words
        return re.search(rf"(?<![a-z0-9]){re.escape(folded)}(?![a-z0-9])", self.folded) is not None


def _took_place(
    each: Ended, fact: KeyFact, *, told: _Told, values: Mapping[str, Any], schema: Schema
) -> bool:
    if (made_at_ms(fact.message_id) or 0) >= each.until_ms:
        return False
    row = each.row
    if isinstance(row, Memory):
        said = normal_text(row.text)
        is_part = fact.message_id in row.source.message_ids and told.words in said
        return len(said) >= _LEAST_WORDS and (is_part or said in told.words)
    return _tells_old(row, told, now=values.get(row.path), schema=schema)


def _tells_old(row: FieldVersion, told: _Told, *, now: Any, schema: Schema) -> bool:
    """Return whether words tell a field's former value by its label, and not what it holds now."""
    if not told.tells(row.value) or told.tells(now):
        return False
    return any(span.path.path == row.path for span in schema.find_labels(told.text))


def _digits(text: str) -> str:
    return "".join(ch for ch in text if ch.isdecimal())


def _day(value: str) -> date | None:
    try:
        return date.fromisoformat(value[:10]) if value[4:5] == "-" else None
    except ValueError:
        return None
