"""Erasing a scope from the file: index first, key last, and a signed receipt.

The request marks the scope's key as ending, so that from its commit on no reader and no writer of any
process can open or add anything. Rows go in short transactions that count what they delete; a run that
was cut off is simply run again. Which tables hold rows of scopes is read from the file itself, so that
no table can be forgotten.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, TypeVar

import apsw

from shared.clock import Clock
from shared.engines.sqlite import audit
from shared.engines.sqlite.connections import Readers, Row, run_pragma
from shared.engines.sqlite.keys import read_scope_key, read_tenant_key
from shared.engines.sqlite.records import unpack_terms
from shared.engines.sqlite.scope_rows import RowsCache
from shared.engines.sqlite.search import DELETE_ROW, SELECT_TERMS, unindex_row
from shared.engines.sqlite.view import View
from shared.engines.sqlite.write_thread import WriteThread
from shared.engines.vault import KeyVault, ScopeSealer
from shared.errors import Missing, Unavailable
from shared.ids import new_id
from shared.model.erasure import ErasedStores, Erasure
from shared.model.scope import Scope

T = TypeVar("T")
INDEX_SLICE = 20
ROW_SLICE = 200
# Rows that stay: who was here (bare), the chain without its sealed parts, the receipt, and ids of jobs.
KEPT_TABLES = frozenset({"scopes", "scope_keys", "audit", "erasures", "jobs"})

_COLUMNS = """
erasure_id, tenant_id, scope_id, kind, generation, state, stores, scope_created_at_ms, requested_at_ms,
key_destroyed_at_ms, signature
"""
SELECT_ERASURE = f"SELECT {_COLUMNS} FROM erasures WHERE tenant_id = :tenant_id AND erasure_id = :erasure_id"
SELECT_OF_SCOPE = f"SELECT {_COLUMNS} FROM erasures WHERE tenant_id = :tenant_id AND scope_id = :scope_id"
SELECT_UNFINISHED = f"""
SELECT {_COLUMNS} FROM erasures /* all scopes: whatever waits is run */
WHERE state <> 'done' ORDER BY erasure_id
"""
SELECT_OF_USER = f"""
SELECT {_COLUMNS} FROM erasures
WHERE tenant_id = :tenant_id AND state <> 'done' AND scope_id IN (
    SELECT scope_id FROM scopes WHERE tenant_id = :tenant_id AND outside_hash = :outside_hash
      AND scope_id IN (SELECT scope_id FROM erasures WHERE tenant_id = :tenant_id AND state <> 'done'))
"""
INSERT_ERASURE = """
INSERT INTO erasures (
    tenant_id, erasure_id, scope_id, kind, generation, state, stores, scope_created_at_ms, requested_at_ms)
SELECT :tenant_id, :erasure_id, :scope_id, kind, generation, 'queued', '{}', created_at_ms, :now_ms
FROM scopes WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND ended_at_ms IS NULL
"""
SELECT_STORES = "SELECT stores FROM erasures WHERE tenant_id = :tenant_id AND scope_id = :scope_id"
WRITE_STORES = """
UPDATE erasures SET stores = :stores, state = iif(state = 'queued', 'running', state)
WHERE tenant_id = :tenant_id AND scope_id = :scope_id
"""
NOTE_DESTROYED = """
UPDATE erasures SET key_destroyed_at_ms = :now_ms WHERE tenant_id = :tenant_id AND scope_id = :scope_id
"""
NOTE_DONE = """
UPDATE erasures SET state = 'done', signature = :signature
WHERE tenant_id = :tenant_id AND scope_id = :scope_id
"""
END_SCOPE = """
UPDATE scopes SET ended_at_ms = :now_ms, generation = generation + 1
WHERE tenant_id = :tenant_id AND scope_id = :scope_id
"""
# What names the user outside goes with the key; the scope's own id is a number drawn at random.
BARE_SCOPE = """
UPDATE scopes SET outside_hash = '', outside_id = x'' WHERE tenant_id = :tenant_id AND scope_id = :scope_id
"""
MARK_ENDING = "UPDATE scope_keys SET ending = 1 WHERE tenant_id = :tenant_id AND scope_id = :scope_id"
SELECT_ENDING_KEY = """
SELECT wrapped FROM scope_keys WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND ending = 1
"""
DELETE_KEY = "DELETE FROM scope_keys WHERE tenant_id = :tenant_id AND scope_id = :scope_id"
SELECT_INDEXED = """
SELECT row_id FROM search_rows WHERE tenant_id = :tenant_id AND scope_id = :scope_id LIMIT :limit
"""
DROP_DETAILS = """
UPDATE audit SET details = NULL WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND seq IN (
    SELECT seq FROM audit
    WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND details IS NOT NULL LIMIT :limit)
