"""Blocks: the records of many rows sealed as one piece, so that a scope is opened in a few strokes.

A scope's rows are read whole when a process meets it for the first time, and anew after a row has changed or
gone. Opening a record for every row takes 8 ms for 1,000 rows; of a block, 0.05 ms for 128. Derived: what no
block holds (the newest rows, those around a deleted one) is read row by row, and an archive packs it in time.
New rows make a small block, which joins the one before it unless that is larger by far: a scope has a few of
them, each row is packed a few times. Triggers of the schema take a block away with any of its rows.
"""

from __future__ import annotations

import json
import struct
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

from shared.engines.sqlite.connections import Row
from shared.engines.sqlite.records import RawRows, join_rows, rows_from, text_of_terms, unpack_records
from shared.engines.sqlite.sketches import SKETCH_BYTES, may_hold, sketch_of
from shared.engines.sqlite.view import View
from shared.errors import Missing
from shared.model.recall import LongArray

SELECT_RECORDS: Final = """
SELECT row_id, record FROM search_rows
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND row_id > :after AND row_id < :before
ORDER BY row_id LIMIT :limit
"""
SELECT_BLOCKS: Final = """
SELECT first_row, last_row, block FROM blocks
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND last_row > :after ORDER BY last_row
"""
SELECT_EDGES: Final = """
SELECT first_row, last_row FROM blocks
WHERE tenant_id = :tenant_id AND scope_id = :scope_id ORDER BY last_row
"""
SELECT_SOME: Final = """
SELECT row_id, record, terms FROM search_rows
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND row_id > :after AND row_id < :before
ORDER BY row_id LIMIT :limit
"""
SELECT_LAST_TWO: Final = """
SELECT first_row, last_row, block FROM blocks
WHERE tenant_id = :tenant_id AND scope_id = :scope_id ORDER BY last_row DESC LIMIT 2
"""
SELECT_LAST: Final = """
SELECT max(last_row) FROM blocks WHERE tenant_id = :tenant_id AND scope_id = :scope_id
"""
COUNT_NEWER: Final = """
SELECT count(*) FROM (
    SELECT 1 FROM search_rows
    WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND row_id > :after LIMIT :limit)
"""
DELETE_BLOCK: Final = """
DELETE FROM blocks WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND last_row = :last_row
"""
INSERT_BLOCK: Final = """
INSERT INTO blocks (tenant_id, scope_id, last_row, first_row, block)
VALUES (:tenant_id, :scope_id, :last_row, :first_row, :block)
"""

BLOCK_ROWS: Final = 32
_MOST_ROWS: Final = 1_024
_JOINED_BELOW: Final = 3
"""A block that is less than so many times as large as the next one becomes one with it."""
_LEAST_ROWS: Final = 16
_MOST_BLOCKS: Final = 8
_NO_END: Final = 1 << 62
_NOTHING: Final = unpack_records([], [], speakers=())
_HEAD: Final = struct.Struct("<BIII")
_FORM: Final = 2
_FORM_BYTE: Final = bytes([_FORM])
_COLUMNS: Final = (
    ("row_ids", "<i8"),
    ("session_no", "<i4"),
    ("seq", "<i4"),
    ("length", "<i4"),
    ("day", "<i4"),
    ("question", "?"),
    ("time", "?"),
    ("mentions", "<i4"),
    ("speaker", "<i4"),
)


class _Gap(NamedTuple):
    """Rows that no block holds: their ids lie between these two."""

    after: int
    before: int


def read_rows(view: View, *, after: int, speakers: tuple[str, ...]) -> RawRows:
    """Return the rows that came after one (0 for all); `speakers` are those known already."""
    parts: list[RawRows] = []
    place = after
    for first, last, sealed in view.all(SELECT_BLOCKS, after=after):
        packed = _open(view, sealed, context=_context(first, last))
        if packed is None:
            continue  # its rows are read with those that no block holds
        parts.append(_read_loose(view, _Gap(place, first), speakers=speakers))
        block = _unpack(packed, speakers=parts[-1].speakers)
        parts.append(rows_from(block, place + 1))
        speakers, place = block.speakers, last
    parts.append(_read_loose(view, _Gap(place, _NO_END), speakers=speakers))
    return join_rows([part for part in parts[:-1] if len(part.row_ids)] + parts[-1:])


def rows_without(view: View, character: str) -> LongArray:
    """Return the ids of rows whose terms cannot hold a character; of any other row nothing is known."""
    found = [_NOTHING.row_ids]
    for first, last, sealed in view.all(SELECT_BLOCKS, after=0):
        packed = _open(view, sealed, context=_context(first, last))
        if packed is not None:
            row_ids = _unpack(packed, speakers=()).row_ids
            found.append(row_ids[~may_hold(_sketches_of(packed), character)])
    return np.concatenate(found)


def pack_rows(view: View) -> None:
    """Pack rows that no block holds, up to 8 blocks of 1,024, once 32 new ones have come."""
    newest = view.one(SELECT_LAST)
    after = (newest and newest[0]) or 0
    counted = view.one(COUNT_NEWER, after=after, limit=BLOCK_ROWS)
    if counted is None or counted[0] < BLOCK_ROWS:
        return
    left = _MOST_BLOCKS
    for gap in list(_gaps(view)):
        place: int | None = gap.after
        while left and place is not None:
            place = _pack_some(view, _Gap(place, gap.before))
            left -= place is not None
    while _join_last(view):
        pass


