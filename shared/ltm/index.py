"""What the index keeps of a row, and when two texts are the same text. Pure.

A row's own terms and the days it mentions are decided once, when it is written; relative days
(昨天, last Friday) resolve against the day on which the words were said, in the user's zone.
"""

from __future__ import annotations

import re
from datetime import datetime
from typing import Final

from shared.language.dates import find_dates, has_time_expression
from shared.language.scripts import fold
from shared.language.terms import TERMS_VERSION, row_terms
from shared.model.recall import RowRecord

RECORD_VERSION: Final = 2
"""Raised by a change of what `describe_row` notes of a row beside its terms."""

INDEX_VERSION: Final = 1_000 * TERMS_VERSION + RECORD_VERSION
"""The rules that index a row; rows of other rules are indexed anew (`ltm/reindex`)."""

MAX_INDEXED_CHARS = 20_000
_MAX_MENTIONS = 64
_SPACES = re.compile(r"\s+")
_EDGES = " .。!！?？,，;；:：、~～\"'“”‘’"


def describe_row(text: str, *, speaker: str, said_at: datetime) -> RowRecord:
    """Return the record of a row; `said_at` is an aware time in the user's zone.

    Only the first 20,000 characters are indexed: past that a text is a document or a tool's output.
    """
    text = text[:MAX_INDEXED_CHARS]
    day = said_at.date()
    spans = find_dates(text, today=day)[:_MAX_MENTIONS]
    return RowRecord(
        terms=tuple(row_terms(text)),
        date_terms=(),
        day=day.toordinal(),
        mentions=tuple((span.start.toordinal(), span.end.toordinal()) for span in spans),
        speaker=speaker,
        ends_with_question=text.rstrip(" \n\"'”’").endswith(("?", "？")),
        has_time_expression=has_time_expression(text),
    )


def normal_text(text: str) -> str:
    """Return the form in which two texts count as the same: folded, spaces joined, edges bare.

    Example: `记住我叫岚。` and `记住我叫岚`, `Lives in Oslo.` and `lives  in oslo`.
    """
    return _SPACES.sub(" ", fold(text)).strip(_EDGES)
