"""Giving rows of the index their vectors: a batch at a time, as often as one likes.

What is read of a row is what the index has of it: "speaker: text", forgotten spans cut out; a row without
words gets one zero in the place of a vector. Words that changed while the model worked are read anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np

from shared.errors import Rejected, Unavailable
from shared.model.meaning import FloatVector, RowMeaning
from shared.model.memory import Episode
from shared.model.scope import Scope
from shared.ports.embedder import MOST_CHARACTERS, MOST_TEXTS, Embedder
from shared.ports.ltm import LongTermMemory, LtmReader, LtmWriter
from shared.recall.ask_meaning import is_chinese
from shared.recall.said import said_text

_MOST_CHANGES: Final = 10
_NOTHING: Final[FloatVector] = np.zeros(1, dtype=np.float32)


@dataclass(frozen=True, slots=True)
class _Batch:
    """Rows without a vector, their texts, and how the scope's rows stood when they were read."""

    row_ids: tuple[int, ...]
    texts: tuple[str, ...]
    edits: int


async def embed_scope(scope: Scope, *, most_rows: int, ltm: LongTermMemory, embedder: Embedder) -> int:
    """Give up to `most_rows` rows their vectors; once none lacks one, those of former models go.

    A batch that the model does not answer is passed over, so that the rows after it get theirs; a second one
    ends the run. What was done stays done, and what was passed over lacks a vector till a later run.

    Returns:
        How many rows got one.

    Raises:
        Unavailable: the model does not answer, and no row got a vector.
    """
    model, done, changes = embedder.model, 0, 0
    failed: Unavailable | None = None
    after, edits = await ltm.read(scope, lambda reader: (reader.embedded_to(model), reader.row_edits()))
    while done < most_rows and changes < _MOST_CHANGES:
        limit = min(MOST_TEXTS, most_rows - done)
        batch = await ltm.read(scope, partial(_next_batch, model=model, after=after, limit=limit))
        if batch.edits != edits:  # any row may lack its vector again
            after, edits, changes = 0, batch.edits, changes + 1
            continue
        try:
            meanings = await _embed(batch, model=model, embedder=embedder)
        except Unavailable as error:
            if failed is not None:
                break
            failed, after = error, batch.row_ids[-1]
            continue
        if failed is not None and not batch.row_ids:
            break
        if not await ltm.write(scope, partial(_keep, batch=batch, model=model, meanings=meanings)):
            continue
        if not batch.row_ids:
            break
        done, after = done + len(batch.row_ids), batch.row_ids[-1]
    if failed is not None and not done:
        raise failed
    return done


def _next_batch(reader: LtmReader, model: str, *, after: int, limit: int) -> _Batch:
    row_ids = reader.rows_to_embed(model, after=after, limit=limit)
    rows = reader.rows(row_ids)
    said = [row.message.id for row in rows.values() if isinstance(row, Episode)]
    forgotten = reader.forgotten_spans(said)
    texts = tuple(
        said_text(rows[row_id], forgotten=forgotten)[:MOST_CHARACTERS] if row_id in rows else ""
        for row_id in row_ids
    )
    return _Batch(tuple(row_ids), texts, reader.row_edits())


async def _embed(batch: _Batch, *, model: str, embedder: Embedder) -> list[RowMeaning]:
    """Return the vectors of a batch; a text that the model refuses by itself counts as one without words."""
    texts = [text for text in batch.texts if text]
    found = iter(await _vectors_of(texts, model=model, embedder=embedder) if texts else [])
    return [
        RowMeaning(row_id, next(found) if text else _NOTHING, is_han=is_chinese(text))
        for row_id, text in zip(batch.row_ids, batch.texts, strict=True)
    ]


async def _vectors_of(texts: Sequence[str], *, model: str, embedder: Embedder) -> list[FloatVector]:
    try:
        return list(await embedder.embed(texts, model=model))
    except Rejected:
        if len(texts) == 1:
            return [_NOTHING]
    half = len(texts) // 2
    parts = (texts[:half], texts[half:])
    return [vector for part in parts for vector in await _vectors_of(part, model=model, embedder=embedder)]


def _keep(writer: LtmWriter, *, batch: _Batch, model: str, meanings: Sequence[RowMeaning]) -> bool:
    """Keep a batch's vectors, or note that none is missing; False where rows changed since it was read."""
    if writer.row_edits() != batch.edits:
        return False
    if batch.row_ids:
        writer.put_vectors(model, meanings)
    else:
        writer.note_embedded(model)
    return True
