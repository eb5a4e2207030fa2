"""Pending updates: inert until resolved, expired once their time has passed, whatever is stored."""

from __future__ import annotations

from functools import partial
from typing import Any

from shared.engines.sqlite.connections import Row
from shared.engines.sqlite.forgotten_rows import note_forgotten
from shared.engines.sqlite.view import View
from shared.model.pending import PendingStatus, PendingUpdate
from shared.ports.ltm import PendingFilter

_TABLE = "pending_updates"
_STATUS = "CASE WHEN status = 'open' AND expires_at_ms <= :now_ms THEN 'expired' ELSE status END"
_COLUMNS = f"""
update_id, op, path, origin, confidence, {_STATUS} AS present_status, created_at_ms, expires_at_ms, content
"""
SELECT_UPDATE = f"""
SELECT {_COLUMNS} FROM pending_updates
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND update_id = :update_id
"""
# Newest first is by id, which begins with the time it was made. A filter that is NULL lets all through.
SELECT_UPDATES = f"""
SELECT {_COLUMNS} FROM pending_updates
WHERE tenant_id = :tenant_id AND scope_id = :scope_id
  AND (:after_id IS NULL OR update_id < :after_id)
  AND (:status IS NULL OR present_status = :status)
  AND (:path IS NULL OR path = :path)
  AND (:session_key IS NULL OR session_key = :session_key)
ORDER BY update_id DESC LIMIT :limit
"""
SELECT_OPEN_LIKE = f"""
SELECT {_COLUMNS} FROM pending_updates
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND match_hash = :match_hash
  AND status = 'open' AND expires_at_ms > :now_ms
ORDER BY update_id DESC LIMIT 1
"""
INSERT_UPDATE = """
INSERT INTO pending_updates (
    tenant_id, scope_id, update_id, op, path, origin, confidence, status, match_hash, session_key,
    created_at_ms, expires_at_ms, content)
VALUES (
    :tenant_id, :scope_id, :update_id, :op, :path, :origin, :confidence, :status, :match_hash, :session_key,
    :created_at_ms, :expires_at_ms, :content)
"""
CLOSE_UPDATE = """
UPDATE pending_updates SET status = :status, resolved_at_ms = :now_ms
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND update_id = :update_id
  AND status = 'open' AND expires_at_ms > :now_ms
"""
SET_CONTENT = """
UPDATE pending_updates SET content = :content
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND update_id = :update_id
"""
# The oldest open ones beyond the newest `kept` are given up.
EXPIRE_OLDEST = """
UPDATE pending_updates SET status = 'expired', resolved_at_ms = :now_ms
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND status = 'open' AND update_id NOT IN (
    SELECT update_id FROM pending_updates
    WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND status = 'open' AND expires_at_ms > :now_ms
    ORDER BY update_id DESC LIMIT :kept)
"""
SELECT_OF_SESSION = """
SELECT update_id FROM pending_updates
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND session_key = :session_key AND status = 'open'
"""
DELETE_OF_SESSION = """
DELETE FROM pending_updates
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND session_key = :session_key AND status = 'open'
"""
_SEALED = {
    *("old", "new", "stored", "text", "quote", "message_id", "session_id", "rejected_at_ms"),
    *("kind", "replaces", "lasts_until_ms", "is_flagged"),
}


def read_update(view: View, update_id: str) -> PendingUpdate | None:
    """Return a pending update by its id."""
    row = view.one(SELECT_UPDATE, update_id=update_id, now_ms=view.now_ms)
    return view.open_row(row, _update, table=_TABLE)


def list_updates(view: View, wanted: PendingFilter) -> list[PendingUpdate]:
    """Return the updates that a filter lets through, newest first."""
    session_key = None if wanted.session_id is None else view.sealer.blind_id("session", wanted.session_id)
    select = partial(
        view.all,
        SELECT_UPDATES,
        now_ms=view.now_ms,
        after_id=wanted.after_id,
        status=wanted.status,
        path=wanted.path,
        session_key=session_key,
    )
    return view.open_page(lambda limit: select(limit=limit), _update, table=_TABLE, limit=wanted.limit)


def read_open_update_like(view: View, key: str) -> PendingUpdate | None:
    """Return the open update that proposes the same."""
    match_hash = view.sealer.blind_id("pending", key)
    row = view.one(SELECT_OPEN_LIKE, match_hash=match_hash, now_ms=view.now_ms)
    return view.open_row(row, _update, table=_TABLE)


def add_update(view: View, update: PendingUpdate, *, key: str, most_open: int) -> None:
    """Write an update; the oldest open ones beyond `most_open` expire."""
    plain = update.model_dump(exclude={"id", *_SEALED})
    session_key = None if update.session_id is None else view.sealer.blind_id("session", update.session_id)
    view.run(
        INSERT_UPDATE,
        **plain,
        update_id=update.id,
        match_hash=view.sealer.blind_id("pending", key),
        session_key=session_key,
        content=_seal(view, update),
    )
    view.run(EXPIRE_OLDEST, kept=most_open, now_ms=view.now_ms)


def close_update(view: View, update_id: str, *, status: PendingStatus) -> bool:
    """Give an open update its end; False where it is open no longer."""
    return view.run(CLOSE_UPDATE, update_id=update_id, status=status, now_ms=view.now_ms) > 0


def note_stored(view: View, update_id: str, *, value: Any) -> None:
    """Keep what was confirmed in place of what an update proposed."""
    update = read_update(view, update_id)
    if update is not None:
        changed = update.model_copy(update={"stored": value})
        view.run(SET_CONTENT, update_id=update_id, content=_seal(view, changed))


def delete_updates_of_session(view: View, session_id: str) -> int:
    """Remove the open updates that came from a session; return how many."""
    session_key = view.sealer.blind_id("session", session_id)
    for (update_id,) in view.all(SELECT_OF_SESSION, session_key=session_key):
        note_forgotten(view, kind="p", target_id=update_id)
    return view.run(DELETE_OF_SESSION, session_key=session_key)


def _seal(view: View, update: PendingUpdate) -> bytes:
    content = update.model_dump(mode="json", include=_SEALED, exclude_defaults=True)
    return view.seal_json(content, f"pending_updates:{update.id}")


def _update(view: View, row: Row) -> PendingUpdate:
    update_id, op, path, origin, confidence, status, created_at_ms, expires_at_ms, sealed = row
    return PendingUpdate(
        id=update_id,
        op=op,
        path=path,
        origin=origin,
        confidence=confidence,
        status=status,
        created_at_ms=created_at_ms,
        expires_at_ms=expires_at_ms,
        **view.open_json(sealed, f"pending_updates:{update_id}"),
    )
