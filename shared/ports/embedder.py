"""What turns texts into vectors of their meaning, where a deployment has such a thing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from shared.model.meaning import FloatMatrix

MOST_TEXTS = 64
"""Texts of one batch."""

MOST_CHARACTERS = 2_000
"""Of each text only so much is read: models cut off there or earlier, and time grows with it."""


class Embedder(Protocol):
    """Turns texts into unit vectors; vectors of two models have nothing to say to each other."""

    @property
    def model(self) -> str:
        """Name and version of the model in use; empty where there is none."""

    @property
    def is_for_turns(self) -> bool:
        """Whether a turn may wait for the vector of its question."""

    @property
    def wait_seconds(self) -> float:
        """How long a search waits for the vector of its question."""

    async def embed(self, texts: Sequence[str], *, model: str) -> FloatMatrix:
        """Return a unit vector for each of at most `MOST_TEXTS` texts (all zeros for one without content).

        `model` is the one in use, or a former one where the engine still reaches it.

        Raises:
            Unavailable: there is no model, it is not this engine's, or it does not answer (now).
            Rejected: the model refuses these very texts.
        """

    async def aclose(self) -> None:
        """Let go of connections and threads."""