def _pack_some(view: View, gap: _Gap) -> int | None:
    """Pack the first rows of a gap; return the last one's id, None where they are too few.

    One that does not open stays loose, with the rest of its gap: who archives reads none of them.
    """
    found = view.all(SELECT_SOME, after=gap.after, before=gap.before, limit=_MOST_ROWS)
    if len(found) < _LEAST_ROWS:
        return None
    try:
        rows = _unseal(view, [(row_id, record) for row_id, record, _ in found], speakers=())
        if len(rows.row_ids) < len(found):
            return None
        sketches = b"".join([_sketch(view, row_id, terms=terms) for row_id, _, terms in found])
    except Missing:
        return None
    _insert(view, rows, sketches=sketches)
    return int(found[-1][0])


def _sketch(view: View, row_id: int, *, terms: bytes) -> bytes:
    return sketch_of(text_of_terms(view.sealer.open(terms, f"search_rows:{row_id}:terms")))


def _insert(view: View, rows: RawRows, *, sketches: bytes) -> None:
    first, last = int(rows.row_ids[0]), int(rows.row_ids[-1])
    sealed = view.sealer.seal(_pack(rows, sketches), _context(first, last))
    view.run(INSERT_BLOCK, first_row=first, last_row=last, block=sealed)


def _join_last(view: View) -> bool:
    """Make one block of the last two, unless the first is much larger, or a row lies between them."""
    found = view.all(SELECT_LAST_TWO)
    pair = found[::-1]
    if not pair[1:] or len(pair[0][2]) >= _JOINED_BELOW * len(pair[1][2]):
        return False
    if view.all(SELECT_RECORDS, after=pair[0][1], before=pair[1][0], limit=1):
        return False
    opened = [_open(view, sealed, context=_context(first, last)) for first, last, sealed in pair]
    packed = [each for each in opened if each is not None]
    if len(packed) < len(pair) or sum(map(_count_of, packed)) > _MOST_ROWS:
        return False
    older = _unpack(packed[0], speakers=())
    rows = join_rows([older, _unpack(packed[1], speakers=older.speakers)])
    for _, last, _ in pair:
        view.run(DELETE_BLOCK, last_row=last)
    _insert(view, rows, sketches=b"".join(map(_sketches_of, packed)))
    return True


def _gaps(view: View) -> Iterator[_Gap]:
    place = 0
    for first, last in view.all(SELECT_EDGES):
        yield _Gap(place, first)
        place = last
    yield _Gap(place, _NO_END)


def _read_loose(view: View, gap: _Gap, *, speakers: tuple[str, ...]) -> RawRows:
    found = view.all(SELECT_RECORDS, after=gap.after, before=gap.before, limit=-1)
    return _unseal(view, found, speakers=speakers) if found else replace(_NOTHING, speakers=speakers)


def _unseal(view: View, found: Sequence[tuple[int, bytes]], *, speakers: tuple[str, ...]) -> RawRows:
    opened = view.open_rows(found, _record, table="search_rows")
    row_ids, packed = [row_id for row_id, _ in opened], [record for _, record in opened]
    return unpack_records(row_ids, packed, speakers=speakers)


def _record(view: View, row: Row) -> tuple[int, bytes]:
    row_id, sealed = row
    return row_id, view.sealer.open(sealed, f"search_rows:{row_id}:record")


def _open(view: View, sealed: bytes, *, context: str) -> bytes | None:
    """Return a block as it was packed; None for one that does not open or is of a form not known here."""
    try:
        packed = view.sealer.open(sealed, context)
    except Missing:
        return None
    return packed if packed[:1] == _FORM_BYTE else None


def _context(first: int, last: int) -> str:
    return f"blocks:{first}:{last}"


def _pack(rows: RawRows, sketches: bytes) -> bytes:
    names = json.dumps(rows.speakers, ensure_ascii=False).encode()
    columns = [getattr(rows, name).astype(kind).tobytes() for name, kind in _COLUMNS]
    head = _HEAD.pack(_FORM, len(rows.row_ids), len(rows.mention_days), len(names))
    content = b"".join([*columns, rows.mention_days.astype("<i4").tobytes(), names])
    return b"".join([head, sketches, zlib.compress(content, 1)])


def _count_of(packed: bytes) -> int:
    return int(_HEAD.unpack_from(packed)[1])


def _sketches_of(packed: bytes) -> bytes:
    return packed[_HEAD.size : _HEAD.size + SKETCH_BYTES * _count_of(packed)]


def _unpack(packed: bytes, *, speakers: tuple[str, ...]) -> RawRows:
    _, count, days, name_bytes = _HEAD.unpack_from(packed)
    content = zlib.decompress(memoryview(packed)[_HEAD.size + SKETCH_BYTES * count :])
    columns, place = {}, 0
    for name, kind, rows in (*((*column, count) for column in _COLUMNS), ("mention_days", "<i4", days)):
        columns[name] = np.frombuffer(content, dtype=kind, count=rows, offset=place)
        place += columns[name].nbytes
    numbers = {name: number for number, name in enumerate(speakers)}
    own = [numbers.setdefault(name, len(numbers)) for name in json.loads(content[place : place + name_bytes])]
    columns["speaker"] = np.array(own, dtype=np.int32)[columns["speaker"]]
    return RawRows(**columns, speakers=tuple(numbers))
