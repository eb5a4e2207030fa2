"""Vectors in a dictionary: the part of the fake of long-term memory that knows of meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from shared.model.meaning import RowMeaning, RowVectors


@dataclass
class Vectors:
    """Vectors by model and row, models whose set was whole, and how often rows got other words or went."""

    by_model: dict[str, dict[int, RowMeaning]] = field(default_factory=dict)
    embedded: dict[str, tuple[int, int]] = field(default_factory=dict)
    edits: int = 0

    def drop_row(self, row_id: int) -> None:
        self.edits += 1
        for kept in self.by_model.values():
            kept.pop(row_id, None)


class VectorsReader:
    """Reads vectors; the class that mixes it in has the scope's state in `_aged`."""

    _aged: Any

    def embedded_model(self, wanted: str) -> str | None:
        models = list(self._aged.vectors.embedded)
        return wanted if wanted in models else next(iter(models), None)

    def row_vectors(self, model: str, *, width: int) -> RowVectors:
        kept = sorted(self._aged.vectors.by_model.get(model, {}).items())
        values = np.zeros((len(kept), width), dtype=np.float32)
        for place, (_, meaning) in enumerate(kept):
            if len(meaning.vector) == width:
                values[place] = meaning.vector
        return RowVectors(
            np.array([row_id for row_id, _ in kept], dtype=np.int64),
            values,
            np.array([meaning.is_han for _, meaning in kept], dtype=np.bool_),
        )

    def rows_to_embed(self, model: str, *, after: int, limit: int) -> list[int]:
        kept = self._aged.vectors.by_model.get(model, {})
        return sorted(row_id for row_id in self._aged.rows if row_id > after and row_id not in kept)[:limit]

    def embedded_to(self, model: str) -> int:
        edits, newest = self._aged.vectors.embedded.get(model, (-1, 0))
        return newest if edits == self._aged.vectors.edits else 0

    def row_edits(self) -> int:
        return int(self._aged.vectors.edits)


class VectorsWriter(VectorsReader):
    """Writes vectors."""

    def put_vectors(self, model: str, meanings: Sequence[RowMeaning]) -> None:
        kept = self._aged.vectors.by_model.setdefault(model, {})
        kept |= {meaning.row_id: meaning for meaning in meanings if meaning.row_id in self._aged.rows}

    def note_embedded(self, model: str) -> None:
        vectors = self._aged.vectors
        vectors.by_model = {model: vectors.by_model.get(model, {})}
        vectors.embedded = {model: (vectors.edits, max(self._aged.rows, default=0))}
