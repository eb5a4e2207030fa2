"""Which fields and memories came from a session that the user has deleted since: they stay, and say so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from shared.model.memory import Episode, FieldVersion, Memory
from shared.ports.ltm import LtmReader

Row = TypeVar("Row", FieldVersion, Memory, Memory | Episode)


def name_deleted(reader: LtmReader, rows: Sequence[Row]) -> list[Row]:
    """Return the rows; the source of those whose session was deleted after they came says so.

    A session under the same id that began after the deletion is another one.
    """
    ids = {row.source.session_id for row in rows if not isinstance(row, Episode) and row.source.session_id}
    deleted = reader.deleted_sessions(ids) if ids else {}
    return [_named(row, deleted) for row in rows] if deleted else list(rows)


def _named(row: Row, deleted: dict[str, int]) -> Row:
    if isinstance(row, Episode):
        return row
    since_ms = row.valid_from_ms if isinstance(row, FieldVersion) else row.created_at_ms
    if since_ms > deleted.get(row.source.session_id or "", -1):
        return row
    source = row.source.model_copy(update={"is_deleted": True})
    return row.model_copy(update={"source": source})
