"""A reranker of a few dozen words: a text answers where it speaks of what the question does, zh or en."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from shared.errors import Rejected, Unavailable
from shared.ports.reranker import MOST_CHARACTERS, MOST_TEXTS
from tests.fakes.embedder import MEANINGS


class FakeReranker:
    """The fake of `Reranker`; `asked` are the questions it was given, each with its texts.

    While `is_down` it does not answer, nor where `delay_seconds` are more than `wait_seconds`; texts that
    hold `refused` are refused.
    """

    def __init__(self, model: str = "fake:1") -> None:
        self.model = model
        self.is_down = False
        self.refused = ""
        self.delay_seconds = 0.0
        self.wait_seconds = 0.5
        self.asked: list[tuple[str, tuple[str, ...]]] = []

    async def score(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        read = tuple(text[:MOST_CHARACTERS] for text in texts[:MOST_TEXTS])
        self.asked.append((query[:MOST_CHARACTERS], read))
        if self.refused and any(self.refused in text for text in read):
            raise Rejected("The reranker refuses these texts.", code="reranker_refused")
        if self.is_down or self.delay_seconds > self.wait_seconds:
            raise Unavailable("The reranker does not answer now.", code="reranker_unavailable")
        await asyncio.sleep(self.delay_seconds)
        return tuple(_score(query, text) for text in read)

    async def aclose(self) -> None:
        """Do nothing: nothing is open."""


def _score(query: str, text: str) -> float:
    """Return the share of the question's meanings that the text has."""
    asked = _meanings(query)
    return len(asked & _meanings(text)) / max(len(asked), 1)


def _meanings(text: str) -> set[int]:
    folded = text.casefold()
    return {place for place, words in enumerate(MEANINGS) if any(word in folded for word in words)}
