"""Rows that other rules have indexed, and indexing them anew: same row id, same place, other terms."""

from __future__ import annotations

from shared.engines.sqlite.connections import Row
from shared.engines.sqlite.episodes import read_episodes_by_rows
from shared.engines.sqlite.memories import read_memories_by_rows
from shared.engines.sqlite.records import RawRows, pack_record, unpack_records, unpack_terms
from shared.engines.sqlite.search import index_row, unindex_row
from shared.engines.sqlite.view import View
from shared.model.memory import Episode, Memory
from shared.model.recall import RowRecord
from shared.ports.reindex import OutdatedRow

SELECT_OUTDATED = """
SELECT row_id, record FROM search_rows
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND row_id > :after AND version <> :version
ORDER BY row_id LIMIT :limit
"""
SELECT_ROW = """
SELECT kind, target_id, record, terms FROM search_rows
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND row_id = :row_id
"""
SET_VERSION = """
UPDATE search_rows SET version = :version
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND row_id = :row_id
"""
NOTE_INDEXED = """
UPDATE scopes SET index_version = :version WHERE tenant_id = :tenant_id AND scope_id = :scope_id
"""


class IndexReads:
    """The part of a reader that knows by which rules rows were indexed."""

    _view: View

    def outdated_rows(self, *, version: int, after: int, limit: int) -> list[OutdatedRow]:
        view = self._view
        found = view.all(SELECT_OUTDATED, version=version, after=after, limit=limit)
        if not found:
            return []
        ids = [row_id for row_id, _ in found]
        rows: dict[int, Memory | Episode] = {**read_episodes_by_rows(view, ids)}
        rows |= read_memories_by_rows(view, ids)
        raw = view.open_rows(found, _unpack, table="search_rows")
        days = {int(each.row_ids[0]): int(each.day[0]) for each in raw}
        return [OutdatedRow(each, rows[each], days[each]) for each in ids if each in rows and each in days]


class IndexWrites(IndexReads):
    """The part of a writer that indexes rows anew."""

    def reindex_row(self, row_id: int, record: RowRecord, *, version: int) -> bool:
        view = self._view
        found = view.one(SELECT_ROW, row_id=row_id)
        if found is None:
            return False
        kind, target_id, sealed, sealed_terms = found
        raw = _unpack(view, (row_id, sealed))
        place = (int(raw.session_no[0]), int(raw.seq[0]))
        packed = pack_record(record, session_no=place[0], seq=place[1])
        terms = view.open_row((row_id, sealed_terms), _terms, table="search_rows")
        is_other = packed != view.sealer.open(sealed, f"search_rows:{row_id}:record") or terms != (
            record.terms,
            record.date_terms,
        )
        if is_other:
            unindex_row(view, row_id)
            index_row(view, record, kind=kind, target_id=target_id, place=place, row_id=row_id)
        view.run(SET_VERSION, row_id=row_id, version=version)
        return is_other

    def note_indexed(self, version: int) -> None:
        self._view.run(NOTE_INDEXED, version=version)


def _terms(view: View, row: Row) -> tuple[tuple[str, ...], ...]:
    row_id, sealed = row
    return tuple(map(tuple, unpack_terms(view.sealer.open(sealed, f"search_rows:{row_id}:terms"))))


def _unpack(view: View, row: Row) -> RawRows:
    row_id, sealed = row
    packed = view.sealer.open(sealed, f"search_rows:{row_id}:record")
    return unpack_records([row_id], [packed], speakers=())
