"""The blind index: rows in and out, the arrays of a scope, postings.

The index holds keyed hashes only. Postings are read through `fts5vocab` and kept to the scope's own
rows; SQLite's own ranking would count other users' rows. A row is taken out with exactly the words it
was put in with, so that none of its hashes stays behind.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence

import apsw
import numpy as np

from shared.engines.sqlite import postings
from shared.engines.sqlite.blocks import read_rows, rows_without
from shared.engines.sqlite.connections import Row
from shared.engines.sqlite.records import (
    join_rows,
    pack_record,
    pack_terms,
    text_of_terms,
    unpack_terms,
)
from shared.engines.sqlite.scope_rows import KeptRows, OrderedRows, order_rows, sort_rows
from shared.engines.sqlite.view import View
from shared.ltm.index import INDEX_VERSION
from shared.model.recall import Postings, RowRecord, ScopeRows

NEXT_ROW = "UPDATE row_counter SET newest = newest + 1 /* all scopes: no id comes twice */ RETURNING newest"
INSERT_ROW = """
INSERT INTO search_rows (tenant_id, scope_id, row_id, kind, target_id, record, terms, version)
VALUES (:tenant_id, :scope_id, :row_id, :kind, :target_id, :record, :terms, :version)
"""
SELECT_TERMS = """
SELECT terms FROM search_rows WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND row_id = :row_id
"""
DELETE_ROW = (
    "DELETE FROM search_rows WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND row_id = :row_id"
)
NOTE_NEWEST_ROW = (
    "UPDATE scopes SET newest_row = :row_id WHERE tenant_id = :tenant_id AND scope_id = :scope_id"
)
NOTE_EDIT = "UPDATE scopes SET edits = edits + 1 WHERE tenant_id = :tenant_id AND scope_id = :scope_id"
SELECT_STATE = "SELECT edits, newest_row FROM scopes WHERE tenant_id = :tenant_id AND scope_id = :scope_id"
SELECT_TERMS_OF = """
SELECT r.row_id, r.terms FROM json_each(:row_ids) AS asked
CROSS JOIN search_rows AS r
  ON r.tenant_id = :tenant_id AND r.scope_id = :scope_id AND r.row_id = asked.value
