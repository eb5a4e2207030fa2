"""The card of confirmed fields in the prompt's head: label and value, by priority. Pure.

It never holds a whole document: a long value is cut, since whoever needs all of it reads the field. Of a long
list the newest items stand. A field of high or low priority says so. The same fields give the same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from shared.ltm.field_values import show_value
from shared.ltm.schema import Schema
from shared.ltm.schema_path import PRIORITY_ORDER, Priority, SchemaPath
from shared.model.memory import FieldVersion
from shared.prompts.load import Language

MAX_VALUE_CHARS: Final = 160
"""What of a value stands in the card."""

_MARKS: Final[dict[Language, dict[Priority, str]]] = {
    "zh": {"high": "[重要] ", "normal": "", "low": "[次要] "},
    "en": {"high": "[important] ", "normal": "", "low": "[minor] "},
}
_EARLIER: Final[dict[Language, str]] = {"zh": "（更早的 {} 项从略）", "en": "({} earlier left out) "}
_CUT: Final[dict[Language, str]] = {"zh": "…（共 {} 字）", "en": "… ({} characters in all)"}


def field_card(fields: Sequence[FieldVersion], *, schema: Schema, language: Language) -> tuple[str, ...]:
    """Return a line for each field, those of high priority first: `[重要] 预算上限：500,000`."""
    rows = [(schema.find(field.path).priority, field) for field in fields]
    rows.sort(key=lambda row: PRIORITY_ORDER[row[0]])
    return tuple(
        _MARKS[language][priority] + _line(field, schema=schema, language=language, most=MAX_VALUE_CHARS)
        for priority, field in rows
    )


def field_lines(fields: Sequence[FieldVersion], *, schema: Schema, language: Language) -> tuple[str, ...]:
    """Return a line for each field with its label and its whole value, in the fields' order."""
    return tuple(_line(field, schema=schema, language=language, most=None) for field in fields)


def _line(field: FieldVersion, *, schema: Schema, language: Language, most: int | None) -> str:
    path = schema.find(field.path)
    colon = "：" if language == "zh" else ": "
    value = show_value(path, field.value, language=language)
    if most is not None and len(value) > most:
        value = _newest_items(path, field.value, language=language, most=most) or (
            value[:most].rstrip() + _CUT[language].replace("{}", f"{len(value):,}")
        )
    return f"{path.label(language)}{colon}{value}"


def _newest_items(path: SchemaPath, value: Any, *, language: Language, most: int) -> str:
    """Return the newest items of a list that fit, behind how many came before; empty where none fits."""
    items = value if isinstance(value, list | tuple) else ()
    for left_out in range(1, len(items)):
        shown = show_value(path, items[left_out:], language=language)
        if len(shown) <= most:
            return _EARLIER[language].replace("{}", f"{left_out:,}") + shown
    return ""
