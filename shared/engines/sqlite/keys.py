"""Wrapped keys in the file: point reads for the vault, and wrapping them anew."""

from __future__ import annotations

from functools import partial
from typing import NamedTuple

import apsw

from shared.engines.master_keys import MasterKeys
from shared.engines.sqlite.connections import Readers, Row, translated_errors
from shared.engines.sqlite.opening import write_key_check
from shared.engines.sqlite.write_thread import WriteThread

_SLICE = 200

# The key of a scope that is being erased is for the erasure alone.
SELECT_SCOPE_KEY = """
SELECT wrapped FROM scope_keys WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND ending = 0
"""
# One point read for what every transaction asks first: the key, and how far the scope has come.
SELECT_SCOPE_STATE = """
SELECT k.wrapped, s.edits, s.newest_row, s.changes FROM scope_keys AS k JOIN scopes AS s
  ON s.tenant_id = :tenant_id AND s.scope_id = :scope_id
WHERE k.tenant_id = :tenant_id AND k.scope_id = :scope_id AND k.ending = 0
"""
SELECT_TENANT_KEY = "SELECT wrapped FROM tenants WHERE tenant_id = :tenant_id"
SELECT_KEYS_AFTER = """
SELECT tenant_id, scope_id, wrapped FROM scope_keys
WHERE (tenant_id, scope_id) > (:tenant_id, :scope_id) ORDER BY tenant_id, scope_id LIMIT :limit
"""
REPLACE_SCOPE_KEY = """
UPDATE scope_keys SET wrapped = :wrapped WHERE tenant_id = :tenant_id AND scope_id = :scope_id
"""
SELECT_TENANT_KEYS = "SELECT tenant_id, wrapped FROM tenants"
REPLACE_TENANT_KEY = "UPDATE tenants SET wrapped = :wrapped WHERE tenant_id = :tenant_id"


class ScopeState(NamedTuple):
    """A scope's wrapped key (None once it has ended), and its counters.

    `edits` counts changes to indexed rows, `newest_row` is the newest of these, `changes` counts write
    transactions.
    """

    wrapped: bytes | None
    edits: int = 0
    newest_row: int = 0
    changes: int = 0


NO_STATE = ScopeState(None)


def read_scope_state(connection: apsw.Connection, *, tenant_id: str, scope_id: str) -> ScopeState:
    """Return the state of a scope as this transaction sees it."""
    found: Row | None = connection.execute(
        SELECT_SCOPE_STATE, {"tenant_id": tenant_id, "scope_id": scope_id}
    ).fetchone()
    return ScopeState(None) if found is None else ScopeState(*found)


def read_scope_key(connection: apsw.Connection, *, tenant_id: str, scope_id: str) -> bytes | None:
    """Return the scope's wrapped key; None once it has ended."""
    wrapped: bytes | None = connection.execute(
        SELECT_SCOPE_KEY, {"tenant_id": tenant_id, "scope_id": scope_id}
    ).get
    return wrapped


def read_tenant_key(connection: apsw.Connection, tenant_id: str) -> bytes | None:
    """Return the tenant's wrapped key; None where there is no such tenant."""
    wrapped: bytes | None = connection.execute(SELECT_TENANT_KEY, {"tenant_id": tenant_id}).get
    return wrapped


class SqliteKeys:
    """The vault's source of wrapped keys: inline point reads."""

    def __init__(self, readers: Readers) -> None:
        self._readers = readers

    def wrapped_scope_key(self, tenant_id: str, scope_id: str) -> bytes | None:
        """Return the scope's wrapped key; None once it has ended."""
        with translated_errors():
            return read_scope_key(self._readers.connection(), tenant_id=tenant_id, scope_id=scope_id)

    def wrapped_tenant_key(self, tenant_id: str) -> bytes | None:
        """Return the tenant's wrapped key; None where there is no such tenant."""
        with translated_errors():
            return read_tenant_key(self._readers.connection(), tenant_id)


def rotate_keys(writes: WriteThread, master: MasterKeys) -> int:
    """Wrap by the first master key what another one wraps, in short transactions; return how many keys.

    Blocks: for a job or a command, not for a request. Cut short, it may simply be run again.
    """
    count = writes.submit(lambda connection: _renew_tenants(connection, master), durable=True).result()
    place = ("", "")
    before = None
    while place != before:
        before = place
        work = partial(_renew_slice, master=master, after=place)
        renewed, place = writes.submit(work, durable=True).result()
        count += renewed
    return count


def _renew_tenants(connection: apsw.Connection, master: MasterKeys) -> int:
    renewed = 0
    tenants: list[Row] = connection.execute(SELECT_TENANT_KEYS).fetchall()
    for tenant_id, wrapped in tenants:
        fresh = master.renew(wrapped)
        if fresh != wrapped:
            connection.execute(REPLACE_TENANT_KEY, {"tenant_id": tenant_id, "wrapped": fresh})
            renewed += 1
    write_key_check(connection, master)
    return renewed


def _renew_slice(
    connection: apsw.Connection, *, master: MasterKeys, after: tuple[str, str]
) -> tuple[int, tuple[str, str]]:
    """Renew the keys of up to 200 scopes after a place; return how many, and the place of the last."""
    place = {"tenant_id": after[0], "scope_id": after[1], "limit": _SLICE}
    found: list[Row] = connection.execute(SELECT_KEYS_AFTER, place).fetchall()
    renewed = 0
    for tenant_id, scope_id, wrapped in found:
        fresh = master.renew(wrapped)
        if fresh != wrapped:
            named = {"tenant_id": tenant_id, "scope_id": scope_id}
            connection.execute(REPLACE_SCOPE_KEY, {**named, "wrapped": fresh})
            renewed += 1
    return renewed, (found[-1][0], found[-1][1]) if found else after
