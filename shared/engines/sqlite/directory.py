"""Who exists: tenants, scopes, service keys.

An outside id is found by a hash that its tenant's key makes, and read back from a copy that its
scope's key seals: once the scope has ended, nobody can tell who it was.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Sequence
from hashlib import sha256

import apsw

from shared.clock import Clock
from shared.engines.key_backup import KeyBackup
from shared.engines.sqlite.audit import first_head, read_public_entries, verify_chain
from shared.engines.sqlite.connections import Readers, Row
from shared.engines.sqlite.keys import read_scope_key, read_tenant_key
from shared.engines.sqlite.write_thread import WriteThread
from shared.engines.vault import KeyVault, TenantKeys
from shared.errors import Missing
from shared.ids import new_id, new_row_id
from shared.ltm.index import INDEX_VERSION
from shared.model.memory import AuditEntry, AuditFilter
from shared.model.scope import ApiKey, Permission, Scope, ScopeKind

_SECRET_BYTES = 32

FIND_SCOPE = """
SELECT scope_id, generation FROM scopes
WHERE tenant_id = :tenant_id AND outside_hash = :outside_hash AND ended_at_ms IS NULL
"""
SELECT_SCOPE = """
SELECT kind, generation FROM scopes
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND ended_at_ms IS NULL
"""
SELECT_SCOPES_AFTER = """
SELECT tenant_id, scope_id, kind, generation FROM scopes
WHERE (tenant_id, scope_id) > (:tenant_id, :scope_id) AND ended_at_ms IS NULL
ORDER BY tenant_id, scope_id LIMIT :limit
"""
# Two ranges, since an index has no "other than".
SELECT_OUTDATED = """
SELECT tenant_id, scope_id, kind, generation FROM scopes /* all scopes: whose rows other rules have indexed */
WHERE ended_at_ms IS NULL AND (index_version < :version OR index_version > :version) LIMIT :limit
"""
SELECT_UNWEIGHED = """
SELECT DISTINCT tenant_id, scope_id FROM memories /* all scopes: who has any */
WHERE status = 'active' AND score_version BETWEEN 0 AND :version - 1 LIMIT :limit
"""
COUNT_UNWEIGHED = """
SELECT count(*), min(created_at_ms) FROM memories /* all scopes: an operator's count */
WHERE status = 'active' AND score_version BETWEEN 0 AND :version - 1
"""
SELECT_OUTSIDE_ID = """
SELECT outside_id FROM scopes
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND ended_at_ms IS NULL
"""
INSERT_SCOPE = """
INSERT INTO scopes (tenant_id, scope_id, kind, outside_hash, outside_id, created_at_ms, index_version)
VALUES (:tenant_id, :scope_id, :kind, :outside_hash, :outside_id, :now_ms, :index_version)
"""
INSERT_SCOPE_KEY = """
INSERT INTO scope_keys (tenant_id, scope_id, wrapped) VALUES (:tenant_id, :scope_id, :wrapped)
"""
SELECT_UNEMBEDDED = """
SELECT s.tenant_id, s.scope_id, s.kind, s.generation FROM scopes AS s /* all scopes: the embed job */
LEFT JOIN embedded AS e ON e.tenant_id = s.tenant_id AND e.scope_id = s.scope_id AND e.model = :model
WHERE s.ended_at_ms IS NULL AND s.newest_row > 0
  AND (e.model IS NULL OR e.edits <> s.edits OR e.newest_row <> s.newest_row)
