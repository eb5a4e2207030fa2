"""What a model reads of a row: "speaker: text", forgotten spans cut out. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from shared.ltm.index import cut_texts
from shared.model.memory import Episode, Memory
from shared.recall.query import USER


def said_text(row: Memory | Episode, *, forgotten: Mapping[str, Sequence[str]]) -> str:
    """Return what a row says; empty for one without words of its own, such as a reply made from memory.

    `forgotten` are the forgotten spans of messages by their ids.
    """
    if isinstance(row, Memory):
        return f"{USER}: {row.text}"
    message = row.message
    text = "" if message.body.is_fallback else cut_texts(message.text, forgotten.get(message.id, ())).strip()
    return f"{message.body.name or message.role}: {text}" if text else ""
