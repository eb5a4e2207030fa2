"""What the index knows of a row: never its words, only what scoring needs.

`RowRecord` is what is kept (sealed) for one row; `ScopeRows` is the same for all rows of one scope,
as arrays ordered by (session, seq), which scoring reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from shared.model.base import Value

IntArray = npt.NDArray[np.int32]
LongArray = npt.NDArray[np.int64]
BoolArray = npt.NDArray[np.bool_]


class RowRecord(Value):
    """One row as the index sees it.

    `terms` are in text order with repeats, then `date_terms`; `day` and the inclusive `mentions` are
    proleptic ordinals of days in the user's zone; `speaker` is a role, or the message's name.
    """

    terms: tuple[str, ...]
    date_terms: tuple[str, ...]
    day: int
    mentions: tuple[tuple[int, int], ...]
    speaker: str
    ends_with_question: bool
    has_time_expression: bool


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class ScopeRows:
    """All rows of one scope, ordered by (session, seq); one entry a row. Equal only to itself.

    `length` is the number of index terms, `day` an ordinal (0: none), `speaker` an index into
    `speakers`, and row i mentions the day ranges `mention_start[a:b]..mention_end[a:b]` where
    `a, b = mention_offsets[i:i + 2]`.
    """

    row_ids: LongArray
    session: IntArray
    seq: IntArray
    length: IntArray
    day: IntArray
    speaker: IntArray
    ends_with_question: BoolArray
    has_time_expression: BoolArray
    mention_offsets: IntArray
    mention_start: IntArray
    mention_end: IntArray
    speakers: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.row_ids)


class Posting(NamedTuple):
    """Where one term stands: positions into `ScopeRows` (ascending) and how often in each."""

    positions: IntArray
    frequencies: IntArray


Postings = Mapping[str, Posting]
