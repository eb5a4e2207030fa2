"""Bringing a snapshot back, in one transaction: all of it, or nothing.

Into a store that lives, users' rows are replaced, and what must never go backwards is left as it is: who
exists and who was erased, keys, the audit, bans, tombstones, what was forgotten. Into an empty store
everything comes. Rows of users without a key stay away (they could not be read), and so does what was
forgotten since. The index is made anew from each row's sealed terms.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import apsw

from shared.engines.key_backup import KeyName
from shared.engines.snapshot_files import SnapshotFolder
from shared.engines.sqlite.audit import add_public_entry
from shared.engines.sqlite.connections import run_pragma
from shared.engines.sqlite.erasing import scoped_tables
from shared.engines.sqlite.keys import read_scope_key, read_tenant_key
from shared.engines.sqlite.records import unpack_terms
from shared.engines.sqlite.search import INSERT_INDEXED
from shared.engines.vault import KeyVault, ScopeSealer
from shared.errors import Conflict, Missing
from shared.model.scope import Scope
from shared.model.snapshot import RestoreReport, Snapshot

# Of the deployment, or merged by hand.
_APART = frozenset({"deployment", "row_counter", "tenants", "scopes", "scope_keys"})
# A living tenant's or scope's own rows win whole: time does not run backwards for them.
_TENANT_TABLES = frozenset({"api_keys", "schemas", "synonyms", "audit", "erasures", "jobs"})
_KEPT_TABLES = frozenset(
    {
        "tombstones",
        "tombstone_keys",
        "forgotten",
        "forgotten_rows",
        "deleted_sessions",
        "applied_jobs",
        "topics",
    }
)
_TARGETS = {
    "memories": ("m", "memory_id"),
    "episodes": ("e", "message_id"),
    "search_rows": (None, "target_id"),
    "digests": ("d", "session_key"),
    "pending_updates": ("p", "update_id"),
    "habits": ("h", "habit_hash"),
}
# A deletion that was under way when the snapshot began may not show in it, though it began before.
_UNDER_WAY_MS = 5_000

SELECT_LINE = "SELECT value FROM deployment WHERE name = :name"
SELECT_TENANTS = "SELECT tenant_id FROM tenants"
SELECT_SCOPES = "SELECT tenant_id, scope_id FROM scopes /* all scopes: who is here */"
SELECT_LIVING = """
SELECT s.tenant_id, s.scope_id FROM scopes AS s
JOIN scope_keys AS k ON k.tenant_id = s.tenant_id AND k.scope_id = s.scope_id AND k.ending = 0
WHERE s.ended_at_ms IS NULL /* all scopes: the whole store comes back */
"""
SELECT_CODE = "SELECT code FROM audit WHERE tenant_id = :tenant_id AND seq = :seq"
INSERT_KEY = """
INSERT INTO scope_keys (tenant_id, scope_id, wrapped) VALUES (:tenant_id, :scope_id, :wrapped)
"""
END_KEYLESS = """
UPDATE scopes SET ended_at_ms = coalesce(ended_at_ms, :now_ms), outside_hash = '', outside_id = x''
WHERE (tenant_id, scope_id) NOT IN (SELECT tenant_id, scope_id FROM scope_keys) /* all scopes: the keyless */
"""
BARE_AUDIT = """
UPDATE audit SET details = NULL WHERE scope_id NOT IN (
    SELECT scope_id FROM scope_keys) /* all scopes: the keyless */