ORDER BY s.tenant_id, s.scope_id LIMIT :limit
"""
INSERT_TENANT = """
INSERT INTO tenants (tenant_id, wrapped, created_at_ms, audit_seq, audit_code, audit_head_mac)
VALUES (:tenant_id, :wrapped, :now_ms, :seq, :code, :head_mac)
"""
_KEY_COLUMNS = "key_id, tenant_id, label, permissions, created_at_ms, revoked_at_ms"
FIND_KEY = f"SELECT {_KEY_COLUMNS} FROM api_keys WHERE key_hash = :key_hash AND revoked_at_ms IS NULL"
LIST_KEYS = f"SELECT {_KEY_COLUMNS} FROM api_keys WHERE tenant_id = :tenant_id ORDER BY key_id"
INSERT_KEY = """
INSERT INTO api_keys (tenant_id, key_id, key_hash, label, permissions, created_at_ms)
VALUES (:tenant_id, :key_id, :key_hash, :label, :permissions, :now_ms)
"""
REVOKE_KEY = """
UPDATE api_keys SET revoked_at_ms = :now_ms
WHERE tenant_id = :tenant_id AND key_id = :key_id AND revoked_at_ms IS NULL
"""


def hash_key(secret: str) -> str:
    """Return the SHA-256 under which a service key is stored; 256 random bits need no slow hash."""
    return sha256(secret.encode()).hexdigest()


class SqliteDirectory:
    """Tenants, keys and scopes."""

    def __init__(
        self, readers: Readers, writes: WriteThread, *, vault: KeyVault, clock: Clock, backup: KeyBackup
    ) -> None:
        self._readers = readers
        self._writes = writes
        self._vault = vault
        self._clock = clock
        self._backup = backup

    async def find_scope(self, tenant_id: str, kind: ScopeKind, *, outside_id: str) -> Scope | None:
        """Return the living scope of an outside id."""
        with self._readers.view() as connection:
            keys = self._vault.tenant_keys_of(tenant_id, read_tenant_key(connection, tenant_id))
            return (
                None if keys is None else _find_scope(connection, keys, named=(tenant_id, kind, outside_id))
            )

    async def ensure_scope(self, tenant_id: str, kind: ScopeKind, *, outside_id: str) -> Scope:
        """Return the scope, made with a fresh data key where there was none."""
        found = await self.find_scope(tenant_id, kind, outside_id=outside_id)
        if found is not None:
            return found

        def transaction(connection: apsw.Connection) -> Scope:
            keys = self._ensure_tenant(connection, tenant_id)
            known = _find_scope(connection, keys, named=(tenant_id, kind, outside_id))
            return known or self._make_scope(connection, keys, named=(tenant_id, kind, outside_id))

        # On the disk before anything is sealed with it: what Redis holds would not open any more.
        return await asyncio.wrap_future(self._writes.submit(transaction, durable=True))

    async def scope_by_id(self, tenant_id: str, scope_id: str) -> Scope | None:
        """Return a living scope by its id."""
        with self._readers.view() as connection:
            found = connection.execute(
                SELECT_SCOPE, {"tenant_id": tenant_id, "scope_id": scope_id}
            ).fetchone()
        if found is None:
            return None
        return Scope(tenant_id=tenant_id, scope_id=scope_id, kind=found[0], generation=found[1])

    async def scopes_after(self, scope: Scope | None, *, limit: int) -> list[Scope]:
        """Return living scopes of all tenants in the order of their ids."""
        after = ("", "") if scope is None else (scope.tenant_id, scope.scope_id)
        named = {"tenant_id": after[0], "scope_id": after[1], "limit": limit}
        with self._readers.view() as connection:
            found = connection.execute(SELECT_SCOPES_AFTER, named).fetchall()
        return [
            Scope(tenant_id=tenant_id, scope_id=scope_id, kind=kind, generation=generation)
            for tenant_id, scope_id, kind, generation in found
        ]

    async def scopes_to_weigh(self, *, version: int, limit: int) -> list[Scope]:
        """Return living scopes that have memories which no rule of this version has weighed."""
        with self._readers.view() as connection:
            found: list[Row] = connection.execute(
                SELECT_UNWEIGHED, {"version": version, "limit": limit}
            ).fetchall()
        scopes = [await self.scope_by_id(tenant_id, scope_id) for tenant_id, scope_id in found]
        return [scope for scope in scopes if scope is not None]

    async def scopes_to_reindex(self, *, version: int, limit: int) -> list[Scope]:
        """Return living scopes that have, or may have, rows which rules of another version have indexed."""
        with self._readers.view() as connection:
            found = connection.execute(SELECT_OUTDATED, {"version": version, "limit": limit}).fetchall()
        return [
            Scope(tenant_id=tenant_id, scope_id=scope_id, kind=kind, generation=generation)
            for tenant_id, scope_id, kind, generation in found
        ]

    async def count_unweighed(self, *, version: int) -> tuple[int, int | None]:
        """Return how many memories of all scopes that is, and when the oldest of them was made."""
        with self._readers.view() as connection:
            count, oldest_ms = connection.execute(COUNT_UNWEIGHED, {"version": version}).fetchone() or (
                0,
                None,
            )
        return int(count), oldest_ms

    async def scopes_to_embed(self, *, model: str, limit: int) -> list[Scope]:
        """Return living scopes that have rows without a vector of this model, or vectors of another."""
        with self._readers.view() as connection:
            found: list[Row] = connection.execute(
                SELECT_UNEMBEDDED, {"model": model, "limit": limit}
            ).fetchall()
        return [
            Scope(tenant_id=tenant_id, scope_id=scope_id, kind=kind, generation=generation)
            for tenant_id, scope_id, kind, generation in found
        ]

    async def outside_id(self, scope: Scope) -> str:
        """Return what the tenant calls this scope. Raises `Missing` once it has ended."""
        named = {"tenant_id": scope.tenant_id, "scope_id": scope.scope_id}
        with self._readers.view() as connection:
            sealer = self._vault.sealer_of(scope, read_scope_key(connection, **named))
            sealed: bytes | None = connection.execute(SELECT_OUTSIDE_ID, named).get
        if sealed is None:
            raise Missing("This scope has ended.", code="scope_ended")
        return sealer.open(sealed, "scopes:outside_id").decode()

    async def find_key(self, key_hash: str) -> ApiKey | None:
        """Return the key that is stored under this SHA-256 and not revoked."""
        with self._readers.view() as connection:
            found = connection.execute(FIND_KEY, {"key_hash": key_hash}).fetchone()
        return None if found is None else _api_key(found)

    async def create_key(
        self, tenant_id: str, *, label: str, permissions: Sequence[Permission]
    ) -> tuple[ApiKey, str]:
        """Make a key; its secret is returned this once."""
        secret = f"bl_{secrets.token_urlsafe(_SECRET_BYTES)}"
        now_ms = self._clock.now_ms()
        key = ApiKey(
            id=new_id("key", now_ms=now_ms),
            tenant_id=tenant_id,
            label=label,
            permissions=tuple(permissions),
            created_at_ms=now_ms,
        )
        stored = {
            "tenant_id": tenant_id,
            "key_id": key.id,
            "key_hash": hash_key(secret),
            "label": label,
            "permissions": " ".join(key.permissions),
            "now_ms": now_ms,
        }

        def transaction(connection: apsw.Connection) -> None:
            self._ensure_tenant(connection, tenant_id)
            connection.execute(INSERT_KEY, stored)

        await asyncio.wrap_future(self._writes.submit(transaction, durable=True))
        return key, secret

    async def list_keys(self, tenant_id: str) -> list[ApiKey]:
        """Return a tenant's keys, the oldest first, revoked ones too."""
        with self._readers.view() as connection:
            return [_api_key(row) for row in connection.execute(LIST_KEYS, {"tenant_id": tenant_id})]

    async def revoke_key(self, tenant_id: str, key_id: str) -> bool:
        """Revoke a key at once; False where there is none that is still good."""
        named = {"tenant_id": tenant_id, "key_id": key_id, "now_ms": self._clock.now_ms()}

        def transaction(connection: apsw.Connection) -> bool:
            connection.execute(REVOKE_KEY, named)
            return connection.changes() > 0

        return await asyncio.wrap_future(self._writes.submit(transaction, durable=True))

    async def tenant_audit(self, tenant_id: str, wanted: AuditFilter) -> list[AuditEntry]:
        """Return the tenant's audit lines that are of no user, newest first."""
        with self._readers.view() as connection:
            return read_public_entries(connection, tenant_id, wanted=wanted)

    async def verify_audit(self, tenant_id: str) -> tuple[bool, int, str]:
        """Return whether the tenant's chain holds, how many entries it has, and what is wrong."""
        return await asyncio.to_thread(self._verify_audit, tenant_id)

    def _verify_audit(self, tenant_id: str) -> tuple[bool, int, str]:
        with self._readers.view() as connection:
            keys = self._vault.tenant_keys_of(tenant_id, read_tenant_key(connection, tenant_id))
            if keys is None:
                return True, 0, ""
            return verify_chain(connection, tenant_id, keys=keys)

    def _ensure_tenant(self, connection: apsw.Connection, tenant_id: str) -> TenantKeys:
        wrapped = read_tenant_key(connection, tenant_id)
        if wrapped is not None:
            known = self._vault.tenant_keys_of(tenant_id, wrapped)
            if known is not None:
                return known
        wrapped, keys = self._vault.make_tenant_keys()
        new = {"tenant_id": tenant_id, "wrapped": wrapped, "now_ms": self._clock.now_ms()}
        connection.execute(INSERT_TENANT, {**new, **first_head(keys)})
        self._backup.append((tenant_id, ""), wrapped)
        return keys

    def _make_scope(
        self, connection: apsw.Connection, keys: TenantKeys, *, named: tuple[str, ScopeKind, str]
    ) -> Scope:
        tenant_id, kind, outside_id = named
        now_ms = self._clock.now_ms()
        scope = Scope(tenant_id=tenant_id, scope_id=new_row_id("scp", now_ms=now_ms), kind=kind)
        wrapped = self._vault.master.make_wrapped_key()
        sealer = self._vault.sealer_of(scope, wrapped)
        ids = {"tenant_id": tenant_id, "scope_id": scope.scope_id}
        connection.execute(INSERT_SCOPE_KEY, {**ids, "wrapped": wrapped})
        self._backup.append((tenant_id, scope.scope_id), wrapped)
        connection.execute(
            INSERT_SCOPE,
            {
                **ids,
                "kind": kind,
                "outside_hash": keys.name_outside(kind, outside_id),
                "outside_id": sealer.seal(outside_id.encode(), "scopes:outside_id"),
                "now_ms": now_ms,
                "index_version": INDEX_VERSION,
            },
        )
        return scope


def _find_scope(
    connection: apsw.Connection, keys: TenantKeys, *, named: tuple[str, ScopeKind, str]
) -> Scope | None:
    tenant_id, kind, outside_id = named
    outside_hash = keys.name_outside(kind, outside_id)
    found = connection.execute(FIND_SCOPE, {"tenant_id": tenant_id, "outside_hash": outside_hash}).fetchone()
    if found is None:
        return None
    return Scope(tenant_id=tenant_id, scope_id=found[0], kind=kind, generation=found[1])


def _api_key(row: Row) -> ApiKey:
    key_id, tenant_id, label, permissions, created_at_ms, revoked_at_ms = row
    return ApiKey(
        id=key_id,
        tenant_id=tenant_id,
        label=label,
        permissions=tuple(Permission(name) for name in permissions.split()),
        created_at_ms=created_at_ms,
        revoked_at_ms=revoked_at_ms,
    )
