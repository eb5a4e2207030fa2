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
from shared.engines.sqlite.records import RawRows
from shared.model.meaning import RowVectors
from shared.model.recall import IntArray, LongArray, ScopeRows

MOST_ROWS_KEPT = 400_000
MOST_VECTOR_BYTES = 64_000_000
_VECTORS_LIVE_SECONDS = 600.0
# A memory stands alone: no neighbours, and after all sessions.
_FIRST_MEMORY = 1 << 30


@dataclass(frozen=True, slots=True, weakref_slot=True)
class OrderedRows:
    """`rows` in the order of (session, seq); `positions` of the ids in `sorted_ids`."""

    rows: ScopeRows
    sorted_ids: LongArray
    positions: IntArray


@dataclass(frozen=True, slots=True)
class KeptRows:
    """What the cache keeps of a scope; `expired` are rows that `ordered` leaves out."""

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


def order_rows(raw: RawRows, *, without: frozenset[int]) -> OrderedRows:
    """Return the rows in the order of (session, seq), those in `without` left out."""
    is_memory = raw.session_no == 0
    session = np.where(is_memory, _FIRST_MEMORY + (raw.row_ids & (_FIRST_MEMORY - 1)), raw.session_no)
    order = np.lexsort((raw.seq, session))
    if without:
        left_out = np.fromiter(without, dtype=np.int64, count=len(without))
        order = order[~np.isin(raw.row_ids[order], left_out)]
    _, numbered = np.unique(session[order], return_inverse=True)
    offsets, mention_start, mention_end = _order_mentions(raw, order)
    row_ids = raw.row_ids[order]
    by_id = np.argsort(row_ids)
    rows = ScopeRows(
        row_ids=row_ids,
        session=numbered.astype(np.int32),
        seq=raw.seq[order],
        length=raw.length[order],
        day=raw.day[order],
        speaker=raw.speaker[order],
        ends_with_question=raw.question[order],
        has_time_expression=raw.time[order],
        mention_offsets=offsets,
        mention_start=mention_start,
        mention_end=mention_end,
        speakers=raw.speakers,
    )
    return OrderedRows(rows, row_ids[by_id], by_id.astype(np.int32))


def _order_mentions(raw: RawRows, order: LongArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return the offsets, first and last days of the mentions of rows in `order`."""
    begins = np.cumsum(raw.mentions, dtype=np.int64) - raw.mentions
    counts = raw.mentions[order]
    offsets = np.zeros(len(order) + 1, dtype=np.int64)
    np.cumsum(counts, out=offsets[1:])
    within = np.arange(offsets[-1], dtype=np.int64) - np.repeat(offsets[:-1], counts)
    taken = np.repeat(begins[order], counts) + within
    days = raw.mention_days.reshape(-1, 2)[taken]
    return offsets.astype(np.int32), days[:, 0].copy(), days[:, 1].copy()
