"""The one day or moment that fills a clause: 5月1日之前, 明天下午3点, "March 1 at 3:30 pm". Pure."""

from __future__ import annotations

import re
from datetime import date, tzinfo
from typing import Any, Final

from shared.extraction.assignment_words import AFTER_DATE, BEFORE_DATE
from shared.language.awaited_days import find_awaited_dates
from shared.language.clock_times import find_clock_time
from shared.ltm.field_values import in_zone, normalise_value
from shared.ltm.schema_path import SchemaPath

_EXACT: Final = re.compile(
    r"\s*(?P<moment>\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(?::\d\d(?:\.\d{1,6})?)?(?:[Zz]|[+-]\d\d:?\d\d)?)[\s。.!！]*"
)
"""As programs write it: 2027-03-01T15:30:00+08:00."""


def read_moment(text: str, folded: str, *, path: SchemaPath, today: date, zone: tzinfo | None) -> Any | None:
    """The normal form of the day or moment that a text is; None where it says anything else.

    Args:
        text: the words, as typed.
        folded: the same, folded to the same length.
        path: a field of type `date` or `datetime`.
        today: the day that relative dates are read against.
        zone: the zone of a moment that names none.

    Raises:
        InvalidInput: the words name no single day, or a moment without its clock time.
    """
    is_moment = path.type == "datetime"
    exact = _EXACT.fullmatch(text) if is_moment else None
    if exact is not None:
        return in_zone(normalise_value(path, exact["moment"], today=today), path, zone=zone)
    found = find_awaited_dates(text, today=today)
    if len(found) != 1:
        return None
    before, after = folded[: found[0].text_start], folded[found[0].text_end :]
    if is_moment:
        before, after = _without_clock(before), _without_clock(after)
    if not (BEFORE_DATE.fullmatch(before) and AFTER_DATE.fullmatch(after)):
        return None
    said = text if is_moment else found[0].quote
    return in_zone(normalise_value(path, said, today=today), path, zone=zone)


def _without_clock(folded: str) -> str:
    clock = find_clock_time(folded)
    return folded if clock is None else folded[: clock.start] + " " + folded[clock.end :]