"""
# Digests and habits keep their names: one that was made after the deletion is another one.
SELECT_FORGOTTEN = """
SELECT tenant_id, scope_id, kind, target_id FROM forgotten_rows
WHERE kind NOT IN ('d', 'h') OR at_ms >= :since_ms /* all scopes: a restore */
"""
SELECT_CUT = "SELECT DISTINCT tenant_id, scope_id, message_id FROM forgotten /* all scopes: a restore */"
SELECT_RESOLVED = """
SELECT tenant_id, scope_id, update_id FROM pending_updates WHERE status <> 'open' /* all scopes: a restore */
"""
SELECT_BARRED_PATHS = """
SELECT tenant_id, scope_id, path FROM tombstones WHERE path IS NOT NULL AND at_ms >= :since_ms
UNION SELECT tenant_id, scope_id, path FROM fields
WHERE removed = 1 AND valid_to_ms IS NULL AND recorded_at_ms >= :since_ms /* all scopes: a restore */
"""
# The vectors themselves went with the rows that the restore replaced.
DELETE_EMBEDDED = "DELETE FROM embedded /* all scopes: vectors are made anew */"
EMPTY_INDEX = "INSERT INTO search_index (search_index) VALUES ('delete-all')"
SELECT_TERMS = (
    "SELECT tenant_id, scope_id, row_id, terms FROM search_rows ORDER BY 1, 2, 3 /* all scopes: the index */"
)
DELETE_BARE_SESSIONS = """
DELETE FROM sessions WHERE (tenant_id, scope_id, session_no) NOT IN (
    SELECT tenant_id, scope_id, session_no FROM episodes) /* all scopes: sessions of no episode */
"""
DELETE_BARE_EXTRACTIONS = """
DELETE FROM extractions WHERE (tenant_id, scope_id, session_key, epoch) NOT IN (
    SELECT tenant_id, scope_id, session_key, epoch FROM sessions) /* all scopes: readings of no session */
"""
NOTE_ROWS = """
UPDATE scopes SET edits = edits + 1, changes = changes + 1, index_version = 0, newest_row = coalesce((
    SELECT max(row_id) FROM search_rows AS r
    WHERE r.tenant_id = scopes.tenant_id AND r.scope_id = scopes.scope_id), 0)
WHERE 1 /* all scopes: every cache is stale */
"""
RAISE_COUNTER = "UPDATE row_counter SET newest = max(newest, :newest) /* all scopes: no id comes twice */"

# Tenant and scope, and then what is named within.
Named = tuple[Any, ...]


@dataclass(slots=True)
class Restoring:
    """What a restore works with, and what it counts on its way."""

    snapshot: Snapshot
    folder: SnapshotFolder
    keys: dict[KeyName, bytes]
    vault: KeyVault
    now_ms: int
    counts: Counter[str] = field(default_factory=Counter)

    def rows(self, table: str) -> Iterator[dict[str, Any]]:
        """Yield the snapshot's rows of a table."""
        return self.folder.rows(self.snapshot.id, table)


@dataclass(frozen=True, slots=True)
class Standing:
    """What the store holds before: who is here, and rows that the snapshot may not put back as they were.

    `held` rows stay as they are now, `gone` ones do not come.
    """

    tenants: frozenset[str]
    scopes: frozenset[Named]
    gone: frozenset[Named]
    held: dict[str, frozenset[Named]]

    def is_gone(self, table: str, row: dict[str, Any]) -> bool:
        """Return whether a row was forgotten since."""
        kind, column = _TARGETS.get(table, (None, ""))
        if not column:
            return False
        kinds = (kind,) if kind else (row["kind"],)
        return any((row["tenant_id"], row["scope_id"], each, row[column]) in self.gone for each in kinds)


# Which column of a table names what is held.
_HELD = {
    "episodes": "message_id",
    "search_rows": "target_id",
    "fields": "path",
    "pending_updates": "update_id",
}


def restore_rows(connection: apsw.Connection, restoring: Restoring) -> RestoreReport:
    """Restore a snapshot within the transaction of the caller."""
    _check(connection, restoring)
    standing = _look(connection, restoring)
    _merge_scopes(connection, restoring, standing=standing)
    living = _names(connection, SELECT_LIVING)
    tables = scoped_tables(connection)
    for table in sorted(restoring.snapshot.tables):
        if table in _TENANT_TABLES:
            _fill_tenants(connection, restoring, table=table, standing=standing)
        elif table in _KEPT_TABLES:
            _fill_scopes(connection, restoring, table=table, absent=living - standing.scopes)
        elif table in tables and table not in _APART:
            _replace(connection, restoring, table=table, living=living, standing=standing)
    connection.execute(BARE_AUDIT)
    _rebuild_index(connection, restoring)
    for row in restoring.rows("row_counter"):
        connection.execute(RAISE_COUNTER, row)
    _note_restored(connection, restoring)
    counts = restoring.counts
    return RestoreReport(
        snapshot_id=restoring.snapshot.id,
        rows=counts["rows"],
        dark_rows=counts["dark"],
        withheld_rows=counts["withheld"],
    )


