"""From what a model answers to unit vectors; what is no vector is no answer."""

from __future__ import annotations

from typing import Any

import numpy as np

from shared.errors import Unavailable
from shared.model.meaning import FloatMatrix

MOST_DIMENSIONS = 4_096


def unit_vectors(raw: Any, *, count: int) -> FloatMatrix:
    """Return `count` unit vectors; one of zeros stays one of zeros.

    Raises:
        Unavailable: it is something else (`embeddings_unavailable`).
    """
    try:
        vectors = np.asarray(raw, dtype=np.float32)
    except (ValueError, TypeError, OverflowError):
        raise no_vectors() from None
    is_matrix = vectors.ndim == 2 and vectors.shape[0] == count  # noqa: PLR2004 - rows and columns
    if not is_matrix or not 0 < vectors.shape[1] <= MOST_DIMENSIONS or not np.isfinite(vectors).all():
        raise no_vectors()
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    return (vectors / np.where(lengths > 0, lengths, 1.0)).astype(np.float32)


def no_vectors() -> Unavailable:
    """Return the error of an answer that is none."""
    return Unavailable("The embedding model's answer holds no vectors.", code="embeddings_unavailable")
