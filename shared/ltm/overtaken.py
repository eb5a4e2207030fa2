"""Open proposals that something newer has overtaken: they end, or a yes would leave two values at a time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from shared.ltm.slots import contradicts
from shared.model.pending import PendingUpdate
from shared.ports.ltm import LtmWriter, PendingFilter

_MOST_READ: Final = 200


def end_replacing(writer: LtmWriter, memory_id: str, *, but: str = "") -> None:
    """End what would replace a memory, all but the proposal of this id."""
    _end(writer, lambda update: update.replaces == memory_id and update.id != but)


def end_rivals(writer: LtmWriter, text: str) -> None:
    """End what would give the slot that a text fills another value: I live in Porto, of "I live in Oslo"."""
    _end(writer, lambda update: contradicts(str(update.new), text, is_change=False))


def _end(writer: LtmWriter, is_overtaken: Callable[[PendingUpdate], bool]) -> None:
    for update in writer.pending_updates(PendingFilter(limit=_MOST_READ)):
        if update.path is None and is_overtaken(update):
            writer.close_update(update.id, status="superseded")
