"""What a snapshot copies: all plain tables but the keys, as one transaction sees them.

The index is left out: it is made anew from the sealed terms of each row. So are vectors, from its words, and
blocks, from its records.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import apsw

from shared.engines.key_backup import KeyBackup, KeyName
from shared.engines.snapshot_files import SnapshotFolder
from shared.engines.sqlite.connections import run_pragma
from shared.errors import StartupProblem
from shared.model.snapshot import Snapshot

LEFT_OUT = frozenset({"scope_keys", "vectors", "embedded", "blocks"})

SELECT_LINES = "SELECT name, value FROM deployment"
SELECT_LIVING_KEYS = """
SELECT tenant_id, scope_id, wrapped FROM scope_keys /* all scopes: the backup holds every living key */
WHERE ending = 0 ORDER BY tenant_id, scope_id
"""
IS_KNOWN = "SELECT 1 FROM scopes WHERE tenant_id = :tenant_id AND scope_id = :scope_id"
SELECT_TENANT_KEYS = "SELECT tenant_id, wrapped FROM tenants ORDER BY tenant_id"


def write_snapshot(
    connection: apsw.Connection, folder: SnapshotFolder, *, snapshot_id: str, tag: str, now_ms: int
) -> Snapshot:
    """Write a snapshot of what this transaction sees."""
    lines = dict(connection.execute(SELECT_LINES))
    writer = folder.begin(snapshot_id)
    try:
        for table in plain_tables(connection):
            columns = [column[1] for column in run_pragma(connection, f"table_info('{table}')")]
            writer.write_table(table, columns, rows=connection.execute(f"SELECT * FROM {table}"))
        return writer.finish(
            Snapshot(
                id=snapshot_id,
                tag=tag,
                created_at_ms=now_ms,
                environment=lines["environment"],
                schema_version=int(lines["schema_version"]),
                tables={},
            )
        )
    except BaseException:  # raised again: half a snapshot must not lie there
        writer.give_up()
        raise


def write_key_backup(
    connection: apsw.Connection, backup: KeyBackup, *, renew: Callable[[bytes], bytes] | None = None
) -> None:
    """Write the key backup anew; the caller holds the write lock.

    Keys of scopes that this store has never seen stay: a store that was lost is still to be restored. Where
    the master key changes, `renew` wraps those anew too; what none of the master keys opens stays as it is.
    """
    foreign = {
        name: wrapped if renew is None else _renewed(wrapped, renew)
        for name, wrapped in backup.read().items()
        if _is_foreign(connection, name)
    }
    backup.rewrite((foreign | dict(_living_keys(connection))).items())


def _renewed(wrapped: bytes, renew: Callable[[bytes], bytes]) -> bytes:
    try:
        return renew(wrapped)
    except StartupProblem:
        return wrapped


def plain_tables(connection: apsw.Connection) -> list[str]:
    """Return the tables that a snapshot copies: neither the keys, nor the index, nor SQLite's own."""
    tables = [
        name
        for _, name, kind, *_ in run_pragma(connection, "table_list")
        if kind == "table" and not name.startswith("sqlite_") and name not in LEFT_OUT
    ]
    return sorted(tables)


def _living_keys(connection: apsw.Connection) -> Iterator[tuple[KeyName, bytes]]:
    for tenant_id, wrapped in connection.execute(SELECT_TENANT_KEYS):
        yield (tenant_id, ""), wrapped
    for tenant_id, scope_id, wrapped in connection.execute(SELECT_LIVING_KEYS):
        yield (tenant_id, scope_id), wrapped


def _is_foreign(connection: apsw.Connection, name: KeyName) -> bool:
    tenant_id, scope_id = name
    return connection.execute(IS_KNOWN, {"tenant_id": tenant_id, "scope_id": scope_id}).get is None
