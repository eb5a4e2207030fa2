"""What reads a question beside each answer of a search, where a deployment has such a thing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

MOST_TEXTS = 50
"""Answers that are read for one question: those that a search ranks first."""

MOST_CHARACTERS = 2_000
"""Of a question, and of each text, only so much is read: models cut off there or earlier."""


class Reranker(Protocol):
    """Tells how well texts answer a question; texts leave the process only where this one is called."""

    @property
    def model(self) -> str:
        """Name of the model in use; empty where there is none."""

    async def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """Return a finite number for each of at most `MOST_TEXTS` texts, in their order: more is better.

        The scale is the model's own: shares of 1, or logits.

        Raises:
            Unavailable: there is no model, or it gives no whole answer within its time.
            Rejected: the model refuses these very texts.
        """

    async def aclose(self) -> None:
        """Let go of connections."""
