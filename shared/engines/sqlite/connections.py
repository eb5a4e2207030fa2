"""Connections to the file, and what SQLite's errors mean to a caller.

A connection belongs to the process that made it: after a fork the child opens its own and never
touches (nor closes, which would check-point) its parent's. Readers are one per thread.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

import apsw

from shared.errors import Unavailable

Synchronous = Literal["NORMAL", "FULL"]
Row = tuple[Any, ...]

BUSY_TIMEOUT_MS = 10_000
_STATEMENTS_KEPT = 200
_READER_CACHE_KIB = 16_384
_NOT_NOW = (
    apsw.BusyError,
    apsw.LockedError,
    apsw.FullError,
    apsw.IOError,
    apsw.CantOpenError,
    apsw.ReadOnlyError,
    apsw.NoMemError,
    apsw.ProtocolError,
    apsw.CorruptError,
    apsw.NotADBError,
)
# Held so that a forked child never frees (and thereby closes) a connection of its parent.
_OPENED: set[apsw.Connection] = set()


@contextmanager
def translated_errors() -> Iterator[None]:
    """Turn SQLite's 'not now' (busy, full, unreadable) into `Unavailable`; bugs stay what they are."""
    try:
        yield
    except _NOT_NOW as error:
        raise Unavailable(
            f"Long-term memory does not answer now ({type(error).__name__}).", code="ltm_unavailable"
        ) from error


def open_connection(path: Path, *, synchronous: Synchronous) -> apsw.Connection:
    """Open the existing file for reading and writing, with the settings that all connections share."""
    connection = apsw.Connection(
        str(path), flags=apsw.SQLITE_OPEN_READWRITE, statementcachesize=_STATEMENTS_KEPT
    )
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    # Otherwise a statement is compiled anew whenever a value is bound that a partial index or a sampled
    # one could turn on: half of the time of reading rows (https://www.sqlite.org/queryplanner-ng.html#qpsg).
    connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
    run_pragma(connection, f"synchronous = {synchronous}")
    run_pragma(connection, "temp_store = MEMORY")
    run_pragma(connection, "secure_delete = ON")
    run_pragma(connection, "trusted_schema = OFF")
    _OPENED.add(connection)
    return connection


def run_pragma(connection: apsw.Connection, pragma: str) -> list[Row]:
    """Run one of our own pragmas (never with a value from outside)."""
    return connection.execute(f"PRAGMA {pragma}").fetchall()


def close_connection(connection: apsw.Connection) -> None:
    """Close a connection of this process."""
    _OPENED.discard(connection)
    connection.close()


class Readers:
    """One reading connection for each thread of this process, opened when first asked for."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._start_anew()

    def _start_anew(self) -> None:
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._own = threading.local()
        self._open: list[apsw.Connection] = []

    def connection(self) -> apsw.Connection:
        """Return this thread's connection."""
        if self._pid != os.getpid():
            self._start_anew()
        known: apsw.Connection | None = getattr(self._own, "connection", None)
        if known is not None:
            return known
        with translated_errors():
            connection = open_connection(self._path, synchronous="NORMAL")
            run_pragma(connection, f"cache_size = -{_READER_CACHE_KIB}")
            run_pragma(connection, "query_only = ON")
        self._own.connection = connection
        with self._lock:
            self._open.append(connection)
        return connection

    @contextmanager
    def view(self) -> Iterator[apsw.Connection]:
        """Return this thread's connection inside one read transaction."""
        connection = self.connection()
        with translated_errors():
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                if connection.in_transaction:  # an I/O error has ended it already
                    connection.execute("ROLLBACK")

    def close(self) -> None:
        """Close all reading connections of this process."""
        if self._pid == os.getpid():
            for connection in self._open:
                close_connection(connection)
        self._start_anew()
