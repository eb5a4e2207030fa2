"""Vectors of an evaluation's rows and questions by the local model, and the cross-lingual set.

Encoding a large set takes minutes, so a folder may keep what was encoded: numbers only, by a hash of texts.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import numpy as np

from shared.engines.embeddings.local import LocalEmbedder
from shared.model.meaning import FloatMatrix, Meaning, RowVectors
from shared.ports.embedder import MOST_CHARACTERS, MOST_TEXTS
from shared.recall.ask_meaning import is_chinese
from shared.recall.nearness import Nearness, find_nearness
from shared.recall.score import in_monologue
from shared.settings import Settings
from tests.evals.memory_index import MemoryIndex
from tests.evals.sets import Conversation, Message, Question

CROSS_LINGUAL: Final = Path(__file__).with_name("own") / "cross_lingual.json"


@dataclass(frozen=True, slots=True)
class Meanings:
    """The vectors of a conversation's rows, and of its questions by their texts."""

    vectors: RowVectors
    questions: dict[str, Meaning]

    def nearness(self, index: MemoryIndex, question: Question) -> Nearness | None:
        """How near the rows are to the question."""
        meaning = self.questions[question.text]
        return find_nearness(index.rows, self.vectors, meaning=meaning, alone=in_monologue(index.rows))


def encode(conversation: Conversation, *, cache: Path | None) -> Meanings:
    """Encodes a conversation's rows and questions, as the service does."""
    said = [message for session in conversation.sessions for message in session]
    asked = list(dict.fromkeys(question.text for question in conversation.questions))
    rows = _encode_all([f"{each.speaker}: {each.text[:MOST_CHARACTERS]}" for each in said], cache=cache)
    questions = _encode_all(asked, cache=cache)
    vectors = RowVectors(
        row_ids=np.arange(len(said), dtype=np.int64),
        values=rows,
        is_han=np.array([is_chinese(message.text) for message in said], dtype=np.bool_),
    )
    meanings = {
        text: Meaning("local", vector, is_han=is_chinese(text))
        for text, vector in zip(asked, questions, strict=True)
    }
    return Meanings(vectors, meanings)


def _encode_all(texts: Sequence[str], *, cache: Path | None) -> FloatMatrix:
    name = sha256("\0".join(texts).encode()).hexdigest()[:24]
    kept = cache / f"{name}.npy" if cache else None
    if kept is not None and kept.exists():
        known: FloatMatrix = np.load(kept).astype(np.float32)
        return known
    vectors = asyncio.run(_encode_batches(texts))
    if kept is not None:
        kept.parent.mkdir(parents=True, exist_ok=True)
        np.save(kept, vectors.astype(np.float16))
    return vectors


async def _encode_batches(texts: Sequence[str]) -> FloatMatrix:
    embedder = LocalEmbedder(Settings())
    try:
        batches = [
            await embedder.embed(texts[start : start + MOST_TEXTS], model=embedder.model)
            for start in range(0, len(texts), MOST_TEXTS)
        ]
    finally:
        await embedder.aclose()
    return np.concatenate(batches)


def load_cross_lingual() -> list[Conversation]:
    """Our own set: each conversation by itself, in one language, asked in the other."""
    document = json.loads(CROSS_LINGUAL.read_text(encoding="utf-8"))
    return [_conversation(each["id"], [each], document["questions"]) for each in document["conversations"]]


def load_both_languages() -> list[Conversation]:
    """The same set with a Chinese and an English conversation as those of one user: the harder task."""
    document = json.loads(CROSS_LINGUAL.read_text(encoding="utf-8"))
    talks = document["conversations"]
    half = len(talks) // 2
    return [
        _conversation(f"{one['id']}+{other['id']}", [one, other], document["questions"])
        for one, other in zip(talks[:half], talks[half:], strict=True)
    ]


def _conversation(
    name: str, talks: Sequence[dict[str, Any]], questions: Sequence[dict[str, Any]]
) -> Conversation:
    sessions = sorted(
        (session["day"], talk["id"], number, session)
        for talk in talks
        for number, session in enumerate(talk["sessions"])
    )
    return Conversation(
        name=name,
        sessions=tuple(
            tuple(
                Message(f"{talk}/{number}/{place}", each["role"], each["text"], datetime.fromisoformat(day))
                for place, each in enumerate(session["messages"])
            )
            for day, talk, number, session in sessions
        ),
        questions=tuple(
            Question(
                each["text"],
                (frozenset(f"{each['conversation']}/{session}/{at}" for session, at in each["evidence"]),),
                f"{each['kind']} asked in {each['lang']}",
            )
            for each in questions
            if each["conversation"] in {talk["id"] for talk in talks}
        ),
    )
