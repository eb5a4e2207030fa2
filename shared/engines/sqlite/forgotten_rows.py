"""The ledger of rows that were deleted on purpose, so that no restore brings them back. Ids only."""

from __future__ import annotations

from typing import Literal

from shared.engines.sqlite.view import View

# Longer than any snapshot is kept.
_KEPT_MS = 60 * 86_400_000

NOTE_FORGOTTEN = """
INSERT INTO forgotten_rows (tenant_id, scope_id, kind, target_id, at_ms)
VALUES (:tenant_id, :scope_id, :kind, :target_id, :now_ms)
ON CONFLICT (tenant_id, scope_id, kind, target_id) DO UPDATE SET at_ms = :now_ms
"""
DELETE_OLD = """
DELETE FROM forgotten_rows WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND at_ms < :oldest_ms
"""


def note_forgotten(view: View, *, kind: Literal["m", "e", "d"], target_id: str) -> None:
    """Note that a memory, an episode or a digest went; a restore leaves it out."""
    view.run(NOTE_FORGOTTEN, kind=kind, target_id=target_id, now_ms=view.now_ms)


def prune_forgotten(view: View) -> int:
    """Drop what no snapshot can hold any more; return how many."""
    return view.run(DELETE_OLD, oldest_ms=view.now_ms - _KEPT_MS)
