"""Indexing a scope's rows anew when the rules of terms or records have changed, while searches go on.

A few rows a transaction, so that nobody waits for the write lock; each row is described from its own text as
it stands in that transaction, forgotten spans left out, and keeps its id and its day. A row bears the version
of the rules that indexed it: a run that was killed is taken up by the next one where it ended, and a run over
rows that are up to date changes nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from functools import partial
from typing import NamedTuple

from shared.ltm.archive import describe_said
from shared.ltm.index import describe_row
from shared.model.memory import Episode, Memory
from shared.model.moment import from_ms
from shared.model.recall import RowRecord
from shared.model.scope import Scope
from shared.ports.ltm import LongTermMemory, LtmWriter
from shared.ports.reindex import OutdatedRow

SLICE_ROWS = 20
SLICE_CHARS = 40_000
"""A slice ends once its texts are this long together, so that long ones do not hold the lock."""


class Reindexed(NamedTuple):
    """How many rows were looked at and changed, and whether all of the scope's are up to date now."""

    rows: int
    changed: int
    is_done: bool


class _Slice(NamedTuple):
    rows: int
    changed: int
    last: int


async def reindex_scope(scope: Scope, *, version: int, most_rows: int, ltm: LongTermMemory) -> Reindexed:
    """Index anew what rules of another version have indexed, at most about `most_rows` rows."""
    rows, changed, after = 0, 0, 0
    while rows < most_rows:
        done = await ltm.write(scope, partial(_reindex_slice, after=after, version=version))
        if not done.rows:
            return Reindexed(rows, changed, is_done=True)
        rows, changed, after = rows + done.rows, changed + done.changed, done.last
    return Reindexed(rows, changed, is_done=False)


def _reindex_slice(writer: LtmWriter, *, after: int, version: int) -> _Slice:
    found = writer.outdated_rows(version=version, after=after, limit=SLICE_ROWS)
    if not found:
        writer.note_indexed(version)
    names = [each.row.message.id for each in found if isinstance(each.row, Episode)]
    forgotten = writer.forgotten_spans(names) if names else {}
    rows = changed = chars = 0
    for each in found:
        if chars >= SLICE_CHARS:
            break
        record = _describe(each, forgotten)
        changed += writer.reindex_row(each.row_id, record, version=version)
        rows, after = rows + 1, each.row_id
        chars += len(each.row.text if isinstance(each.row, Memory) else each.row.message.text)
    return _Slice(rows, changed, after)


def _describe(outdated: OutdatedRow, forgotten: Mapping[str, tuple[str, ...]]) -> RowRecord:
    row = outdated.row
    if outdated.day > 0:
        # Noon of the user's own day: nothing but the day of the moment is read.
        said_at = datetime.combine(date.fromordinal(outdated.day), time(12), tzinfo=UTC)
    else:
        said_at = from_ms(row.created_at_ms if isinstance(row, Memory) else row.message.created_at_ms)
    if isinstance(row, Memory):
        return describe_row(row.text, speaker="user", said_at=said_at)
    return describe_said(row.message, said_at=said_at, forgotten=forgotten.get(row.message.id, ()))
