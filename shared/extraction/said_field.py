"""The field that a memory's own words give a value: 预算上限是50万 / "my email is dev@abc.com".

Such a memory is derived from the field: what sets the field to something else supersedes it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, tzinfo
from typing import Any

from shared.extraction.statements import find_statements
from shared.ltm.schema import Schema


@dataclass(frozen=True, slots=True)
class SaidField:
    """A path and its value, both None where the words name no field or more than one."""

    path: str | None = None
    value: Any = None


def said_field(text: str, *, schema: Schema, today: date, zone: tzinfo | None = None) -> SaidField:
    """The one field that a text gives a value; `today`, in the user's zone, dates what is relative."""
    said = find_statements(text, schema=schema, today=today, zone=zone)
    return SaidField(said[0].path, said[0].value) if len(said) == 1 else SaidField()