def _check(connection: apsw.Connection, restoring: Restoring) -> None:
    """Raise `Conflict` where the snapshot belongs to another environment, program or store."""
    snapshot = restoring.snapshot
    environment = connection.execute(SELECT_LINE, {"name": "environment"}).get
    version = int(connection.execute(SELECT_LINE, {"name": "schema_version"}).get)
    if snapshot.environment != environment:
        raise Conflict(
            f"The snapshot is of the environment '{snapshot.environment}', the store of '{environment}'.",
            code="snapshot_foreign",
        )
    if snapshot.schema_version > version:
        raise Conflict(
            "The snapshot was made by a newer version of the program; install that one first.",
            code="snapshot_foreign",
        )
    for row in restoring.rows("tenants"):
        code = connection.execute(SELECT_CODE, {"tenant_id": row["tenant_id"], "seq": row["audit_seq"]}).get
        is_here = read_tenant_key(connection, row["tenant_id"]) is not None
        if is_here and row["audit_seq"] and code != row["audit_code"]:
            raise Conflict(
                "The snapshot is of another store: its audit is none that this one has gone through. "
                "Restore it into an empty data folder.",
                code="snapshot_foreign",
            )


def _look(connection: apsw.Connection, restoring: Restoring) -> Standing:
    cut = _names(connection, SELECT_CUT)
    since_ms = restoring.snapshot.created_at_ms - _UNDER_WAY_MS
    return Standing(
        tenants=frozenset(tenant_id for (tenant_id,) in _names(connection, SELECT_TENANTS)),
        scopes=_names(connection, SELECT_SCOPES),
        gone=_names(connection, SELECT_FORGOTTEN, since_ms=since_ms),
        held={
            "episodes": cut,
            "search_rows": cut,
            "fields": _names(connection, SELECT_BARRED_PATHS, since_ms=restoring.snapshot.created_at_ms),
            "pending_updates": _names(connection, SELECT_RESOLVED),
        },
    )


def _names(connection: apsw.Connection, statement: str, **values: Any) -> frozenset[Named]:
    return frozenset(connection.execute(statement, values).fetchall())


def _merge_scopes(connection: apsw.Connection, restoring: Restoring, *, standing: Standing) -> None:
    """Bring tenants and scopes that are not here, with their keys; without its key a scope has ended."""
    for row in restoring.rows("tenants"):
        if row["tenant_id"] not in standing.tenants:
            newest = restoring.keys.get((row["tenant_id"], ""), row["wrapped"])
            _insert(connection, "tenants", row={**row, "wrapped": newest})
    for row in restoring.rows("scopes"):
        name = (row["tenant_id"], row["scope_id"])
        if name in standing.scopes:
            continue
        _insert(connection, "scopes", row=row)
        wrapped = restoring.keys.get(name)
        if wrapped is not None and row["ended_at_ms"] is None:
            named = {"tenant_id": name[0], "scope_id": name[1]}
            connection.execute(INSERT_KEY, {**named, "wrapped": wrapped})
    connection.execute(END_KEYLESS, {"now_ms": restoring.now_ms})


def _fill_tenants(
    connection: apsw.Connection, restoring: Restoring, *, table: str, standing: Standing
) -> None:
    for row in restoring.rows(table):
        if row["tenant_id"] not in standing.tenants:
            _insert(connection, table, row=row)
            restoring.counts["rows"] += 1