"""
DELETE_JOBS = "DELETE FROM jobs WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND job <> 'erase'"
SELECT_TABLES = "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name"


class SqliteErasures:
    """The port `Erasures` on one SQLite file."""

    def __init__(
        self,
        readers: Readers,
        writes: WriteThread,
        *,
        vault: KeyVault,
        clock: Clock,
        cache: RowsCache,
        settle_files: Callable[[], Awaitable[None]],
    ) -> None:
        self._readers = readers
        self._writes = writes
        self._vault = vault
        self._clock = clock
        self._cache = cache
        self._settle_files = settle_files

    async def begin(self, scope: Scope, *, actor: str, request_id: str) -> Erasure:
        """End a scope for everybody, and note its erasure; both are on the disk when this returns."""
        named = {"tenant_id": scope.tenant_id, "scope_id": scope.scope_id}

        def work(connection: apsw.Connection) -> Erasure:
            known = connection.execute(SELECT_OF_SCOPE, named).fetchone()
            if known is not None:
                return _erasure(known)
            now_ms = self._clock.now_ms()
            sealer = self._vault.sealer_of(scope, read_scope_key(connection, **named))
            view = self._view(connection, scope, sealer=sealer)
            audit.add_entry(view, "user.erase", path=None, details={}, actor=actor, request_id=request_id)
            view.run(INSERT_ERASURE, erasure_id=new_id("ers", now_ms=now_ms), now_ms=now_ms)
            view.run(END_SCOPE, now_ms=now_ms)
            view.run(MARK_ENDING)
            return _erasure(connection.execute(SELECT_OF_SCOPE, named).fetchone())

        erasure = await self._write(work)
        self._forget_keys(scope)
        return erasure

    async def find(self, tenant_id: str, erasure_id: str) -> Erasure | None:
        """Return an erasure by its id."""
        return self._one(SELECT_ERASURE, {"tenant_id": tenant_id, "erasure_id": erasure_id})

    async def of_scope(self, tenant_id: str, scope_id: str) -> Erasure | None:
        """Return the erasure of a scope."""
        return self._one(SELECT_OF_SCOPE, {"tenant_id": tenant_id, "scope_id": scope_id})

    async def of_user(self, tenant_id: str, user_id: str) -> Erasure | None:
        """Return the erasure that runs for a user, while the hash of their outside id still stands."""
        with self._readers.view() as connection:
            keys = self._vault.tenant_keys_of(tenant_id, read_tenant_key(connection, tenant_id))
        if keys is None:
            return None
        outside_hash = keys.name_outside("user", user_id)
        return self._one(SELECT_OF_USER, {"tenant_id": tenant_id, "outside_hash": outside_hash})

    async def unfinished(self) -> list[Erasure]:
        """Return the erasures that are not done."""
        with self._readers.view() as connection:
            return [_erasure(row) for row in connection.execute(SELECT_UNFINISHED)]

    async def delete_slice(self, erasure: Erasure) -> bool:
        """Delete 20 rows of the index, or 200 others; False once nothing is left."""

        def work(connection: apsw.Connection) -> bool:
            view = self._ending_view(connection, erasure.scope)
            if view is None:
                return False
            gone = _delete_slice(view)
            if gone is not None:
                _count(view, gone)
            return gone is not None

        return await self._write(work)

    async def count(self, erasure: Erasure, gone: ErasedStores) -> None:
        """Add to what went."""

        def work(connection: apsw.Connection) -> None:
            view = self._ending_view(connection, erasure.scope)
            if view is not None:
                _count(view, gone)

        await self._write(work)

    async def destroy_key(self, erasure: Erasure, *, snapshots_darkened: int) -> None:
        """Destroy the key; the audit notes that it went, and keeps no sealed part of the scope."""

        def work(connection: apsw.Connection) -> None:
            view = self._ending_view(connection, erasure.scope)
            if view is None:
                return
            audit.add_entry(view, "user.erased", path=None, details={}, actor="erase", request_id=erasure.id)
            _count(view, ErasedStores(snapshots_darkened=snapshots_darkened))
            view.run(DROP_DETAILS, limit=-1)
            view.run(DELETE_JOBS)
            view.run(DELETE_KEY)
            view.run(BARE_SCOPE)
            view.run(NOTE_DESTROYED, now_ms=view.now_ms)

        await self._write(work)
        self._forget_keys(erasure.scope)

    async def settle_files(self) -> None:
        """Write the key backup anew and empty the WAL."""
        await self._settle_files()

    async def finish(self, erasure: Erasure) -> Erasure:
        """Sign the receipt with the tenant's key; a done erasure is returned as it is."""
        named = {"tenant_id": erasure.tenant_id, "scope_id": erasure.scope_id}

        def work(connection: apsw.Connection) -> Erasure:
            known = _erasure(connection.execute(SELECT_OF_SCOPE, named).fetchone())
            if known.state == "done":
                return known
            keys = self._vault.tenant_keys_of(
                erasure.tenant_id, read_tenant_key(connection, erasure.tenant_id)
            )
            if keys is None:
                raise Unavailable("The tenant has no keys; restore it from a snapshot.")
            signature = keys.sign(receipt_bytes(known)).hex()
            connection.execute(NOTE_DONE, {**named, "signature": signature})
            return known.model_copy(update={"state": "done", "signature": signature})

        return await self._write(work)

    def _view(self, connection: apsw.Connection, scope: Scope, *, sealer: ScopeSealer) -> View:
        wrapped_tenant = read_tenant_key(connection, scope.tenant_id)
        return View(
            connection=connection,
            scope=scope,
            sealer=sealer,
            tenant_keys=self._vault.tenant_keys_of(scope.tenant_id, wrapped_tenant),
            now_ms=self._clock.now_ms(),
            cache=self._cache,
            writes=True,
        )

    def _ending_view(self, connection: apsw.Connection, scope: Scope) -> View | None:
        """Return a view of a scope that is being erased; None once its key is gone."""
        named = {"tenant_id": scope.tenant_id, "scope_id": scope.scope_id}
        wrapped = connection.execute(SELECT_ENDING_KEY, named).get
        if wrapped is None:
            return None
        return self._view(connection, scope, sealer=self._vault.passing_sealer(scope, wrapped))

    def _forget_keys(self, scope: Scope) -> None:
        self._cache.drop((scope.tenant_id, scope.scope_id))
        with suppress(Missing):
            self._vault.sealer_of(scope, None)

    def _one(self, statement: str, named: dict[str, str]) -> Erasure | None:
        with self._readers.view() as connection:
            found = connection.execute(statement, named).fetchone()
        return None if found is None else _erasure(found)

    async def _write(self, work: Callable[[apsw.Connection], T]) -> T:
        return await asyncio.wrap_future(self._writes.submit(work, durable=True))


