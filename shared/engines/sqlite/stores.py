"""`open_sqlite`: the file checked and brought to this version, and all that stands on it wired up."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from shared.clock import Clock
from shared.engines.key_backup import KeyBackup
from shared.engines.sqlite.connections import Readers, Synchronous, run_pragma
from shared.engines.sqlite.directory import SqliteDirectory
from shared.engines.sqlite.erasing import SqliteErasures
from shared.engines.sqlite.extractions import SqliteExtractions
from shared.engines.sqlite.keys import SqliteKeys, rotate_keys
from shared.engines.sqlite.ledger import SqliteLedger
from shared.engines.sqlite.ltm import SqliteLongTermMemory
from shared.engines.sqlite.opening import prepare_database, snapshot_folder
from shared.engines.sqlite.schemas import SqliteSchemas
from shared.engines.sqlite.scope_rows import RowsCache
from shared.engines.sqlite.search import merge_slice
from shared.engines.sqlite.snapshots import SqliteSnapshots
from shared.engines.sqlite.synonyms import SqliteSynonyms
from shared.engines.sqlite.write_thread import WriteThread
from shared.engines.vault import KeyVault
from shared.errors import Unavailable


@dataclass(frozen=True, slots=True)
class SqliteStores:
    """What lives in one SQLite file. Nothing is connected before it is used, so a process may fork first."""

    ltm: SqliteLongTermMemory
    directory: SqliteDirectory
    ledger: SqliteLedger
    extractions: SqliteExtractions
    schemas: SqliteSchemas
    synonyms: SqliteSynonyms
    erasures: SqliteErasures
    snapshots: SqliteSnapshots
    vault: KeyVault
    readers: Readers
    writes: WriteThread

    async def rotate_keys(self) -> int:
        """Wrap by the first master key what another one wraps, in the key backup too; return how many keys.

        Nothing that the former one wrapped is left in the file or its WAL. Cut short, it is run again.

        Raises:
            StartupProblem: none of the master keys opens a key of the store.
            Unavailable: the store is busy.
        """
        count = await asyncio.to_thread(rotate_keys, self.writes, self.vault.master)
        await self.snapshots.back_up_keys(renew=self.vault.master.renew)
        await self.checkpoint()
        return count

    async def checkpoint(self) -> None:
        """Copy the WAL into the file and empty it, so that nothing deleted stands in either.

        Raises:
            Unavailable: a reader of another process held it for longer than the busy time-out.
        """
        await checkpoint(self.writes)

    def close(self) -> None:
        """Finish what is queued to be written, end the thread, close the connections of this process."""
        self.writes.close()
        self.readers.close()


async def checkpoint(writes: WriteThread) -> None:
    """Copy the WAL into the file and empty it. Raises `Unavailable` where a reader held it too long."""
    done = writes.submit(
        lambda connection: run_pragma(connection, "wal_checkpoint(TRUNCATE)"), in_transaction=False
    )
    ((was_busy, _, _),) = await asyncio.wrap_future(done)
    if was_busy:
        raise Unavailable("Somebody reads too long for a checkpoint.", code="ltm_unavailable")


def open_sqlite(
    database: Path,
    *,
    data_dir: Path,
    environment: str,
    clock: Clock,
    master_keys: Sequence[str] = (),
    synchronous: Synchronous = "NORMAL",
) -> SqliteStores:
    """Return the stores on `database`, made on the first start.

    Without `master_keys` the key is `data_dir/keys/master.key`.

    Raises:
        StartupProblem: the file, its version, its environment or the key is not right.
    """
    master = prepare_database(
        database,
        data_dir=data_dir,
        master_keys=master_keys,
        environment=environment,
        synchronous=synchronous,
    )
    readers = Readers(database)
    writes = WriteThread(database, synchronous=synchronous, tend=merge_slice)
    vault = KeyVault(master, SqliteKeys(readers))
    cache = RowsCache()
    folder = snapshot_folder(data_dir)
    backup = KeyBackup(folder.path)
    snapshots = SqliteSnapshots(database, writes, vault=vault, clock=clock, folder=folder, backup=backup)

    async def settle_files() -> None:
        await snapshots.back_up_keys()
        await checkpoint(writes)

    return SqliteStores(
        ltm=SqliteLongTermMemory(readers, writes, vault=vault, clock=clock, cache=cache),
        directory=SqliteDirectory(readers, writes, vault=vault, clock=clock, backup=backup),
        ledger=SqliteLedger(readers, writes),
        extractions=SqliteExtractions(readers, writes),
        schemas=SqliteSchemas(readers, writes, clock=clock),
        synonyms=SqliteSynonyms(readers, writes, vault=vault, clock=clock),
        erasures=SqliteErasures(
            readers, writes, vault=vault, clock=clock, cache=cache, settle_files=settle_files
        ),
        snapshots=snapshots,
        vault=vault,
        readers=readers,
        writes=writes,
    )
