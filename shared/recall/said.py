"""What is left of a row once forgotten spans are cut out, and how a model reads it: "speaker: text". Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shared.model.memory import Episode, Memory
from shared.recall.query import USER
from shared.text import cut_texts


def said_text(row: Memory | Episode, *, forgotten: Mapping[str, Sequence[str]]) -> str:
    """Return what a row says; empty for one without words of its own, such as a reply made from memory.

    `forgotten` are the forgotten spans of messages by their ids.
    """
    if isinstance(row, Memory):
        return f"{USER}: {row.text}"
    message = row.message
    text = cut_texts(message.said, forgotten.get(message.id, ())).strip()
    return f"{message.body.name or message.role}: {text}" if text else ""


def without_forgotten(episode: Episode, *, forgotten: Mapping[str, Sequence[str]]) -> Episode:
    """Return a message without its forgotten spans, bare of words where none is left.

    A part of it that is no text (a picture) stays beside the words that are left.
    """
    message = episode.message
    spans = forgotten.get(message.id)
    if not spans:
        return episode
    left = cut_texts(message.text, spans).strip()
    content: str | list[dict[str, Any]] = left
    if left and message.body.content is not None and not isinstance(message.body.content, str):
        others = [part for part in message.body.content if part.get("type") != "text"]
        content = [{"type": "text", "text": left}, *others]
    body = message.body.model_copy(update={"content": content})
    return episode.model_copy(update={"message": message.model_copy(update={"body": body})})
