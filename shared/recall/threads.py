"""How a scope's vectors lie: apart from what all share, and which rows of a log go on from one another. Pure.

Vectors of one user's rows have a direction in common that says nothing of any of them; it is taken out
(`along` and `lengths`). A log of one speaker holds several threads at once (messages with one friend between
other things): rows at most 3 apart in a session that are alike belong to one. Both are true for the vectors,
which are kept between requests, and are worked out once for them.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import starmap
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from shared.model.meaning import FloatVector, RowVectors
from shared.model.recall import ScopeRows
from shared.recall.rows import Flags, Floats, Ints, Longs

_WINDOW: Final = 3
_LEAST_ALIKE: Final = 0.2
_FULLY_ALIKE: Final = 2.0
"""The weight of a row that says the same against the row itself; none at `_LEAST_ALIKE`, even between."""

_ROWS_AT_ONCE: Final = 2_048
_SMALLEST: Final = 1e-6


@dataclass(frozen=True, slots=True)
class _Shape:
    """What the vectors have in common, each one's product with it, and its length without it."""

    mean: FloatVector
    along: FloatVector
    lengths: FloatVector
    common: float


@dataclass(frozen=True, slots=True)
class _Pairs:
    """Rows `first[i]` and `second[i]` of a log are of one thread and lend each other `share[i]`."""

    first: Longs
    second: Longs
    share: Floats


_Layout = tuple[Longs, Longs, Ints]
"""Of each vector whose row stands in a log of several: its place, that row's position and its session."""


@dataclass(slots=True)
class _Kept:
    """What is known of a scope's vectors, and the pairs of the rows last asked about."""

    shape: _Shape
    pairs: tuple[_Layout, _Pairs] | None = None


_KEPT: Final[WeakKeyDictionary[RowVectors, _Kept]] = WeakKeyDictionary()


def centred_cosines(vectors: RowVectors, vector: FloatVector, *, products: FloatVector) -> FloatVector:
    """Return each vector's product with the question's, without what the scope's rows have in common.

    `products` are those of the vectors as they are. The results are in proportion to cosines.
    """
    shape = _kept(vectors).shape
    cosines: FloatVector = (
        products - shape.along + np.float32(shape.common - float(vector @ shape.mean))
    ) / shape.lengths
    return cosines


def in_threads(
    cosines: Floats, rows: ScopeRows, *, vectors: RowVectors, places: Longs, positions: Longs, alone: Flags
) -> Floats:
    """Return the rows' cosines, those of a log as the mean of their thread.

    Vector `places[i]` is that of the row at `positions[i]`; `alone` marks the rows of logs.
    """
    sessions = rows.session[positions]
    in_logs = alone[positions] & (np.bincount(rows.session)[sessions] > 1)
    if not in_logs.any():
        return cosines
    pairs = _pairs_of(vectors, layout=(places[in_logs], positions[in_logs], sessions[in_logs]))
    size = len(rows)
    lent = np.bincount(pairs.first, weights=pairs.share * cosines[pairs.second], minlength=size)
    lent += np.bincount(pairs.second, weights=pairs.share * cosines[pairs.first], minlength=size)
    shares = np.bincount(pairs.first, weights=pairs.share, minlength=size)
    shares += np.bincount(pairs.second, weights=pairs.share, minlength=size)
    threaded: Floats = (cosines + lent) / (1.0 + shares)
    return threaded


def _kept(vectors: RowVectors) -> _Kept:
    known = _KEPT.get(vectors)
    if known is None:
        mean = vectors.values.mean(axis=0)
        along, common = vectors.values @ mean, float(mean @ mean)
        squares = np.einsum("ij,ij->i", vectors.values, vectors.values) - 2 * along + np.float32(common)
        lengths = np.sqrt(np.maximum(squares, _SMALLEST))
        known = _KEPT[vectors] = _Kept(_Shape(mean, along, lengths, common))
    return known


def _pairs_of(vectors: RowVectors, *, layout: _Layout) -> _Pairs:
    kept = _kept(vectors)
    known = kept.pairs
    if known is None or not all(starmap(np.array_equal, zip(known[0], layout, strict=True))):
        known = kept.pairs = (layout, _find_pairs(vectors, kept.shape, layout=layout))
    return known[1]


def _find_pairs(vectors: RowVectors, shape: _Shape, *, layout: _Layout) -> _Pairs:
    places, positions, sessions = layout
    in_order = np.argsort(positions, kind="stable")
    logged, of_row, session = positions[in_order], places[in_order], sessions[in_order]
    found: list[tuple[Longs, Longs, Floats]] = []
    for start in range(0, len(logged), _ROWS_AT_ONCE):
        some = slice(start, start + _ROWS_AT_ONCE + _WINDOW)
        own = min(_ROWS_AT_ONCE, len(logged) - start)
        near, place, own_session = logged[some], of_row[some], session[some]
        apart = (vectors.values[place] - shape.mean) / shape.lengths[place][:, None]
        for step in range(1, min(_WINDOW, len(near) - 1) + 1):
            first, second = near[:-step][:own], near[step:][:own]
            likeness = np.einsum("ij,ij->i", apart[:-step], apart[step:])[:own]
            share = _FULLY_ALIKE * (likeness - _LEAST_ALIKE) / (1 - _LEAST_ALIKE)
            is_of_one = own_session[:-step][:own] == own_session[step:][:own]
            is_pair = (share > 0) & is_of_one & (second - first <= _WINDOW)
            found.append((first[is_pair], second[is_pair], share[is_pair].astype(np.float64)))
    if not found:
        return _Pairs(positions[:0], positions[:0], np.zeros(0))
    first_rows, second_rows, shares = (np.concatenate(each) for each in zip(*found, strict=True))
    return _Pairs(first_rows, second_rows, shares)
