"""What a change comes to beside the value that stands: 预算加10万 makes 600,000 of 500,000. Pure.

The user has not said that number: it is asked about, with the old one and their words beside it.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from shared.extraction.statements import Statement
from shared.ports.ltm import LtmReader
from shared.turn.reading import Reading


def reckoned(reader: LtmReader, reading: Reading, *, today: date) -> Reading:
    """Return the reading with the values that its changes make of those which stand, as if they were said."""
    said = {each.path for each in reading.statements} | {each.path for each in reading.candidates}
    made: list[Statement] = []
    for each in reading.changed_by:
        standing = reader.field(each.path.path)
        if standing is None or each.path.path in said:
            continue
        value = each.applied_to(standing.value, today=today)
        if value is not None:
            made.append(Statement(each.path.path, value, each.quote, "change", each.start, each.end))
    return replace(reading, statements=(*reading.statements, *made)) if made else reading