def receipt_bytes(erasure: Erasure) -> bytes:
    """Return what a receipt's signature (HMAC-SHA256 with the tenant's key, in hex) is made over."""
    signed = {
        "erasure_id": erasure.id,
        "key_destroyed_at_ms": erasure.key_destroyed_at_ms,
        "stores": erasure.stores.model_dump(),
    }
    return b"erasure" + json.dumps(signed, sort_keys=True).encode()


def scoped_tables(connection: apsw.Connection) -> dict[str, list[str]]:
    """Return the tables with rows of scopes, each with the columns of its primary key."""
    tables = {}
    for (name,) in connection.execute(SELECT_TABLES):
        columns = run_pragma(connection, f"table_info('{name}')")
        if "scope_id" in {column[1] for column in columns}:
            tables[name] = [column[1] for column in columns if column[5]]
    return tables


def _delete_slice(view: View) -> ErasedStores | None:
    indexed = view.all(SELECT_INDEXED, limit=INDEX_SLICE)
    if indexed:
        terms = sum(_unindex(view, row_id) for (row_id,) in indexed)
        return ErasedStores(ltm_rows=len(indexed), index_terms=terms)
    for table, key in scoped_tables(view.connection).items():
        if table in KEPT_TABLES:
            continue
        columns = ", ".join(key)
        gone = view.run(
            f"DELETE FROM {table} WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND ({columns}) IN ("
            f"SELECT {columns} FROM {table} WHERE tenant_id = :tenant_id AND scope_id = :scope_id "
            "LIMIT :limit)",
            limit=ROW_SLICE,
        )
        if gone:
            return ErasedStores(ltm_rows=gone)
    bared = view.run(DROP_DETAILS, limit=ROW_SLICE)
    return ErasedStores(ltm_rows=bared) if bared else None


def _unindex(view: View, row_id: int) -> int:
    """Take a row out of the index; returns how many terms. What does not open any more just goes."""
    try:
        (sealed,) = view.one(SELECT_TERMS, row_id=row_id) or (b"",)
        terms, date_terms = unpack_terms(view.sealer.open(sealed, f"search_rows:{row_id}:terms"))
        unindex_row(view, row_id)
    except Missing:
        view.run(DELETE_ROW, row_id=row_id)
        return 0
    return len(terms) + len(date_terms)


def _count(view: View, gone: ErasedStores) -> None:
    (stores,) = view.one(SELECT_STORES) or ("{}",)
    total = ErasedStores(**json.loads(stores)).plus(gone)
    view.run(WRITE_STORES, stores=json.dumps(total.model_dump()))


def _erasure(row: Row | None) -> Erasure:
    if row is None:
        raise Missing("This scope has ended.", code="scope_ended")
    erasure_id, tenant_id, scope_id, kind, generation, state, stores, *times, signature = row
    created: Any
    created, requested, destroyed = times
    return Erasure(
        id=erasure_id,
        tenant_id=tenant_id,
        scope_id=scope_id,
        kind=kind,
        generation=generation,
        state=state,
        stores=ErasedStores(**json.loads(stores)),
        scope_created_at_ms=created,
        requested_at_ms=requested,
        key_destroyed_at_ms=destroyed,
        signature=signature,
    )
