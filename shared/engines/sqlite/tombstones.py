"""Tombstones: found by keyed hashes of a value's forms; the value itself is sealed."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from shared.engines.sqlite.connections import Row
from shared.engines.sqlite.view import View
from shared.model.pending import Tombstone

_TABLE = "tombstones"
_COLUMNS = "tombstone_id, path, cause, at_ms, restated, names, content"
SELECT_BY_KEYS = f"""
SELECT {_COLUMNS} FROM tombstones
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND tombstone_id IN (
    SELECT tombstone_id FROM tombstone_keys WHERE tenant_id = :tenant_id AND scope_id = :scope_id
      AND match_hash IN (SELECT value FROM json_each(:hashes)))
ORDER BY tombstone_id
"""
SELECT_ALL = f"""
SELECT {_COLUMNS} FROM tombstones
WHERE tenant_id = :tenant_id AND scope_id = :scope_id ORDER BY tombstone_id
"""
INSERT_TOMBSTONE = """
INSERT INTO tombstones (tenant_id, scope_id, tombstone_id, path, cause, at_ms, restated, names, content)
VALUES (:tenant_id, :scope_id, :tombstone_id, :path, :cause, :at_ms, :restated, :names, :content)
"""
INSERT_KEY = """
INSERT INTO tombstone_keys (tenant_id, scope_id, match_hash, tombstone_id)
VALUES (:tenant_id, :scope_id, :match_hash, :tombstone_id)
"""
NOTE_RESTATED = """
UPDATE tombstones SET restated = 1
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND tombstone_id = :tombstone_id
"""
DELETE_TOMBSTONE = """
DELETE FROM tombstones
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND tombstone_id = :tombstone_id
"""
DELETE_KEYS = """
DELETE FROM tombstone_keys
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND tombstone_id = :tombstone_id
"""


def find_tombstones(view: View, keys: Sequence[str]) -> list[Tombstone]:
    """Return the tombstones that stand on any of these keys, oldest first; one that does not open too."""
    hashes = json.dumps([view.sealer.blind_id("tombstone", key) for key in keys])
    return [_standing(view, row) for row in view.all(SELECT_BY_KEYS, hashes=hashes)]


def list_tombstones(view: View) -> list[Tombstone]:
    """Return all tombstones of the scope, oldest first."""
    return view.open_rows(view.all(SELECT_ALL), _tombstone, table=_TABLE)


def add_tombstone(view: View, tombstone: Tombstone, *, keys: Sequence[str]) -> None:
    """Write a tombstone under its keys."""
    view.run(
        INSERT_TOMBSTONE,
        tombstone_id=tombstone.id,
        path=tombstone.path,
        cause=tombstone.cause,
        at_ms=tombstone.at_ms,
        restated=tombstone.restated,
        names=json.dumps(tombstone.names, ensure_ascii=False),
        content=view.seal_json(tombstone.value, f"tombstones:{tombstone.id}"),
    )
    for match_hash in {view.sealer.blind_id("tombstone", key) for key in keys}:
        view.run(INSERT_KEY, match_hash=match_hash, tombstone_id=tombstone.id)


def note_restated(view: View, tombstone_id: str) -> None:
    """Note that the user has said the value again, so that it is proposed once and not twice."""
    view.run(NOTE_RESTATED, tombstone_id=tombstone_id)


def lift_tombstones(view: View, keys: Sequence[str]) -> int:
    """Remove the tombstones on any of these keys; return how many."""
    found = find_tombstones(view, keys)
    for tombstone in found:
        view.run(DELETE_KEYS, tombstone_id=tombstone.id)
        view.run(DELETE_TOMBSTONE, tombstone_id=tombstone.id)
    return len(found)


def _standing(view: View, row: Row) -> Tombstone:
    return view.open_row(row, _tombstone, table=_TABLE) or _built(row, value=None)


def _tombstone(view: View, row: Row) -> Tombstone:
    return _built(row, value=view.open_json(row[-1], f"{_TABLE}:{row[0]}"))


def _built(row: Row, *, value: Any) -> Tombstone:
    tombstone_id, path, cause, at_ms, restated, names, _ = row
    return Tombstone(
        id=tombstone_id,
        path=path,
        value=value,
        cause=cause,
        at_ms=at_ms,
        restated=bool(restated),
        names=tuple(json.loads(names)),
    )
