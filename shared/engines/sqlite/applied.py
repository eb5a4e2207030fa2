"""What was done already: keys of jobs and turns with a small result, kept sealed for 7 days."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from shared.engines.sqlite.view import View

_KEPT_MS = 7 * 86_400_000

SELECT_APPLIED = """
SELECT result FROM applied_jobs
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND key_hash = :key_hash AND applied_at_ms > :oldest_ms
"""
INSERT_APPLIED = """
INSERT INTO applied_jobs (tenant_id, scope_id, key_hash, applied_at_ms, result)
VALUES (:tenant_id, :scope_id, :key_hash, :now_ms, :result)
ON CONFLICT (tenant_id, scope_id, key_hash) DO UPDATE SET applied_at_ms = :now_ms, result = :result
"""
DELETE_OLD = """
DELETE FROM applied_jobs
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND applied_at_ms <= :oldest_ms
"""

DELETE_ONE = """
DELETE FROM applied_jobs WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND key_hash = :key_hash
"""
DELETE_ALL = "DELETE FROM applied_jobs WHERE tenant_id = :tenant_id AND scope_id = :scope_id"


def read_applied(view: View, key: str) -> Any | None:
    """Return what was kept for this key in the last 7 days."""
    key_hash = view.sealer.blind_id("applied", key)
    found = view.one(SELECT_APPLIED, key_hash=key_hash, oldest_ms=view.now_ms - _KEPT_MS)
    return None if found is None else view.open_json(found[0], f"applied_jobs:{key_hash}")


def mark_applied(view: View, key: str, *, result: Any) -> None:
    """Keep `result` for this key, and drop what is older than 7 days."""
    key_hash = view.sealer.blind_id("applied", key)
    sealed = view.seal_json(result, f"applied_jobs:{key_hash}")
    view.run(INSERT_APPLIED, key_hash=key_hash, now_ms=view.now_ms, result=sealed)
    view.run(DELETE_OLD, oldest_ms=view.now_ms - _KEPT_MS)


def drop_applied(view: View, keys: Sequence[str] | None) -> None:
    """Forget what was done under some keys; all of it for None."""
    if keys is None:
        view.run(DELETE_ALL)
    for key in keys or ():
        view.run(DELETE_ONE, key_hash=view.sealer.blind_id("applied", key))
