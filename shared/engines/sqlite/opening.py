"""The first look at the file: is it ours, whole, of this version and environment, and do the keys fit.

All of it happens under one lock, so that several processes may start at once. A file that is not
whole is left exactly as it is.
"""

from __future__ import annotations

import hmac
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

import apsw

from shared.engines.key_backup import KeyBackup
from shared.engines.master_keys import MasterKeys, load_master_keys
from shared.engines.private_files import close_folder, create_private_file, locked, make_private_folder
from shared.engines.snapshot_files import SnapshotFolder
from shared.engines.sqlite.connections import (
    Synchronous,
    close_connection,
    open_connection,
    run_pragma,
    translated_errors,
)
from shared.engines.sqlite.dumping import write_key_backup, write_snapshot
from shared.engines.sqlite.write_thread import run_transaction
from shared.errors import StartupProblem
from shared.ids import new_id
from shared.model.snapshot import PRE_MIGRATE, PRE_RESTORE

_HEADER = b"SQLite format 3\x00"
_HEADER_BYTES = 100
_KEY_CHECK = b"bilayer opens this"
_KEYS_TRIED = 20
# Small, and nothing works without them; the large tables are read when they are needed.
_TABLES_CHECKED = ("deployment", "tenants", "api_keys", "row_counter")

HAS_DEPLOYMENT = "SELECT count(*) FROM sqlite_schema WHERE name = 'deployment'"
READ_LINE = "SELECT value FROM deployment WHERE name = :name"
WRITE_LINE = """
INSERT INTO deployment (name, value) VALUES (:name, :value) ON CONFLICT (name) DO UPDATE SET value = :value
"""
SOME_TENANT_KEYS = "SELECT wrapped FROM tenants LIMIT :limit"
# From both ends: a rotation that was cut short leaves old wraps at the far one.
FIRST_SCOPE_KEYS = """
SELECT wrapped FROM scope_keys /* all scopes: does the master key fit */
ORDER BY tenant_id, scope_id LIMIT :limit
"""
LAST_SCOPE_KEYS = """
SELECT wrapped FROM scope_keys /* all scopes: does the master key fit */
ORDER BY tenant_id DESC, scope_id DESC LIMIT :limit
"""


def prepare_database(
    database: Path,
    *,
    data_dir: Path,
    master_keys: Sequence[str],
    environment: str,
    synchronous: Synchronous,
) -> MasterKeys:
    """Make or check the database file and bring it to this version; return its master keys.

    Raises:
        StartupProblem: with the way out.
    """
    make_private_folder(data_dir)
    close_folder(data_dir)
    make_private_folder(database.parent)
    with locked(database.with_name(f"{database.name}.lock")):
        exists = database.exists() and database.stat().st_size > 0
        if exists:
            _check_header(database, data_dir)
        master = load_master_keys(master_keys, data_dir=data_dir, database_exists=exists)
        if not database.exists():
            create_private_file(database)
        connection = _open_checked(database, data_dir, synchronous=synchronous)
        try:
            with translated_errors():
                _check_version(connection)
                _check_environment(connection, environment)
                _check_keys(connection, master)
                _save_before_migrating(connection, data_dir)
                _migrate(connection, environment=environment, master=master)
                _ensure_key_backup(connection, data_dir)
        finally:
            close_connection(connection)
        database.chmod(0o600)
    return master


def inspect_database(
    database: Path, *, data_dir: Path, master_keys: Sequence[str], environment: str
) -> int | None:
    """Return the schema version of a database that these keys open; None where there is none yet.

    Nothing is written: no lock, no key, no migration.

    Raises:
        StartupProblem: what a start would be refused for, with the way out.
    """
    if not database.exists() or not database.stat().st_size:
        return None
    _check_header(database, data_dir)
    master = load_master_keys(master_keys, data_dir=data_dir, database_exists=True)
    # Without a WAL nobody has it open, and SQLite need not lay one beside it to read.
    is_closed = not database.with_name(f"{database.name}-wal").exists()
    address = f"{database.absolute().as_uri()}?mode=ro{'&immutable=1' if is_closed else ''}"
    try:
        connection = apsw.Connection(address, flags=apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI)
        try:
            _check_version(connection)
            _check_environment(connection, environment)
            _check_keys(connection, master)
            return int(read_line(connection, "schema_version") or 0)
        finally:
            connection.close()
    except (apsw.CorruptError, apsw.NotADBError):
        raise _corrupt(database, data_dir) from None
    except apsw.Error as error:
        raise StartupProblem(
            f"{database} cannot be read ({type(error).__name__}). "
            "Check who owns it, and whether the disk is full."
        ) from None


