"""An embedding model of a few dozen words: texts mean the same where their words do, in either language."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import numpy as np

from shared.errors import Rejected, Unavailable
from shared.model.meaning import FloatMatrix

MEANINGS = (
    ("cat", "猫"),
    ("allerg", "过敏"),
    ("seafood", "shrimp", "海鲜", "虾"),
    ("doctor", "clinic", "医生", "看病"),
    ("wedding", "marry", "married", "结婚", "婚礼"),
    ("garden", "tomato", "菜园", "番茄"),
    ("train", "火车", "高铁"),
    ("piano", "钢琴"),
)


class FakeEmbedder:
    """The fake of `Embedder`; `asked` are the texts it was given, `former` models that it still reaches.

    While `is_down` it does not answer, else after `delay_seconds`; texts that hold `refused` are refused, and
    beside one that holds `choking` it fails.
    """

    def __init__(self, model: str = "fake:1", *, former: Sequence[str] = ()) -> None:
        self.model = model
        self.former = tuple(former)
        self.is_for_turns = True
        self.wait_seconds = 0.5
        self.is_down = False
        self.refused = ""
        self.choking = ""
        self.delay_seconds = 0.0
        self.asked: list[str] = []

    async def embed(self, texts: Sequence[str], *, model: str) -> FloatMatrix:
        chokes = self.choking and any(self.choking in text for text in texts)
        if chokes or self.is_down or model not in {self.model, *self.former}:
            raise Unavailable("The embedding model does not answer now.", code="embeddings_unavailable")
        if self.refused and any(self.refused in text for text in texts):
            raise Rejected("The embedding model refuses these texts.", code="embedding_refused")
        self.asked += texts
        await asyncio.sleep(self.delay_seconds)
        return np.array([_vector(text) for text in texts], dtype=np.float32).reshape(len(texts), -1)

    async def aclose(self) -> None:
        """Do nothing: nothing is open."""


def _vector(text: str) -> list[float]:
    folded = text.casefold()
    if not folded.strip():
        return [0.0] * (len(MEANINGS) + 1)
    found = [float(any(word in folded for word in words)) for words in MEANINGS]
    found.append(0.2)  # what all texts have in common
    length = sum(number**2 for number in found) ** 0.5
    return [number / length for number in found]
