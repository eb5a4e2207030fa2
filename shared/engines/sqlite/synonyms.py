"""Each tenant's table of synonyms: the newest one, with its number."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

import apsw

from shared.clock import Clock
from shared.engines.sqlite.audit import add_public_entry
from shared.engines.sqlite.connections import Readers, Row
from shared.engines.sqlite.keys import read_tenant_key
from shared.engines.sqlite.write_thread import WriteThread
from shared.engines.vault import KeyVault
from shared.errors import Conflict

SELECT_SYNONYMS = "SELECT version, groups FROM synonyms WHERE tenant_id = :tenant_id"
WRITE_SYNONYMS = """
INSERT INTO synonyms (tenant_id, version, groups, changed_at_ms)
VALUES (:tenant_id, :version, :groups, :now_ms)
ON CONFLICT (tenant_id) DO UPDATE SET version = :version, groups = :groups, changed_at_ms = :now_ms
"""


class SqliteSynonyms:
    """The synonyms of all tenants."""

    def __init__(self, readers: Readers, writes: WriteThread, *, vault: KeyVault, clock: Clock) -> None:
        self._readers = readers
        self._writes = writes
        self._vault = vault
        self._clock = clock

    async def synonyms(self, tenant_id: str) -> tuple[int, list[list[str]]] | None:
        """Return the number and the groups of a tenant's table."""
        with self._readers.view() as connection:
            found = _read(connection, tenant_id)
        return None if found is None else (found[0], json.loads(found[1]))

    async def put_synonyms(
        self,
        tenant_id: str,
        groups: Sequence[Sequence[str]],
        *,
        read_version: int | None,
        actor: str,
        request_id: str,
    ) -> int:
        """Put a table in the place of the former one, with its audit entry; return its number."""

        def transaction(connection: apsw.Connection) -> int:
            found = _read(connection, tenant_id)
            newest = 0 if found is None else int(found[0])
            if read_version is not None and read_version != newest:
                raise Conflict(
                    "The synonyms have moved on; read them and send the change again.",
                    code="version_conflict",
                    field="version",
                )
            now_ms = self._clock.now_ms()
            bound = {"tenant_id": tenant_id, "version": newest + 1, "now_ms": now_ms}
            text = json.dumps([list(group) for group in groups], ensure_ascii=False)
            connection.execute(WRITE_SYNONYMS, {**bound, "groups": text})
            keys = self._vault.tenant_keys_of(tenant_id, read_tenant_key(connection, tenant_id))
            public = ("synonyms.set", actor, request_id)
            if keys is not None:
                add_public_entry(connection, tenant_id, keys=keys, public=public, now_ms=now_ms)
            return newest + 1

        return await asyncio.wrap_future(self._writes.submit(transaction))


def _read(connection: apsw.Connection, tenant_id: str) -> Row | None:
    found: Row | None = connection.execute(SELECT_SYNONYMS, {"tenant_id": tenant_id}).fetchone()
    return found
