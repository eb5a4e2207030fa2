"""Versions of fields: gapless from 1, a new one ends the one before, removals are versions too."""

from __future__ import annotations

from typing import Any

from shared.engines.sqlite.connections import Row
from shared.engines.sqlite.view import View
from shared.model.memory import Ended, FieldVersion, Origin, Source

_TABLE = "fields"
_COLUMNS = "path, version, valid_from_ms, valid_to_ms, recorded_at_ms, origin, confirmed_at_ms, content"
SELECT_CURRENT = f"""
SELECT {_COLUMNS} FROM fields
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND valid_to_ms IS NULL AND NOT removed ORDER BY path
"""
SELECT_AS_OF = f"""
SELECT {_COLUMNS} FROM fields
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND NOT removed
  AND valid_from_ms <= :at_ms AND (valid_to_ms IS NULL OR valid_to_ms > :at_ms)
ORDER BY path, version
"""
SELECT_ONE = f"""
SELECT {_COLUMNS} FROM fields
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND path = :path AND valid_to_ms IS NULL AND NOT removed
"""
SELECT_HISTORY = f"""
SELECT {_COLUMNS} FROM fields
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND path = :path ORDER BY version
"""
SELECT_ENDED = f"""
SELECT superseded_by, {_COLUMNS} FROM fields
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND valid_to_ms IS NOT NULL AND NOT removed
ORDER BY valid_to_ms DESC LIMIT :limit
"""
SELECT_VERSION = f"""
SELECT {_COLUMNS} FROM fields
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND path = :path AND version = :version AND NOT removed
"""
NEWEST_VERSION = """
SELECT coalesce(max(version), 0) FROM fields
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND path = :path
"""
END_CURRENT = """
UPDATE fields SET valid_to_ms = :at_ms, superseded_by = :version
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND path = :path AND valid_to_ms IS NULL
"""
INSERT_VERSION = """
INSERT INTO fields (
    tenant_id, scope_id, path, version, removed, valid_from_ms, recorded_at_ms, origin, confirmed_at_ms,
    content)
VALUES (
    :tenant_id, :scope_id, :path, :version, :removed, :at_ms, :recorded_at_ms, :origin, :confirmed_at_ms,
    :content)
"""


def read_fields(view: View, *, as_of_ms: int | None) -> list[FieldVersion]:
    """Return the current fields by path, or those valid at a time; removed ones are left out."""
    if as_of_ms is None:
        return view.open_rows(view.all(SELECT_CURRENT), _field, table=_TABLE)
    # Where a clock went backwards two versions may claim the moment: the later one wins.
    valid = {row[0]: row for row in view.all(SELECT_AS_OF, at_ms=as_of_ms)}
    return view.open_rows(valid.values(), _field, table=_TABLE)


def read_field(view: View, path: str) -> FieldVersion | None:
    """Return the current version of a field; None when it has none or was removed."""
    return view.open_row(view.one(SELECT_ONE, path=path), _field, table=_TABLE)


def read_history(view: View, path: str) -> list[FieldVersion]:
    """Return all versions of a field, oldest first."""
    return view.open_rows(view.all(SELECT_HISTORY, path=path), _field, table=_TABLE)


def read_ended(view: View, *, limit: int) -> list[Ended]:
    """Return versions of fields that have ended, the last first, with the version after each."""
    return view.open_rows(view.all(SELECT_ENDED, limit=limit), _ended, table=_TABLE, key=1)


def put_field(
    view: View, path: str, *, value: Any, origin: Origin, source: Source, at_ms: int
) -> FieldVersion:
    """Write the next version of a field, and end the one before at `at_ms`."""
    newest = view.one(NEWEST_VERSION, path=path)
    version = 1 if newest is None else int(newest[0]) + 1
    confirmed_at_ms = at_ms if origin == "user" else None
    view.run(END_CURRENT, path=path, at_ms=at_ms, version=version)
    content = {"value": value, "source": source.model_dump(mode="json", exclude_defaults=True)}
    view.run(
        INSERT_VERSION,
        path=path,
        version=version,
        removed=value is None,
        at_ms=at_ms,
        recorded_at_ms=view.now_ms,
        origin=origin,
        confirmed_at_ms=confirmed_at_ms,
        content=view.seal_json(content, f"fields:{path}:{version}"),
    )
    return FieldVersion(
        path=path,
        value=value,
        version=version,
        valid_from_ms=at_ms,
        valid_to_ms=None,
        recorded_at_ms=view.now_ms,
        origin=origin,
        source=source,
        confirmed_at_ms=confirmed_at_ms,
    )


def _ended(view: View, row: Row) -> Ended:
    number, *columns = row
    old = _field(view, tuple(columns))
    newer = view.one(SELECT_VERSION, path=old.path, version=number)
    until_ms = old.valid_to_ms or old.recorded_at_ms
    return Ended(row=old, until_ms=until_ms, newer=view.open_row(newer, _field, table=_TABLE))


def _field(view: View, row: Row) -> FieldVersion:
    path, version, valid_from_ms, valid_to_ms, recorded_at_ms, origin, confirmed_at_ms, sealed = row
    content = view.open_json(sealed, f"fields:{path}:{version}")
    return FieldVersion(
        path=path,
        value=content["value"],
        version=version,
        valid_from_ms=valid_from_ms,
        valid_to_ms=valid_to_ms,
        recorded_at_ms=recorded_at_ms,
        origin=origin,
        source=Source(**content["source"]),
        confirmed_at_ms=confirmed_at_ms,
    )