def check_master_key(data_dir: Path, given: Sequence[str]) -> None:
    """Raise `StartupProblem` unless the master key is here and opens what the key backup holds."""
    path = data_dir / "keys" / "master.key"
    if not given and not path.is_file():
        raise StartupProblem(
            f"A restore needs the master key: put your copy of it at {path}, or set BILAYER_MASTER_KEY."
        )
    backup = KeyBackup(snapshot_folder(data_dir).path)
    wrapped = backup.read()
    if not wrapped:
        raise StartupProblem(f"A restore needs the key backup: put your copy of it at {backup.path}.")
    master = load_master_keys(given, data_dir=data_dir, database_exists=True)
    for key in [*wrapped.values()][:_KEYS_TRIED]:
        master.unwrap(key)


def read_line(connection: apsw.Connection, name: str) -> str | None:
    """Return a line of `deployment`; None where there is none, or no such table yet."""
    if not connection.execute(HAS_DEPLOYMENT).get:
        return None
    value: str | None = connection.execute(READ_LINE, {"name": name}).get
    return value


def write_key_check(connection: apsw.Connection, master: MasterKeys) -> None:
    """Note something that only the master key opens, so that a wrong one shows in an empty database."""
    wrapped = master.wrap(_KEY_CHECK).decode("ascii")
    connection.execute(WRITE_LINE, {"name": "key_check", "value": wrapped})


def _corrupt(database: Path, data_dir: Path) -> StartupProblem:
    """Return what to tell of a damaged file: it stays as it is, and the newest snapshot is named."""
    folder = snapshot_folder(data_dir)
    newest = next((each for each in folder.list() if each.tag != PRE_RESTORE), None)
    if newest is None:
        way_out = f"Move it away and put your last good copy in its place; {folder.path} holds no snapshot."
    else:
        made = datetime.fromtimestamp(newest.created_at_ms / 1000, UTC)
        way_out = (
            f"The last good copy is {newest.id} of {made:%Y-%m-%d %H:%M} UTC: move the file (and its -wal "
            f"and -shm) away and run `bilayer snapshot restore {newest.id}`."
        )
    return StartupProblem(f"{database} is not a whole SQLite database; nothing was changed. {way_out}")


def snapshot_folder(data_dir: Path) -> SnapshotFolder:
    """Return the folder of the snapshots."""
    return SnapshotFolder(data_dir / "snapshots")


def _check_header(database: Path, data_dir: Path) -> None:
    """Check the magic and, where no WAL could still mend it, that the file is as long as it says."""
    with database.open("rb") as file:
        header = file.read(_HEADER_BYTES)
    wal = database.with_name(f"{database.name}-wal")
    mendable = wal.exists() and wal.stat().st_size > 0
    whole = len(header) == _HEADER_BYTES and header.startswith(_HEADER)
    if whole and not mendable:
        page_bytes = int.from_bytes(header[16:18], "big")
        pages = int.from_bytes(header[28:32], "big")
        whole = database.stat().st_size >= pages * (65_536 if page_bytes == 1 else page_bytes)
    if not whole:
        raise _corrupt(database, data_dir)


