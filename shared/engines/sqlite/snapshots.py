"""Snapshots of the file: all plain tables but the keys, in one read transaction.

Readers and writers go on meanwhile. The index is not copied: it is made anew from the sealed terms of
each row. The keys of users lie beside the snapshots in one file, which is written anew with each.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import apsw

from shared.clock import Clock
from shared.engines.key_backup import KeyBackup
from shared.engines.snapshot_files import SnapshotFolder
from shared.engines.sqlite.connections import (
    close_connection,
    open_connection,
    run_pragma,
    translated_errors,
)
from shared.engines.sqlite.dumping import write_key_backup, write_snapshot
from shared.engines.sqlite.restoring import Restoring, restore_rows
from shared.engines.sqlite.write_thread import WriteThread
from shared.engines.vault import KeyVault
from shared.errors import Missing
from shared.model.snapshot import RestoreReport, Snapshot, Verification

_ID = re.compile(r"[A-Za-z0-9_-]{1,80}")


class SqliteSnapshots:
    """The port `Snapshots` on one SQLite file."""

    def __init__(
        self,
        database: Path,
        writes: WriteThread,
        *,
        vault: KeyVault,
        clock: Clock,
        folder: SnapshotFolder,
        backup: KeyBackup,
    ) -> None:
        self._database = database
        self._writes = writes
        self._vault = vault
        self._clock = clock
        self._folder = folder
        self._backup = backup

    async def create(self, snapshot_id: str, *, tag: str) -> Snapshot:
        """Copy the store in a thread; the key backup is written anew first, so that it is never behind."""
        _check_id(snapshot_id)
        try:
            return self._folder.find(snapshot_id)
        except Missing:
            await self.back_up_keys()
            return await asyncio.to_thread(self._create, snapshot_id, tag)

    async def list(self) -> list[Snapshot]:
        """Return the snapshots, newest first."""
        return self._folder.list()

    async def verify(self, snapshot_id: str) -> Verification:
        """Read all files of a snapshot again."""
        _check_id(snapshot_id)
        return await asyncio.to_thread(self._folder.verify, snapshot_id)

    async def restore(self, snapshot_id: str) -> RestoreReport:
        """Bring a snapshot back in one transaction; other writers wait, or are refused."""
        _check_id(snapshot_id)
        snapshot = self._folder.find(snapshot_id)
        restoring = Restoring(
            snapshot=snapshot,
            folder=self._folder,
            keys=self._backup.read(),
            vault=self._vault,
            now_ms=self._clock.now_ms(),
        )
        done = self._writes.submit(lambda connection: restore_rows(connection, restoring), durable=True)
        report = await asyncio.wrap_future(done)
        await self.back_up_keys()
        return report

    async def drop(self, snapshot_ids: Sequence[str]) -> None:
        """Delete snapshots."""
        for snapshot_id in snapshot_ids:
            await asyncio.to_thread(self._folder.drop, snapshot_id)

    async def back_up_keys(self, *, renew: Callable[[bytes], bytes] | None = None) -> None:
        """Write the key backup anew from the keys of all living scopes; `renew` is for a new master key."""

        def work(connection: apsw.Connection) -> None:
            write_key_backup(connection, self._backup, renew=renew)

        await asyncio.wrap_future(self._writes.submit(work))

    def _create(self, snapshot_id: str, tag: str) -> Snapshot:
        with translated_errors():
            connection = open_connection(self._database, synchronous="NORMAL")
            try:
                run_pragma(connection, "query_only = ON")
                connection.execute("BEGIN")
                return write_snapshot(
                    connection, self._folder, snapshot_id=snapshot_id, tag=tag, now_ms=self._clock.now_ms()
                )
            finally:
                close_connection(connection)


def _check_id(snapshot_id: str) -> None:
    if not _ID.fullmatch(snapshot_id):
        raise Missing("There is no such snapshot.")
