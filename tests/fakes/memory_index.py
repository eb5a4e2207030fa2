"""Versions of indexed rows in a dictionary: a part of the fake of long-term memory."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from shared.ltm.index import INDEX_VERSION
from shared.model.recall import RowRecord
from shared.ports.reindex import OutdatedRow


@dataclass
class Row:
    """A row of the index: whose it is, where it stands, what the index knows of it."""

    target_id: str
    place: tuple[int, str, int, int]
    record: RowRecord
    version: int = INDEX_VERSION


class IndexReader:
    """Reads versions; the class that mixes it in has the scope's state in `_indexed`."""

    _indexed: Any
    rows: Any

    def outdated_rows(self, *, version: int, after: int, limit: int) -> list[OutdatedRow]:
        found = sorted(self._indexed.rows.items())
        ids = [row_id for row_id, row in found if row_id > after and row.version != version][:limit]
        return [
            OutdatedRow(row_id, row, self._indexed.rows[row_id].record.day)
            for row_id, row in self.rows(ids).items()
        ]


class IndexWriter(IndexReader):
    """Indexes rows anew."""

    def reindex_row(self, row_id: int, record: RowRecord, *, version: int) -> bool:
        row = self._indexed.rows.get(row_id)
        if row is None:
            return False
        is_other = row.record != record
        row.record, row.version = record, version
        return bool(is_other)

    def note_indexed(self, version: int) -> None:
        self._indexed.index_version = version
