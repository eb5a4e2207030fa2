"""The vector of a question, where there is a model and it answers in time; else words alone search."""

from __future__ import annotations

import asyncio

import numpy as np

from shared.errors import Rejected, Unavailable
from shared.language.scripts import detect_language, fold
from shared.model.meaning import Meaning
from shared.model.scope import Scope
from shared.ports.embedder import MOST_CHARACTERS, Embedder
from shared.ports.ltm import LongTermMemory
from shared.recall.query import asks_nothing

_MOST_ASKED = 400
"""Of a longer message both ends are read: what somebody asks about a long paste stands at one of them."""


async def read_turn_meaning(
    scope: Scope, text: str, *, ltm: LongTermMemory, embedder: Embedder
) -> Meaning | None:
    """Return the vector of a turn's message, where a reply may wait for the model."""
    return await read_meaning(scope, text, ltm=ltm, embedder=embedder) if embedder.is_for_turns else None


async def read_meaning(scope: Scope, text: str, *, ltm: LongTermMemory, embedder: Embedder) -> Meaning | None:
    """Return the vector of a question by the model whose vectors the scope has; None where there is none.

    Greetings and thanks ask for nothing. A model that is slow costs at most the embedder's `wait_seconds`.
    """
    if not embedder.model or asks_nothing(fold(text[:MOST_CHARACTERS])):
        return None
    try:
        model = await ltm.read(scope, lambda reader: reader.embedded_model(embedder.model))
        if model is None:
            return None
        async with asyncio.timeout(embedder.wait_seconds):
            (vector,) = await embedder.embed([asked_part(text)], model=model)
    except (Unavailable, Rejected, TimeoutError):
        return None
    return Meaning(model, vector, is_han=is_chinese(text)) if np.any(vector) else None


def asked_part(text: str) -> str:
    """Return what a model reads of a question: all of it, or both ends of a long one."""
    return text if len(text) <= _MOST_ASKED else f"{text[: _MOST_ASKED // 2]} {text[-_MOST_ASKED // 2 :]}"


def is_chinese(text: str) -> bool:
    """Whether a text counts as Chinese; what is neither Chinese nor English counts as English."""
    return detect_language(text[:MOST_CHARACTERS]) == "zh"
