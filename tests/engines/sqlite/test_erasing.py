"""Erasing in the file: every table with rows of scopes empties, whoever else has the file open is refused."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.engines.sqlite.erasing import KEPT_TABLES, scoped_tables
from shared.engines.sqlite.stores import SqliteStores
from shared.errors import Missing
from shared.ltm.edit import StatedMemory, Why, add_memory
from shared.model.erasure import ErasedStores
from shared.model.moment import from_ms
from shared.model.scope import Scope
from shared.ports.ltm import LtmWriter
from tests.contracts.ltm.samples import EPOCH, memory, open_in, pairs, record
from tests.engines.sqlite.test_sealed_bytes import write_everything

WHY = Why(actor="key_1", request_id="req_1", origin="user", at=from_ms(EPOCH))


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[SqliteStores]:
    opened = open_in(tmp_path)
    yield opened
    opened.close()


@pytest.fixture
async def scope(stores: SqliteStores) -> Scope:
    return await stores.directory.ensure_scope("t1", "user", outside_id="u1")


def write_rows(writer: LtmWriter) -> None:
    write_everything(writer)
    writer.add_episodes(pairs(*(f"episode {number}" for number in range(145)), session_id="s-9"))


def count_rows(stores: SqliteStores, scope: Scope) -> dict[str, int]:
    with stores.readers.view() as connection:
        return {
            table: int(
                connection.execute(
                    f"SELECT count(*) FROM {table} WHERE scope_id = ?",  # noqa: S608
                    (scope.scope_id,),
                ).get
            )
            for table in scoped_tables(connection)
        }


async def run_to_the_key(stores: SqliteStores, scope: Scope) -> ErasedStores:
    erasure = await stores.erasures.begin(scope, actor="key_1", request_id="req_1")
    while await stores.erasures.delete_slice(erasure):
        pass
    await stores.erasures.destroy_key(erasure, snapshots_darkened=3)
    await stores.erasures.settle_files()
    found = await stores.erasures.find("t1", erasure.id)
    assert found is not None
    return (await stores.erasures.finish(found)).stores


async def test_every_table_with_rows_of_scopes_is_emptied_of_one_scope_alone(
    stores: SqliteStores, scope: Scope
) -> None:
    other = await stores.directory.ensure_scope("t1", "user", outside_id="u2")
    for each in (scope, other):
        await stores.ltm.write(each, write_rows)
    before = count_rows(stores, other)
    gone = await run_to_the_key(stores, scope)
    left = {table: count for table, count in count_rows(stores, scope).items() if count}
    assert set(left) == {"scopes", "audit", "erasures"}
    assert set(left) < KEPT_TABLES
    assert count_rows(stores, other) == before
    assert gone.snapshots_darkened == 3
    assert gone.ltm_rows >= 45 * 2
    assert gone.index_terms >= 45 * 2
    ok, entries, detail = await stores.directory.verify_audit("t1")
    assert (ok, entries, detail) == (True, 4, "")


async def test_another_process_can_neither_read_nor_write_from_the_request_on(
    tmp_path: Path, stores: SqliteStores, scope: Scope
) -> None:
    await stores.ltm.write(scope, write_rows)
    elsewhere = open_in(tmp_path)
    try:
        # Its keys are in the cache of the other process, as those of a job that is running are.
        assert await elsewhere.ltm.read(scope, lambda r: len(r.scope_rows())) > 0
        await stores.erasures.begin(scope, actor="key_1", request_id="req_1")
        for reached in (elsewhere, stores):
            with pytest.raises(Missing) as caught:
                await add_memory(scope, StatedMemory(text="late"), why=WHY, ltm=reached.ltm)
            assert caught.value.code == "scope_ended"
            with pytest.raises(Missing):
                await reached.ltm.read(scope, lambda r: len(r.scope_rows()))
            assert await reached.directory.find_scope("t1", "user", outside_id="u1") is None
        again = await elsewhere.directory.ensure_scope("t1", "user", outside_id="u1")
        assert again.scope_id != scope.scope_id
    finally:
        elsewhere.close()


async def test_every_step_may_be_done_twice(tmp_path: Path, scope: Scope, stores: SqliteStores) -> None:
    await stores.ltm.write(scope, write_rows)
    erasure = await stores.erasures.begin(scope, actor="key_1", request_id="req_1")
    assert await stores.erasures.begin(scope, actor="key_2", request_id="req_2") == erasure
    assert await stores.erasures.of_user("t1", "u1") == erasure
    assert [each.id for each in await stores.erasures.unfinished()] == [erasure.id]
    assert await stores.erasures.delete_slice(erasure)
    elsewhere = open_in(tmp_path)  # as after a crash
    try:
        first = await run_to_the_key(elsewhere, scope)
        second = await run_to_the_key(stores, scope)
        assert first == second
        assert first.ltm_rows >= 92
        assert await stores.erasures.unfinished() == []
        assert await stores.erasures.of_user("t1", "u1") is None
    finally:
        elsewhere.close()


async def test_a_row_that_opens_no_more_does_not_stop_an_erasure(stores: SqliteStores, scope: Scope) -> None:
    await stores.ltm.write(scope, lambda w: w.add_memory(memory("one"), record("one"), normal_text="one"))
    stores.writes.submit(lambda c: c.execute("UPDATE search_rows SET terms = x'01'")).result(timeout=10)
    await run_to_the_key(stores, scope)
    assert count_rows(stores, scope)["search_rows"] == 0
