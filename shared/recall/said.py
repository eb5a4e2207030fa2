"""What is left of a row once forgotten spans are cut out, and how a model reads it: "speaker: text". Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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
    """Return a message without its forgotten spans, bare of words where none is left."""
    spans = forgotten.get(episode.message.id)
    return episode.model_copy(update={"message": episode.message.without(spans)}) if spans else episode
