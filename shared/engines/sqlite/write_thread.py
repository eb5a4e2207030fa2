"""The one thread of a process that writes.

Work functions wait in a queue; each runs in a transaction of its own (`BEGIN IMMEDIATE`, so that it
never has to give up a read it has already built on). Results and exceptions travel back by futures. A
caller that goes away takes its work back if it has not begun; what has begun is finished. After durable work,
while nobody waits, `tend` is run, a transaction at a time, until it says that there is no more to do.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

import apsw

from shared.engines.sqlite.connections import (
    Synchronous,
    close_connection,
    open_connection,
    run_pragma,
    translated_errors,
)
from shared.errors import Unavailable
from shared.log import get_logger

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class _Order(Generic[T]):
    work: Callable[[apsw.Connection], T]
    future: Future[T]
    durable: bool
    in_transaction: bool


class WriteThread:
    """Runs work on the writing connection, one piece after the other; begins with the first piece."""

    def __init__(
        self, path: Path, *, synchronous: Synchronous, tend: Callable[[apsw.Connection], bool] | None = None
    ) -> None:
        self._path = path
        self._synchronous = synchronous
        self._tend = tend
        self._start_anew()

    def _start_anew(self) -> None:
        self._pid = os.getpid()
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None
        self._orders: SimpleQueue[_Order[Any] | None] = SimpleQueue()

    def submit(
        self,
        work: Callable[[apsw.Connection], T],
        *,
        durable: bool = False,
        in_transaction: bool = True,
    ) -> Future[T]:
        """Queue `work`; `durable` has its commit wait for the disk whatever the setting is."""
        if self._pid != os.getpid():
            self._start_anew()
        order = _Order(work, Future[T](), durable, in_transaction)
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, args=(self._orders,), name="ltm-write", daemon=True
                )
                self._thread.start()
            self._orders.put(order)
        return order.future

    def close(self) -> None:
        """Finish what is queued and end the thread; the next `submit` would begin another."""
        if self._pid != os.getpid():
            return
        with self._lock:
            thread, orders = self._thread, self._orders
            self._thread, self._orders = None, SimpleQueue()
        if thread is not None:
            orders.put(None)
            thread.join()

    def _run(self, orders: SimpleQueue[_Order[Any] | None]) -> None:
        connection: apsw.Connection | None = None
        while (order := orders.get()) is not None:
            if not order.future.set_running_or_notify_cancel():
                continue
            try:
                with translated_errors():
                    if connection is None:
                        connection = open_connection(self._path, synchronous=self._synchronous)
                    result = self._carry_out(connection, order)
            except BaseException as problem:  # noqa: BLE001 - the edge: it travels to whoever waits
                order.future.set_exception(problem)
            else:
                order.future.set_result(result)
                if order.durable:  # a batch: what a turn writes is not to wait behind upkeep
                    self._tend_while_idle(connection, orders)
            del order
        if connection is not None:
            close_connection(connection)

    def _tend_while_idle(self, connection: apsw.Connection, orders: SimpleQueue[_Order[Any] | None]) -> None:
        """Put the file in order, a short transaction at a time, for as long as nobody waits."""
        has_more = self._tend is not None
        while has_more and self._tend is not None and orders.empty():
            try:
                with translated_errors():
                    has_more = run_transaction(connection, self._tend)
            except Exception as problem:  # noqa: BLE001 - the edge: upkeep may fail, the thread must go on
                if not isinstance(problem, Unavailable):
                    get_logger().error("upkeep_failed", kind=type(problem).__name__)
                return

    def _carry_out(self, connection: apsw.Connection, order: _Order[T]) -> T:
        if not order.in_transaction:
            return order.work(connection)
        raised = order.durable and self._synchronous != "FULL"
        if raised:
            run_pragma(connection, "synchronous = FULL")
        try:
            return run_transaction(connection, order.work)
        finally:
            if raised:
                run_pragma(connection, f"synchronous = {self._synchronous}")


def run_transaction(connection: apsw.Connection, work: Callable[[apsw.Connection], T]) -> T:
    """Run `work` between BEGIN IMMEDIATE and COMMIT; nothing of it stays if it raises."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        result = work(connection)
        connection.execute("COMMIT")
    except BaseException:  # raised again: the next work needs a connection without a transaction
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    return result
