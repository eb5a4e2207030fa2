"""What long-term memory keeps of meaning: a sealed vector for each row of the index, by model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from shared.model.meaning import RowMeaning, RowVectors


class VectorReader(Protocol):
    """Reads of one scope, on one consistent view."""

    def embedded_model(self, wanted: str) -> str | None:
        """Return whose vectors may answer: those of `wanted` once all rows had one, else a former model's."""

    def row_vectors(self, model: str, *, width: int) -> RowVectors:
        """Return the vectors of a model, of so many newest rows as a process keeps in memory.

        `width` is that of the question's vector; one of any other width says nothing (zeros).
        """

    def rows_to_embed(self, model: str, *, after: int, limit: int) -> list[int]:
        """Return ids (ascending, greater than `after`) of rows without a vector of this model."""

    def embedded_to(self, model: str) -> int:
        """Return the row up to which nothing can lack a vector of this model; 0 where that is not known."""

    def row_edits(self) -> int:
        """Return a number that changes whenever a row gets other words or goes."""


class VectorWriter(VectorReader, Protocol):
    """Writes of one scope, inside one transaction."""

    def put_vectors(self, model: str, meanings: Sequence[RowMeaning]) -> None:
        """Keep vectors of rows; a row that has gone meanwhile gets none."""

    def note_embedded(self, model: str) -> None:
        """Note that all rows have a vector of this model; the vectors of all others go."""
