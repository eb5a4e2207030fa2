"""The write thread: order, errors, cancellation, the disk, forks."""

from __future__ import annotations

import asyncio
import multiprocessing
import os
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import apsw
import pytest

from shared.clock import Clock
from shared.engines.sqlite.connections import run_pragma
from shared.engines.sqlite.stores import SqliteStores
from shared.errors import Unavailable
from shared.model.memory import Source
from shared.model.scope import Scope
from shared.ports.ltm import LtmWriter
from tests.contracts.ltm.samples import open_in, pairs

WRITERS = 3
FEW_SEGMENTS = 4
WRITES_EACH = 100
SYNCHRONOUS_FULL = 2
SYNCHRONOUS_NORMAL = 1


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[SqliteStores]:
    opened = open_in(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
async def scope(stores: SqliteStores) -> Scope:
    return await stores.directory.ensure_scope("t1", "user", outside_id="u1")


async def test_no_thread_and_no_connection_before_the_first_use(stores: SqliteStores) -> None:
    assert stores.writes._thread is None
    assert stores.readers._open == []


async def test_a_cancelled_caller_does_not_break_the_thread(stores: SqliteStores, scope: Scope) -> None:
    begun, may_end = threading.Event(), threading.Event()

    def slow(writer: LtmWriter) -> None:
        writer.mark_applied("begun", 1)
        begun.set()
        may_end.wait(10)

    first = asyncio.create_task(stores.ltm.write(scope, slow))
    await asyncio.to_thread(begun.wait, 10)
    waiting = asyncio.create_task(stores.ltm.write(scope, lambda w: w.mark_applied("waiting", 1)))
    await asyncio.sleep(0)
    for task in (first, waiting):
        task.cancel()
    await asyncio.gather(first, waiting, return_exceptions=True)
    may_end.set()
    await stores.ltm.write(scope, lambda w: w.mark_applied("after", 1))
    done = await stores.ltm.read(scope, lambda r: [r.applied(key) for key in ("begun", "waiting", "after")])
    assert done == [1, None, 1]


async def test_even_an_exit_in_the_work_reaches_its_caller_only(stores: SqliteStores, scope: Scope) -> None:
    class Leave(BaseException):
        """Not an Exception, as KeyboardInterrupt is not."""

    def leave(writer: LtmWriter) -> None:
        writer.mark_applied("k", 1)
        raise Leave

    with pytest.raises(Leave):
        await stores.ltm.write(scope, leave)
    assert await stores.ltm.read(scope, lambda r: r.applied("k")) is None
    await stores.ltm.write(scope, lambda w: w.mark_applied("k", 2))


async def test_a_durable_write_waits_for_the_disk_and_others_do_not(stores: SqliteStores) -> None:
    async def level(*, durable: bool) -> int:
        work = stores.writes.submit(lambda c: int(run_pragma(c, "synchronous")[0][0]), durable=durable)
        return await asyncio.wrap_future(work)

    assert [await level(durable=d) for d in (False, True, False)] == [
        SYNCHRONOUS_NORMAL,
        SYNCHRONOUS_FULL,
        SYNCHRONOUS_NORMAL,
    ]


async def test_a_failed_durable_write_leaves_the_setting_as_it_was(stores: SqliteStores) -> None:
    with pytest.raises(ZeroDivisionError):
        await asyncio.wrap_future(stores.writes.submit(lambda _: 1 / 0, durable=True))
    level = stores.writes.submit(lambda c: int(run_pragma(c, "synchronous")[0][0]))
    assert await asyncio.wrap_future(level) == SYNCHRONOUS_NORMAL


@pytest.mark.parametrize("error", [apsw.BusyError, apsw.FullError, apsw.IOError, apsw.CorruptError])
async def test_what_the_disk_refuses_is_unavailable(
    stores: SqliteStores, scope: Scope, error: type[Exception]
) -> None:
    def refuse(writer: LtmWriter) -> None:
        writer.mark_applied("k", 1)
        raise error

    with pytest.raises(Unavailable) as caught:
        await stores.ltm.write(scope, refuse)
    assert caught.value.code == "ltm_unavailable"
    assert await stores.ltm.read(scope, lambda r: r.applied("k")) is None


async def test_a_read_sees_one_view_while_others_write(
    tmp_path: Path, stores: SqliteStores, scope: Scope
) -> None:
    other = open_in(tmp_path)
    episodes = pairs("tea one", "tea two")

    def archive_meanwhile() -> None:
        asyncio.run(other.ltm.write(scope, lambda w: w.add_episodes(episodes)))

    def look_twice(reader: object) -> list[int]:
        seen = [len(reader.scope_rows().row_ids)]  # type: ignore[attr-defined]
        writer = threading.Thread(target=archive_meanwhile)
        writer.start()
        writer.join()
        return [*seen, len(reader.postings(["tea"])["tea"].positions)]  # type: ignore[attr-defined]

    assert await stores.ltm.read(scope, look_twice) == [0, 0]
    rows = await stores.ltm.read(scope, lambda r: r.postings(["tea"]))
    assert rows["tea"].positions.tolist() == [0, 1]
    other.close()


async def test_after_close_the_next_write_begins_anew(stores: SqliteStores, scope: Scope) -> None:
    stores.close()
    await stores.ltm.write(scope, lambda w: w.mark_applied("k", 1))
    assert await stores.ltm.read(scope, lambda r: r.applied("k")) == 1


@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork.*:DeprecationWarning")
async def test_a_forked_child_uses_connections_of_its_own(stores: SqliteStores, scope: Scope) -> None:
    await stores.ltm.write(scope, lambda w: w.mark_applied("parent", 1))
    assert await stores.ltm.read(scope, lambda r: r.applied("parent")) == 1

    def child() -> None:
        async def work() -> None:
            await stores.ltm.write(scope, lambda w: w.mark_applied("child", 1))
            seen = await stores.ltm.read(scope, lambda r: (r.applied("parent"), r.applied("child")))
            stores.close()
            os._exit(0 if seen == (1, 1) else 1)

        asyncio.run(work())

    forked = multiprocessing.get_context("fork").Process(target=child)
    forked.start()
    await asyncio.to_thread(forked.join, 20)
    assert forked.exitcode == 0
    await stores.ltm.write(scope, lambda w: w.mark_applied("parent", 2))
    assert await stores.ltm.read(scope, lambda r: (r.applied("parent"), r.applied("child"))) == (2, 1)


def write_many(folder: Path, name: str) -> None:
    """Write as one of several processes: fields, episodes, audit, jobs."""
    stores = open_in(folder, clock=Clock())

    async def work() -> None:
        scope = await stores.directory.ensure_scope("t1", "user", outside_id="shared")
        for number in range(WRITES_EACH):
            episodes = pairs(f"tea {name} {number}", session_id=f"s-{name}-{number}")

            def write(writer: LtmWriter, number: int = number, episodes: object = episodes) -> None:
                writer.put_field("a.b", number, origin="user", source=Source(), at_ms=number)
                writer.add_episodes(episodes)  # type: ignore[arg-type]
                writer.add_audit("set", path="a.b", details={}, actor=name, request_id="r")

            await stores.ltm.write(scope, write, durable=number % 10 == 0)

    asyncio.run(work())
    stores.close()


async def test_several_processes_write_without_one_lock_error(tmp_path: Path) -> None:
    spawn = multiprocessing.get_context("spawn")
    writers = [spawn.Process(target=write_many, args=(tmp_path, f"p{n}")) for n in range(WRITERS)]
    for writer in writers:
        writer.start()
    for writer in writers:
        await asyncio.to_thread(writer.join, 90)
    assert [writer.exitcode for writer in writers] == [0] * WRITERS
    stores = open_in(tmp_path)
    scope = await stores.directory.ensure_scope("t1", "user", outside_id="shared")
    total = WRITERS * WRITES_EACH
    history = await stores.ltm.read(scope, lambda r: r.field_history("a.b"))
    assert [version.version for version in history] == list(range(1, total + 1))
    rows, postings = await stores.ltm.read(scope, lambda r: (r.scope_rows(), r.postings(["tea"])))
    assert len(rows.row_ids) == len(postings["tea"].positions) == total
    assert await stores.directory.verify_audit("t1") == (True, total, "")
    stores.close()


async def test_the_index_is_merged_while_nobody_waits(stores: SqliteStores, scope: Scope) -> None:
    count = "SELECT count(DISTINCT segid) FROM search_index_idx"
    for number in range(40):
        await stores.ltm.write(scope, partial(_archive_one, number=number), durable=True)
    for _ in range(200):
        with stores.readers.view() as connection:
            segments = connection.execute(count).get
        if segments <= FEW_SEGMENTS:
            break
        await asyncio.sleep(0.05)
    assert segments <= FEW_SEGMENTS
    postings = await stores.ltm.read(scope, lambda reader: reader.postings(["tea"]))
    assert len(postings["tea"].positions) == 40


def _archive_one(writer: LtmWriter, *, number: int) -> int:
    return writer.add_episodes(pairs(f"tea number {number}", session_id=f"s-{number}"))


async def test_upkeep_that_fails_takes_no_write_with_it(tmp_path: Path) -> None:
    def fail(_: apsw.Connection) -> bool:
        raise apsw.SQLError("no such table")

    opened = open_in(tmp_path)
    try:
        opened.writes._tend = fail
        for _ in range(2):  # the thread tends after a write, and has to be there for the next
            work = opened.writes.submit(lambda c: int(c.execute("SELECT 7").get), durable=True)
            assert await asyncio.wait_for(asyncio.wrap_future(work), 10) == 7
    finally:
        opened.close()


async def test_a_new_scope_is_on_the_disk_before_anything_is_sealed_with_its_key(
    stores: SqliteStores, monkeypatch: pytest.MonkeyPatch
) -> None:
    levels: list[bool] = []
    submit = stores.writes.submit

    def noted(work: Any, **how: bool) -> Any:
        levels.append(how.get("durable", False))
        return submit(work, **how)

    monkeypatch.setattr(stores.writes, "submit", noted)
    synced: list[int] = []
    sync = os.fsync

    def noting_sync(descriptor: int) -> None:
        synced.append(descriptor)
        sync(descriptor)

    monkeypatch.setattr(os, "fsync", noting_sync)
    await stores.directory.ensure_scope("t1", "user", outside_id="new")
    assert levels == [True]
    assert synced, "the key backup"
    await stores.directory.ensure_scope("t1", "user", outside_id="new")
    assert levels == [True], "who is known costs no write"
