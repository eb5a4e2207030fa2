"""The ledger of rows that were deleted on purpose, so that no restore brings them back. Ids only."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from shared.engines.sqlite.view import View
from shared.model.message import SessionEpoch

Kind = Literal["m", "e", "d", "p", "h", "s"]
"""A memory, an episode, a digest, a pending update, a habit; or one epoch of a session."""

# Longer than any snapshot is kept.
_KEPT_MS = 60 * 86_400_000

NOTE_FORGOTTEN = """
INSERT INTO forgotten_rows (tenant_id, scope_id, kind, target_id, at_ms)
VALUES (:tenant_id, :scope_id, :kind, :target_id, :now_ms)
ON CONFLICT (tenant_id, scope_id, kind, target_id) DO UPDATE SET at_ms = :now_ms
"""
SELECT_NOTE = """
SELECT 1 FROM forgotten_rows
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND kind = :kind AND target_id = :target_id
"""
DELETE_OLD = """
DELETE FROM forgotten_rows WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND at_ms < :oldest_ms
"""


def note_forgotten(view: View, *, kind: Kind, target_id: str) -> None:
    """Note that a row went; a restore leaves it out."""
    view.run(NOTE_FORGOTTEN, kind=kind, target_id=target_id, now_ms=view.now_ms)


def note_deleted(view: View, epochs: Sequence[SessionEpoch]) -> None:
    """Note that epochs of sessions were deleted, wherever their messages were."""
    for each in epochs:
        note_forgotten(view, kind="s", target_id=_name_of(each.session_key, each.epoch))


def is_deleted(view: View, session_key: str, *, epoch: int) -> bool:
    """Return whether an epoch of a session was deleted."""
    return view.one(SELECT_NOTE, kind="s", target_id=_name_of(session_key, epoch)) is not None


def prune_forgotten(view: View) -> int:
    """Drop what no snapshot can hold any more; return how many."""
    return view.run(DELETE_OLD, oldest_ms=view.now_ms - _KEPT_MS)


def _name_of(session_key: str, epoch: int) -> str:
    return f"{session_key}:{epoch}"