def _fill_scopes(
    connection: apsw.Connection, restoring: Restoring, *, table: str, absent: frozenset[Named]
) -> None:
    for row in restoring.rows(table):
        if (row["tenant_id"], row["scope_id"]) in absent:
            _insert(connection, table, row=row)
            restoring.counts["rows"] += 1


def _replace(
    connection: apsw.Connection,
    restoring: Restoring,
    *,
    table: str,
    living: frozenset[Named],
    standing: Standing,
) -> None:
    """Put the snapshot's rows in the place of the store's, but for those that are held or gone."""
    column, held = _HELD.get(table, ""), standing.held.get(table, frozenset())
    kept: list[dict[str, Any]] = []
    if held:
        names = [column[1] for column in run_pragma(connection, f"table_info('{table}')")]
        rows = (dict(zip(names, row, strict=True)) for row in connection.execute(f"SELECT * FROM {table}"))
        kept = [row for row in rows if (row["tenant_id"], row["scope_id"], row[column]) in held]
    connection.execute(f"DELETE FROM {table}")
    known: set[Named] = set()
    for row in restoring.rows(table):
        name = (row["tenant_id"], row["scope_id"])
        if name not in living:
            restoring.counts["dark"] += 1
        elif standing.is_gone(table, row):
            restoring.counts["withheld"] += 1
        elif held and (*name, row[column]) in held:
            known.add((*name, row[column]))
        else:
            _insert(connection, table, row=row)
            restoring.counts["rows"] += 1
    # What was cut or resolved since comes back as it is now, if it was there at all.
    for row in kept:
        if table == "fields" or (row["tenant_id"], row["scope_id"], row[column]) in known:
            _insert(connection, table, row=row)
            restoring.counts["rows"] += 1


def _insert(connection: apsw.Connection, table: str, *, row: dict[str, Any]) -> None:
    """Insert a row; columns that are newer than the snapshot get their defaults."""
    names = ", ".join(row)
    values = ", ".join(f":{name}" for name in row)
    connection.execute(f"INSERT OR IGNORE INTO {table} ({names}) VALUES ({values})", row)


def _rebuild_index(connection: apsw.Connection, restoring: Restoring) -> None:
    """Index every row again; rows come scope by scope, so that one key is open at a time."""
    connection.execute(EMPTY_INDEX)
    name, sealer = ("", ""), None
    for tenant_id, scope_id, row_id, sealed in connection.execute(SELECT_TERMS):
        if sealer is None or name != (tenant_id, scope_id):
            name = (tenant_id, scope_id)
            sealer = _open_scope(connection, restoring, name=name)
        terms, date_terms = unpack_terms(sealer.open(sealed, f"search_rows:{row_id}:terms"))
        hashes = " ".join([sealer.blind(term) for term in (*terms, *date_terms)])
        connection.execute(INSERT_INDEXED, {"row_id": row_id, "terms": hashes})
    connection.execute(DELETE_BARE_SESSIONS)
    connection.execute(DELETE_BARE_EXTRACTIONS)
    connection.execute(DELETE_EMBEDDED)
    connection.execute(NOTE_ROWS)


def _open_scope(connection: apsw.Connection, restoring: Restoring, *, name: Named) -> ScopeSealer:
    scope = Scope(tenant_id=name[0], scope_id=name[1])
    wrapped = read_scope_key(connection, tenant_id=name[0], scope_id=name[1])
    if wrapped is None:
        raise Missing("This scope has ended.", code="scope_ended")
    return restoring.vault.passing_sealer(scope, wrapped)


def _note_restored(connection: apsw.Connection, restoring: Restoring) -> None:
    for (tenant_id,) in sorted(_names(connection, SELECT_TENANTS)):
        keys = restoring.vault.tenant_keys_of(tenant_id, read_tenant_key(connection, tenant_id))
        if keys is not None:
            public = ("store.restore", "restore", restoring.snapshot.id)
            add_public_entry(connection, tenant_id, keys=keys, public=public, now_ms=restoring.now_ms)
