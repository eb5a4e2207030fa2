"""Vectors of meaning: what a question's and a row's words say, whichever words they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from shared.model.recall import BoolArray, LongArray

FloatMatrix = npt.NDArray[np.float32]
"""One unit vector a row."""

FloatVector = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True, eq=False)
class Meaning:
    """A question's unit vector, by the model that made it; `is_han`: the question is written in Chinese."""

    model: str
    vector: FloatVector
    is_han: bool


@dataclass(frozen=True, slots=True, eq=False)
class RowMeaning:
    """The vector of one row, as it is to be kept; `is_han`: its words are written in Chinese."""

    row_id: int
    vector: FloatVector
    is_han: bool


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class RowVectors:
    """Vectors of a scope's rows, those that have one: row `row_ids[i]` (ascending) has `values[i]`."""

    row_ids: LongArray
    values: FloatMatrix
    is_han: BoolArray

    def __len__(self) -> int:
        return len(self.row_ids)
