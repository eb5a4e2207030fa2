"""What long-term memory tells of the rules that indexed a scope's rows, and how it indexes them anew."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from shared.model.memory import Episode, Memory
from shared.model.recall import RowRecord


class OutdatedRow(NamedTuple):
    """A row that other rules have indexed; `day` is the ordinal of its day in the user's zone, 0 for none."""

    row_id: int
    row: Memory | Episode
    day: int


class IndexReader(Protocol):
    """Reads of one scope, on one consistent view."""

    def outdated_rows(self, *, version: int, after: int, limit: int) -> list[OutdatedRow]:
        """Return rows after a row id that rules of another version have indexed, by their ids."""


class IndexWriter(IndexReader, Protocol):
    """Writes of one scope, inside one transaction."""

    def reindex_row(self, row_id: int, record: RowRecord, *, version: int) -> bool:
        """Index a row anew in its place; True where that changed anything but its version.

        A row takes some 2 ms of the write lock.
        """

    def note_indexed(self, version: int) -> None:
        """Note that all rows of the scope were indexed by rules of this version."""