"""
SELECT_EXPIRED = """
SELECT row_id FROM memories
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND expires_at_ms <= :now_ms AND row_id IS NOT NULL
"""
SELECT_INDEXED = "SELECT term FROM search_terms WHERE doc = :row_id ORDER BY offset"
MERGE_SLICE = "INSERT INTO search_index (search_index, rank) VALUES ('merge', :pages)"
INSERT_INDEXED = "INSERT INTO search_index (rowid, terms) VALUES (:row_id, :terms)"
DELETE_INDEXED = "INSERT INTO search_index (search_index, rowid, terms) VALUES ('delete', :row_id, :terms)"

_SLICE_PAGES = 32


def index_row(
    view: View,
    record: RowRecord,
    *,
    kind: str,
    target_id: str,
    place: tuple[int, int],
    row_id: int | None = None,
) -> int:
    """Put a row into the index and return its id, a new one unless `row_id` is given.

    `kind` is `e` (episode) or `m` (memory). `place` is the number of its session (0 for a memory) and its
    place there.
    """
    number = int(view.connection.execute(NEXT_ROW).get) if row_id is None else row_id
    session_no, seq = place
    packed = pack_record(record, session_no=session_no, seq=seq)
    view.run(
        INSERT_ROW,
        row_id=number,
        kind=kind,
        target_id=target_id,
        version=INDEX_VERSION,
        record=view.sealer.seal(packed, f"search_rows:{number}:record"),
        terms=view.sealer.seal(pack_terms(record.terms, record.date_terms), f"search_rows:{number}:terms"),
    )
    hashes = _hash_terms(view, (*record.terms, *record.date_terms))
    view.connection.execute(INSERT_INDEXED, {"row_id": number, "terms": hashes})
    if row_id is None:
        view.run(NOTE_NEWEST_ROW, row_id=number)
    else:
        view.run(NOTE_EDIT)
    view.ordered = None
    return number


def unindex_row(view: View, row_id: int) -> None:
    """Take a row out of the index, with every trace of its terms."""
    found = view.one(SELECT_TERMS, row_id=row_id)
    if found is None:
        return
    opened = view.open_row((row_id, found[0]), _open_terms, table="search_rows")
    if opened is None:  # the index itself knows them too, and is asked only then: that reads all of it
        hashes = " ".join([term for (term,) in view.connection.execute(SELECT_INDEXED, {"row_id": row_id})])
    else:
        terms, date_terms = unpack_terms(opened[1])
        hashes = _hash_terms(view, (*terms, *date_terms))
    view.connection.execute(DELETE_INDEXED, {"row_id": row_id, "terms": hashes})
    view.run(DELETE_ROW, row_id=row_id)
    view.run(NOTE_EDIT)
    view.ordered = None


def _open_terms(view: View, row: Row) -> tuple[int, bytes]:
    row_id, sealed = row
    return row_id, view.sealer.open(sealed, f"search_rows:{row_id}:terms")


def merge_slice(connection: apsw.Connection) -> bool:
    """Merge up to 32 pages of the index's segments; False where there is nothing (more) to merge.

    A term is looked for in every segment: 17 of them make a lookup three times as dear as one does.
    """
    before = connection.total_changes()
    connection.execute(MERGE_SLICE, {"pages": _SLICE_PAGES})
    return connection.total_changes() - before > 1


def read_scope_rows(view: View) -> ScopeRows:
    """Return the arrays of the scope, expired rows left out."""
    return _ordered(view).rows


def read_postings(view: View, terms: Collection[str], *, budget: int | None = None) -> Postings:
    """Return the postings of the terms, positions into `read_scope_rows` of the same view."""
    return postings.read_postings(view, terms, ordered=_ordered(view), budget=budget)


def find_rows_with_character(view: View, character: str) -> list[int]:
    """Return the ids of living rows one of whose words holds `character`."""
    living = _ordered(view).sorted_ids
    asked = living[~np.isin(living, rows_without(view, character))]
    found = view.all(SELECT_TERMS_OF, row_ids=json.dumps(asked.tolist()))
    opened = view.open_rows(found, _open_terms, table="search_rows")
    return [row_id for row_id, packed in opened if character in text_of_terms(packed)]


def _hash_terms(view: View, terms: Sequence[str]) -> str:
    blind = view.sealer.blind
    return " ".join([blind(term) for term in terms])


def _ordered(view: View) -> OrderedRows:
    if view.ordered is None:
        view.ordered = _load(view)
    return view.ordered


def _load(view: View) -> OrderedRows:
    """Return the ordered rows of this view, from the cache as far as it is true for the view."""
    state = view.one(SELECT_STATE) if view.writes else view.state[1:3]
    edits, newest_row = (0, 0) if state is None else state
    expired = frozenset(row_id for (row_id,) in view.all(SELECT_EXPIRED, now_ms=view.now_ms))
    name = (view.scope.tenant_id, view.scope.scope_id)
    kept = view.cache.get(name)
    if kept is not None and (kept.edits != edits or kept.newest_row > newest_row):
        kept = None
    if kept is not None and kept.newest_row == newest_row and kept.expired == expired:
        return kept.ordered
    if kept is None:
        raw = sort_rows(read_rows(view, after=0, speakers=()))
    elif kept.newest_row == newest_row:
        raw = kept.raw
    else:
        newer = read_rows(view, after=kept.newest_row, speakers=kept.raw.speakers)
        raw = sort_rows(join_rows([kept.raw, newer]))
    ordered = order_rows(raw, without=expired)
    if not view.writes:
        view.cache.put(name, KeptRows(edits, newest_row, raw, expired, ordered))
    return ordered
