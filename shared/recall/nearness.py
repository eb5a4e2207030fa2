"""How near each row's meaning is to the question's, from vectors. Pure.

Cosines are taken without what all rows of the scope have in common (`threads`). In a talk a row stands in
the light of its neighbours: cos = (own + 0.4 * before + 0.4 * after) / 1.8, within a session; in a log of
one speaker in that of the rows near it which go on from it. z = max(0, (cos - mean) / deviation) / 4 over all
rows of the scope that have a vector; a row without one (not embedded yet, the tail) has 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from shared.model.meaning import Meaning, RowVectors
from shared.model.recall import ScopeRows
from shared.recall.rows import Flags, Floats
from shared.recall.threads import centred_cosines, in_threads

_NEIGHBOUR: Final = 0.4
_DEVIATIONS: Final = 4.0
_LEAST_ROWS: Final = 2
RELATED: Final = 0.15
"""The least cosine of a row that is to answer without a word of the question (docs/decisions/0013)."""


@dataclass(frozen=True, slots=True)
class Nearness:
    """Of each row: `z`; whether its meaning alone may answer; whether it is of the question's language."""

    z: Floats
    is_related: Flags
    is_foreign: Flags


def find_nearness(rows: ScopeRows, vectors: RowVectors, *, meaning: Meaning, alone: Flags) -> Nearness | None:
    """Return how near the rows are to the question; None where no vector can tell.

    `alone` marks the rows of sessions in which only one speaker speaks.
    """
    if vectors.values.shape[1:] != meaning.vector.shape or not len(rows):
        return None
    by_id = np.argsort(rows.row_ids, kind="stable")
    places = np.searchsorted(rows.row_ids, vectors.row_ids, sorter=by_id)
    positions = by_id[np.minimum(places, len(rows) - 1)]
    is_here = rows.row_ids[positions] == vectors.row_ids
    positions = positions[is_here]
    if len(positions) < _LEAST_ROWS:
        return None
    own, apart = np.zeros((2, len(rows)))
    is_han, has_vector = np.zeros((2, len(rows)), dtype=np.bool_)
    products = vectors.values @ meaning.vector
    own[positions] = products[is_here]
    apart[positions] = centred_cosines(vectors, meaning.vector, products=products)[is_here]
    is_han[positions] = vectors.is_han[is_here]
    has_vector[positions] = rows.length[positions] > 0
    cosines = in_threads(
        _in_its_talk(apart, rows, alone=alone),
        rows,
        vectors=vectors,
        places=np.flatnonzero(is_here),
        positions=positions,
        alone=alone,
    )
    known = cosines[has_vector]
    if not len(known):
        return None
    deviation = float(known.std()) or 1.0
    z = np.where(has_vector, np.maximum(0.0, (cosines - known.mean()) / deviation) / _DEVIATIONS, 0.0)
    return Nearness(
        z=z,
        is_related=has_vector & (_in_its_talk(own, rows, alone=alone) >= RELATED),
        is_foreign=has_vector & (is_han != meaning.is_han),
    )


def _in_its_talk(own: Floats, rows: ScopeRows, *, alone: Flags) -> Floats:
    shared = np.where((rows.session[1:] == rows.session[:-1]) & ~alone[1:], _NEIGHBOUR, 0.0)
    light = own.copy()
    light[1:] += shared * own[:-1]
    light[:-1] += shared * own[1:]
    cosines: Floats = light / np.where(alone, 1.0, 1.0 + 2 * _NEIGHBOUR)
    return cosines
