"""Which sessions a user deleted, and when last: by keyed hashes of their ids, and '' for all of them."""

from __future__ import annotations

import json
from collections.abc import Collection

from shared.engines.sqlite.view import View

_ALL = ""
SELECT_DELETED = """
SELECT session_key, at_ms FROM deleted_sessions
WHERE tenant_id = :tenant_id AND scope_id = :scope_id
  AND (session_key = '' OR session_key IN (SELECT value FROM json_each(:keys)))
"""
NOTE_DELETED = """
INSERT INTO deleted_sessions (tenant_id, scope_id, session_key, at_ms)
VALUES (:tenant_id, :scope_id, :session_key, :now_ms)
ON CONFLICT (tenant_id, scope_id, session_key) DO UPDATE SET at_ms = max(at_ms, :now_ms)
"""


def read_deleted_sessions(view: View, session_ids: Collection[str]) -> dict[str, int]:
    """Return when each of these sessions was deleted last, for those that were."""
    keys = {session_id: view.sealer.blind_id("session", session_id) for session_id in session_ids}
    found: dict[str, int] = dict(view.all(SELECT_DELETED, keys=json.dumps(list(keys.values()))))
    times = {name: max(found.get(key, 0), found.get(_ALL, 0)) for name, key in keys.items()}
    return {name: at_ms for name, at_ms in times.items() if at_ms}


def note_deleted_session(view: View, session_id: str | None) -> None:
    """Note that a session is deleted now; None for all of them."""
    key = _ALL if session_id is None else view.sealer.blind_id("session", session_id)
    view.run(NOTE_DELETED, session_key=key, now_ms=view.now_ms)
