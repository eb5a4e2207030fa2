"""Asking before all memory is deleted: what there is to ask about, and what the command came to so far."""

from __future__ import annotations

from shared.ltm.wipe import count_memories
from shared.model.turn import CommandOutcome
from shared.ports.ltm import LtmReader, PendingFilter


def may_wipe(reader: LtmReader) -> int | None:
    """Return how many memories a wipe would delete; None where it would take nothing, nor a proposal."""
    count = count_memories(reader)
    return count if count or reader.pending_updates(PendingFilter(limit=1)) else None


def asked_to_wipe(count: int | None) -> CommandOutcome:
    """Return the outcome of the command: it waits for the user's word, or there is nothing to delete."""
    if count is None:
        return CommandOutcome(kind="forget", outcome="refused", reason="nothing_kept")
    return CommandOutcome(kind="forget", outcome="pending", reason="confirm_wipe")
