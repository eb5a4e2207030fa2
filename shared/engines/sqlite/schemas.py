"""Each tenant's schema: every version that was ever put, the newest one in force."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from typing import Any

import apsw

from shared.clock import Clock
from shared.engines.sqlite.connections import Readers
from shared.engines.sqlite.write_thread import WriteThread
from shared.errors import Conflict
from shared.ports.directory import NO_VERSIONS, TenantVersions

NEWEST_VERSION = "SELECT coalesce(max(version), 0) FROM schemas WHERE tenant_id = :tenant_id"
# Every turn asks for both.
SELECT_VERSIONS = """
SELECT coalesce((SELECT max(version) FROM schemas WHERE tenant_id = :tenant_id), 0),
  coalesce((SELECT version FROM synonyms WHERE tenant_id = :tenant_id), 0)
"""
SELECT_DOCUMENT = """
SELECT document FROM schemas WHERE tenant_id = :tenant_id ORDER BY version DESC LIMIT 1
"""
INSERT_DOCUMENT = """
INSERT INTO schemas (tenant_id, version, document, created_at_ms)
VALUES (:tenant_id, :version, :document, :now_ms)
"""
FIRST_HELD_PATH = """
SELECT path FROM fields
WHERE /* all scopes: a schema is its tenant's */ tenant_id = :tenant_id AND valid_to_ms IS NULL
  AND NOT removed AND path IN (SELECT value FROM json_each(:paths)) LIMIT 1
"""


class SqliteSchemas:
    """The schemas of all tenants."""

    def __init__(self, readers: Readers, writes: WriteThread, *, clock: Clock) -> None:
        self._readers = readers
        self._writes = writes
        self._clock = clock

    async def versions(self, tenant_id: str) -> TenantVersions:
        """Return which versions of its documents a tenant has put."""
        with self._readers.view() as connection:
            found = connection.execute(SELECT_VERSIONS, {"tenant_id": tenant_id}).fetchone()
        return TenantVersions(*found) if found else NO_VERSIONS

    async def schema_document(self, tenant_id: str) -> dict[str, Any] | None:
        """Return the newest version."""
        with self._readers.view() as connection:
            found = connection.execute(SELECT_DOCUMENT, {"tenant_id": tenant_id}).fetchone()
        document: dict[str, Any] | None = None if found is None else json.loads(found[0])
        return document

    async def put_schema(
        self, tenant_id: str, document: Mapping[str, Any], *, read_version: int, vanished: Sequence[str]
    ) -> None:
        """Write the next version. Raises `Conflict` where a version came between, or a value is held."""

        def transaction(connection: apsw.Connection) -> None:
            newest = _newest(connection, tenant_id)
            if newest != read_version:
                raise Conflict(
                    "The schema has moved on; read it and send the change again.",
                    code="version_conflict",
                    field="version",
                )
            bound = {"tenant_id": tenant_id, "paths": json.dumps(list(vanished))}
            held = connection.execute(FIRST_HELD_PATH, bound).fetchone()
            if held is not None:
                raise Conflict(
                    f"{held[0]} still holds values: delete them first, or keep the path as it is.",
                    code="path_in_use",
                    field="paths",
                )
            connection.execute(
                INSERT_DOCUMENT,
                {
                    "tenant_id": tenant_id,
                    "version": document["version"],
                    "document": json.dumps(document, ensure_ascii=False),
                    "now_ms": self._clock.now_ms(),
                },
            )

        await asyncio.wrap_future(self._writes.submit(transaction))


def _newest(connection: apsw.Connection, tenant_id: str) -> int:
    found = connection.execute(NEWEST_VERSION, {"tenant_id": tenant_id}).fetchone()
    return 0 if found is None else int(found[0])