def _open_checked(database: Path, data_dir: Path, *, synchronous: Synchronous) -> apsw.Connection:
    """Return a connection on a file whose schema and small tables are whole."""
    try:
        connection = open_connection(database, synchronous=synchronous)
    except (apsw.CorruptError, apsw.NotADBError):
        raise _corrupt(database, data_dir) from None
    except apsw.Error as error:
        raise StartupProblem(
            f"{database} cannot be opened ({type(error).__name__}). "
            "Check who owns it, and whether the disk is full."
        ) from None
    try:
        # While in doubt, closing must not copy the WAL into the file.
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
        present = {str(name) for (name,) in connection.execute("SELECT name FROM sqlite_schema")}
        for table in _TABLES_CHECKED:
            if table in present and run_pragma(connection, f"integrity_check('{table}')") != [("ok",)]:
                raise _corrupt(database, data_dir)
        connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0)
    except (apsw.CorruptError, apsw.NotADBError, StartupProblem):
        close_connection(connection)
        raise _corrupt(database, data_dir) from None
    return connection


def _check_version(connection: apsw.Connection) -> None:
    version = int(read_line(connection, "schema_version") or 0)
    newest = len(_migrations())
    if version > newest:
        raise StartupProblem(
            f"The database is of schema version {version}, newer than this program's {newest}. "
            "Install the newer version, or restore a snapshot made by this one."
        )


def _check_environment(connection: apsw.Connection, environment: str) -> None:
    known = read_line(connection, "environment")
    if known is not None and known != environment:
        raise StartupProblem(
            f"The database belongs to the environment '{known}', and this process to '{environment}'. "
            "Set BILAYER_ENVIRONMENT or the data folder right."
        )


def _check_keys(connection: apsw.Connection, master: MasterKeys) -> None:
    check = read_line(connection, "key_check")
    if check is None:
        return
    if not hmac.compare_digest(master.unwrap(check.encode("ascii")), _KEY_CHECK):
        raise StartupProblem("The database's key check is not ours; restore the database from a snapshot.")
    for statement in (SOME_TENANT_KEYS, FIRST_SCOPE_KEYS, LAST_SCOPE_KEYS):
        for wrapped, *_ in connection.execute(statement, {"limit": _KEYS_TRIED}):
            master.unwrap(wrapped)


def _migrations() -> list[str]:
    """Return the texts of all migrations in order; number n brings the schema to version n."""
    folder = files("shared.engines.sqlite") / "migrations"
    named = sorted((entry.name, entry) for entry in folder.iterdir() if entry.name.endswith(".sql"))
    return [entry.read_text("utf-8") for _, entry in named]


def _save_before_migrating(connection: apsw.Connection, data_dir: Path) -> None:
    """Make the snapshot `pre_migrate` of a store that is about to be brought to this version."""
    version = int(read_line(connection, "schema_version") or 0)
    if not 0 < version < len(_migrations()):
        return
    connection.execute("BEGIN")
    try:
        now_ms = time.time_ns() // 1_000_000
        snapshot_id = new_id("snap", now_ms=now_ms)
        folder = snapshot_folder(data_dir)
        write_snapshot(connection, folder, snapshot_id=snapshot_id, tag=PRE_MIGRATE, now_ms=now_ms)
    except OSError as error:
        raise StartupProblem(
            f"No snapshot could be made before the database is brought to this version "
            f"({type(error).__name__}); nothing was changed. Free the disk, and start again."
        ) from None
    finally:
        connection.execute("ROLLBACK")


def _ensure_key_backup(connection: apsw.Connection, data_dir: Path) -> None:
    """Write the key backup where there is none yet."""
    backup = KeyBackup(snapshot_folder(data_dir).path)
    if not backup.path.exists():
        run_transaction(connection, lambda within: write_key_backup(within, backup))


def _migrate(connection: apsw.Connection, *, environment: str, master: MasterKeys) -> None:
    version = int(read_line(connection, "schema_version") or 0)
    run_pragma(connection, "journal_mode = WAL")  # a copy put back from a snapshot has lost it
    for number, script in enumerate(_migrations()[version:], start=version + 1):
        run_transaction(connection, _step(number, script, environment=environment, master=master))


def _step(
    number: int, script: str, *, environment: str, master: MasterKeys
) -> Callable[[apsw.Connection], None]:
    def work(connection: apsw.Connection) -> None:
        connection.execute(script).fetchall()
        connection.execute(WRITE_LINE, {"name": "schema_version", "value": str(number)})
        if number == 1:
            connection.execute(WRITE_LINE, {"name": "environment", "value": environment})
            write_key_check(connection, master)

    return work
