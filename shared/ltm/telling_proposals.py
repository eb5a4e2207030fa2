"""Open proposals that tell what is being forgotten: they go with it, or a yes would bring it back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any, Final

from shared.ltm.schema import SchemaPath
from shared.ltm.telling import said_keys, tells_value
from shared.ltm.tombstones import value_keys
from shared.model.memory import Memory
from shared.model.moment import from_ms
from shared.model.pending import PendingUpdate
from shared.ports.ltm import LtmWriter, PendingFilter

_MOST_READ: Final = 200


def close_telling(
    writer: LtmWriter, path: SchemaPath, *, values: Sequence[Any], at: datetime
) -> tuple[list[PendingUpdate], list[str]]:
    """Reject the memories that wait and whose text or quote tells one of a field's values.

    Returns them, and the texts that tell one themselves: where only the quote does, the text may come again.
    """

    def tells(text: str, update: PendingUpdate) -> bool:
        day = from_ms(update.created_at_ms).astimezone(at.tzinfo).date()
        return tells_value(text, path, values=values, day=day)

    def is_meant(update: PendingUpdate) -> bool:
        return update.path is None and (tells(str(update.new), update) or tells(update.quote, update))

    closed = _close(writer, writer.pending_updates(PendingFilter(limit=_MOST_READ)), is_meant=is_meant)
    return closed, [str(update.new) for update in closed if tells(str(update.new), update)]


def close_same(writer: LtmWriter, memory: Memory) -> None:
    """Reject what waits and says the same as a memory, or would replace it."""
    waiting = writer.pending_updates(PendingFilter(limit=_MOST_READ))
    if not waiting:
        return
    told = set() if memory.path is None else set(value_keys(memory.path, memory.value))
    said = said_keys(memory.text)

    def says(update: PendingUpdate) -> bool:
        if update.path is not None:
            return update.op != "remove" and not told.isdisjoint(value_keys(update.path, update.new))
        if update.replaces == memory.id:
            return True
        return any(not said.isdisjoint(said_keys(text)) for text in {str(update.new), update.quote} if text)

    _close(writer, waiting, is_meant=says)


def close_quoting(writer: LtmWriter, message_id: str) -> None:
    """Reject what waits and rests on a message that was deleted: asked about, it would tell it again."""
    waiting = writer.pending_updates(PendingFilter(limit=_MOST_READ))
    _close(writer, waiting, is_meant=lambda update: update.message_id == message_id)


def _close(
    writer: LtmWriter, waiting: Sequence[PendingUpdate], *, is_meant: Callable[[PendingUpdate], bool]
) -> list[PendingUpdate]:
    found = [update for update in waiting if is_meant(update)]
    for update in found:
        writer.close_update(update.id, status="rejected")
    return found
