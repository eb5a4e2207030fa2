"""Where a field comes from, for a user who asks: quote, date, session. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from shared.extraction.sources import asked_sources
from shared.ltm.field_values import show_value
from shared.ltm.schema import Schema
from shared.model.memory import FieldVersion
from shared.model.moment import from_ms
from shared.prompts.load import Language, fill_prompt

MOST_SHOWN: Final = 5


def evidence_lines(
    text: str, fields: Sequence[FieldVersion], *, schema: Schema, language: Language, now: datetime
) -> list[str]:
    """Return a line of evidence for each field asked about; of all fields where the question names none."""
    asked = asked_sources(text, schema=schema)
    if asked is None:
        return []
    meant = [field for field in fields if field.path in asked] if asked else list(fields)
    return [_line(field, schema=schema, language=language, now=now) for field in meant[:MOST_SHOWN]]


def _line(field: FieldVersion, *, schema: Schema, language: Language, now: datetime) -> str:
    path = schema.find(field.path)
    colon = "：" if language == "zh" else ": "
    shown = f"{path.label(language)}{colon}{show_value(path, field.value, language=language)}"
    gaps = {
        "line": shown,
        "date": from_ms(field.valid_from_ms).astimezone(now.tzinfo).date().isoformat(),
        "session": field.source.session_id or "-",
        "quote": field.source.quote or "-",
    }
    return fill_prompt(language, "evidence", gaps=gaps)
