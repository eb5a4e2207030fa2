"""The rows of a scope as arrays, kept in the process between requests.

An entry is true for a scope's `edits` and its `newest_row`: rows that came are added to it, and it is
loaded anew once a row changed or went. The whole is bounded by rows; the scope used longest ago goes.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass

import numpy as np

from shared.engines.recent import RecentlyUsed
from shared.engines.sqlite.records import COLUMNS, RawRows
from shared.model.meaning import RowVectors
from shared.model.recall import IntArray, LongArray, ScopeRows

MOST_ROWS_KEPT = 1_000_000
MOST_VECTOR_BYTES = 64_000_000
_VECTORS_LIVE_SECONDS = 600.0
_FIRST_MEMORY = 1 << 30


@dataclass(frozen=True, slots=True, weakref_slot=True)
class OrderedRows:
    """`rows` in the order of (session, seq); `positions` of the ids in `sorted_ids`."""

    rows: ScopeRows
    sorted_ids: LongArray
    positions: IntArray


@dataclass(frozen=True, slots=True)
class KeptRows:
    """What the cache keeps of a scope: its rows, sorted; `expired` are those that `ordered` leaves out."""

    edits: int
    newest_row: int
    raw: RawRows
    expired: frozenset[int]
    ordered: OrderedRows


@dataclass(frozen=True, slots=True)
class KeptVectors:
    """The vectors of a scope by one model, true for its `edits`."""

    model: str
    edits: int
    vectors: RowVectors


class RowsCache:
    """Kept rows by (tenant, scope), bounded by the sum of their rows; beside them `vectors`, by bytes."""

    def __init__(self, *, most_rows: int = MOST_ROWS_KEPT) -> None:
        self._most_rows = most_rows
        self._rows = 0
        self._kept: OrderedDict[tuple[str, str], KeptRows] = OrderedDict()
        self._lock = threading.Lock()
        self.vectors: RecentlyUsed[KeptVectors] = RecentlyUsed(
            most_bytes=MOST_VECTOR_BYTES, lifetime_seconds=_VECTORS_LIVE_SECONDS
        )

    def get(self, name: tuple[str, str]) -> KeptRows | None:
        """Return what is kept of a scope, and note that it was used."""
        with self._lock:
            kept = self._kept.get(name)
            if kept is not None:
                self._kept.move_to_end(name)
            return kept

    def put(self, name: tuple[str, str], kept: KeptRows) -> None:
        """Keep `kept` in the place of what there was."""
        with self._lock:
            self._remove(name)
            self._kept[name] = kept
            self._rows += len(kept.raw.row_ids)
            while self._rows > self._most_rows and len(self._kept) > 1:
                self._remove(next(iter(self._kept)))

    def drop(self, name: tuple[str, str]) -> None:
        """Keep nothing of a scope."""
        self.vectors.drop(name)
        with self._lock:
            self._remove(name)

    def _remove(self, name: tuple[str, str]) -> None:
        gone = self._kept.pop(name, None)
        if gone is not None:
            self._rows -= len(gone.raw.row_ids)


def sort_rows(raw: RawRows) -> RawRows:
    """Return the rows in the order of (session, seq), memories by their ids after all sessions."""
    order = np.lexsort((raw.seq, _sessions_of(raw)))
    if (order[1:] > order[:-1]).all():
        return raw
    return _only(raw, order)


def order_rows(raw: RawRows, *, without: frozenset[int]) -> OrderedRows:
    """Return sorted rows as scoring reads them, those in `without` left out; all else shares its memory."""
    if without:
        left_out = np.fromiter(without, dtype=np.int64, count=len(without))
        raw = _only(raw, np.flatnonzero(~np.isin(raw.row_ids, left_out)))
    session = _sessions_of(raw)
    begins = np.ones(len(session), dtype=np.bool_)
    begins[1:] = session[1:] != session[:-1]
    offsets = np.zeros(len(session) + 1, dtype=np.int32)
    np.cumsum(raw.mentions, out=offsets[1:])
    rows = ScopeRows(
        row_ids=raw.row_ids,
        session=np.cumsum(begins, dtype=np.int32) - 1,
        seq=raw.seq,
        length=raw.length,
        day=raw.day,
        speaker=raw.speaker,
        ends_with_question=raw.question,
        has_time_expression=raw.time,
        mention_offsets=offsets,
        mention_start=raw.mention_days[::2],
        mention_end=raw.mention_days[1::2],
        speakers=raw.speakers,
    )
    by_id = np.argsort(raw.row_ids)
    is_sorted = bool((by_id[1:] > by_id[:-1]).all())
    return OrderedRows(rows, raw.row_ids if is_sorted else raw.row_ids[by_id], by_id.astype(np.int32))


def _sessions_of(raw: RawRows) -> LongArray:
    # A memory stands alone: no neighbours, and after all sessions.
    is_memory = raw.session_no == 0
    return np.where(is_memory, _FIRST_MEMORY + (raw.row_ids & (_FIRST_MEMORY - 1)), raw.session_no)


def _only(raw: RawRows, places: LongArray) -> RawRows:
    """Return the rows at some places, with their mentions."""
    begins = np.cumsum(raw.mentions, dtype=np.int64) - raw.mentions
    counts = raw.mentions[places]
    ends = np.cumsum(counts, dtype=np.int64)
    mentions = np.arange(ends[-1] if len(ends) else 0) + np.repeat(begins[places] - ends + counts, counts)
    columns = {name: getattr(raw, name)[places] for name in COLUMNS if name != "mention_days"}
    days = raw.mention_days.reshape(-1, 2)[mentions].ravel()
    return RawRows(**columns, mention_days=days, speakers=raw.speakers)
