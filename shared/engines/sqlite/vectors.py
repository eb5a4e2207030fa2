"""Vectors of meaning: sealed, a byte a number, and in memory as one matrix of a scope.

A vector goes with its row: a trigger of the schema takes it whenever the row leaves the index or gets other
words. What is kept in memory is true for the scope's `edits`; vectors of rows that came since are added.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

import numpy as np

from shared.engines.sqlite.connections import Row
from shared.engines.sqlite.scope_rows import KeptVectors
from shared.engines.sqlite.search import NOTE_EDIT
from shared.engines.sqlite.view import View
from shared.model.meaning import RowMeaning, RowVectors

MOST_ROWS = 30_000
_HEAD = struct.Struct("<Bf")
_HAN = 1
_LARGEST = 127

SELECT_EMBEDDED = """
SELECT model, edits, newest_row FROM embedded WHERE tenant_id = :tenant_id AND scope_id = :scope_id
"""
# Along the primary key, newest first; two models stand side by side only while one replaces the other.
SELECT_VECTORS = """
SELECT row_id, vector FROM vectors
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND row_id > :after AND model = :model
ORDER BY row_id DESC LIMIT :limit
"""
SELECT_MISSING = """
SELECT row_id FROM search_rows AS r
WHERE r.tenant_id = :tenant_id AND r.scope_id = :scope_id AND r.row_id > :after
  AND NOT EXISTS (
    SELECT 1 FROM vectors AS v
    WHERE v.tenant_id = :tenant_id AND v.scope_id = :scope_id AND v.row_id = r.row_id AND v.model = :model)
ORDER BY r.row_id LIMIT :limit
"""
INSERT_VECTOR = """
INSERT OR REPLACE INTO vectors (tenant_id, scope_id, model, row_id, vector)
SELECT tenant_id, scope_id, :model, row_id, :vector FROM search_rows
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND row_id = :row_id
"""
DELETE_FORMER = """
DELETE FROM vectors WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND model <> :model
"""
DELETE_FORMER_NOTES = """
DELETE FROM embedded WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND model <> :model
"""
WRITE_NOTE = """
INSERT OR REPLACE INTO embedded (tenant_id, scope_id, model, edits, newest_row)
SELECT tenant_id, scope_id, :model, edits, newest_row FROM scopes
WHERE tenant_id = :tenant_id AND scope_id = :scope_id
"""


class VectorReads:
    """The part of a reader that knows of vectors."""

    _view: View

    def embedded_model(self, wanted: str) -> str | None:
        models = [model for model, _, _ in self._view.all(SELECT_EMBEDDED)]
        return wanted if wanted in models else next(iter(models), None)

    def row_vectors(self, model: str, *, width: int) -> RowVectors:
        view = self._view
        name, edits = (view.scope.tenant_id, view.scope.scope_id), view.state.edits
        kept = view.cache.vectors.get(name)
        if kept is not None and (kept.model, kept.edits, kept.vectors.values.shape[1]) != (
            model,
            edits,
            width,
        ):
            kept = None
        after = int(kept.vectors.row_ids[-1]) if kept is not None and len(kept.vectors) else 0
        fresh = _read_vectors(view, model, after=after, width=width)
        if kept is not None and not len(fresh):
            return kept.vectors
        vectors = fresh if kept is None else _joined(kept.vectors, fresh)
        if not view.writes:
            size = vectors.values.nbytes + vectors.row_ids.nbytes
            view.cache.vectors.put(name, KeptVectors(model, edits, vectors), size=size)
        return vectors

    def rows_to_embed(self, model: str, *, after: int, limit: int) -> list[int]:
        found = self._view.all(SELECT_MISSING, model=model, after=after, limit=limit)
        return [row_id for (row_id,) in found]

    def embedded_to(self, model: str) -> int:
        for noted, edits, newest_row in self._view.all(SELECT_EMBEDDED):
            if noted == model and edits == self._view.state.edits:
                return int(newest_row)
        return 0

    def row_edits(self) -> int:
        return self._view.state.edits


class VectorWrites(VectorReads):
    """The part of a writer that keeps vectors."""

    def put_vectors(self, model: str, meanings: Sequence[RowMeaning]) -> None:
        view = self._view
        newest = view.all(SELECT_VECTORS, model=model, after=0, limit=1)
        for meaning in meanings:
            sealed = view.sealer.seal(_pack(meaning), _context(meaning.row_id, model))
            view.run(INSERT_VECTOR, model=model, row_id=meaning.row_id, vector=sealed)
        if newest and any(meaning.row_id <= newest[0][0] for meaning in meanings):
            view.run(NOTE_EDIT)  # who keeps vectors only looks for those of newer rows

    def note_embedded(self, model: str) -> None:
        if self._view.run(DELETE_FORMER, model=model):
            self._view.run(NOTE_EDIT)  # so that nobody keeps them
        self._view.run(DELETE_FORMER_NOTES, model=model)
        self._view.run(WRITE_NOTE, model=model)


def _context(row_id: int, model: str) -> str:
    return f"vectors:{row_id}:{model}"


def _pack(meaning: RowMeaning) -> bytes:
    """Return a vector as whole numbers from -127 to 127 and what they are to be multiplied by."""
    largest = float(np.abs(meaning.vector).max(initial=0.0))
    scale = largest / _LARGEST
    numbers = np.rint(meaning.vector / (scale or 1.0)).astype(np.int8)
    packed: bytes = _HEAD.pack(_HAN * meaning.is_han, scale) + numbers.tobytes()
    return packed


def _read_vectors(view: View, model: str, *, after: int, width: int) -> RowVectors:
    """Return the vectors of rows after one, `width` wide; one of another width says nothing (zeros)."""
    found = view.all(SELECT_VECTORS, model=model, after=after, limit=MOST_ROWS)[::-1]

    def unseal(view: View, row: Row) -> bytes:
        row_id, sealed = row
        return view.sealer.open(sealed, _context(row_id, model))

    packed = [view.open_row(row, unseal, table="vectors") or b"" for row in found]
    form = np.dtype([("flags", "u1"), ("scale", "<f4"), ("numbers", "i1", (width,))])
    blank = bytes(form.itemsize)
    raw = np.frombuffer(
        b"".join([each if len(each) == form.itemsize else blank for each in packed]), dtype=form
    )
    values = raw["numbers"].astype(np.float32) * raw["scale"][:, None]
    row_ids = np.array([row_id for row_id, _ in found], dtype=np.int64)
    return RowVectors(row_ids, values, raw["flags"] == _HAN)


def _joined(kept: RowVectors, fresh: RowVectors) -> RowVectors:
    return RowVectors(
        np.concatenate([kept.row_ids, fresh.row_ids])[-MOST_ROWS:],
        np.concatenate([kept.values, fresh.values])[-MOST_ROWS:],
        np.concatenate([kept.is_han, fresh.is_han])[-MOST_ROWS:],
    )
