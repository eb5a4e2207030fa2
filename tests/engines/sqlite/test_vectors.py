"""Vectors in the file: derived, so in no snapshot; in memory within a bound, none of an ended scope."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from shared.engines.sqlite import vectors
from shared.engines.sqlite.stores import SqliteStores
from shared.model.meaning import RowMeaning
from shared.model.scope import Scope
from tests.contracts.ltm.samples import open_in, pairs
from tests.engines.sqlite.test_erasing import run_to_the_key, write_rows


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[SqliteStores]:
    opened = open_in(tmp_path / "first")
    yield opened
    opened.close()


@pytest.fixture
async def scope(stores: SqliteStores) -> Scope:
    return await stores.directory.ensure_scope("t1", "user", outside_id="u1")


async def test_no_snapshot_holds_vectors_and_after_a_restore_they_are_made_anew(
    stores: SqliteStores, scope: Scope, tmp_path: Path
) -> None:
    await stores.ltm.write(scope, write_rows)
    before = await stores.ltm.read(scope, lambda r: r.row_vectors("model:1", width=2))
    assert len(before)
    await stores.snapshots.create("snap_1", tag="daily")
    assert {"vectors.jsonl", "embedded.jsonl"}.isdisjoint(
        path.name for path in (tmp_path / "first" / "snapshots" / "snap_1").iterdir()
    )
    await stores.snapshots.restore("snap_1")
    with stores.readers.view() as connection:
        for table in ("vectors", "embedded"):
            assert connection.execute(f"SELECT count(*) FROM {table}").get == 0  # noqa: S608
    assert len(await stores.ltm.read(scope, lambda r: r.row_vectors("model:1", width=2))) == 0
    assert await stores.ltm.read(scope, lambda r: r.embedded_model("model:1")) is None
    assert await stores.directory.scopes_to_embed(model="model:1", limit=9) == [scope]


async def test_an_erased_user_leaves_no_vector_in_the_file_nor_in_memory(
    stores: SqliteStores, scope: Scope
) -> None:
    await stores.ltm.write(scope, write_rows)
    assert len(await stores.ltm.read(scope, lambda r: r.row_vectors("model:1", width=2)))
    kept = stores.ltm._cache.vectors
    assert kept.get((scope.tenant_id, scope.scope_id)) is not None
    await run_to_the_key(stores, scope)
    assert kept.get((scope.tenant_id, scope.scope_id)) is None
    with stores.readers.view() as connection:
        assert connection.execute("SELECT count(*) FROM vectors").get == 0


async def test_of_a_scope_with_very_many_rows_the_newest_are_kept(
    stores: SqliteStores, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(vectors, "MOST_ROWS", 3)
    for session in ("s-1", "s-2"):
        rows = pairs("one", "two", session_id=session)
        await stores.ltm.write(scope, lambda w, r=rows: w.add_episodes(r))  # type: ignore[misc]
        row_ids = await stores.ltm.read(scope, lambda r: r.rows_to_embed("m:1", after=0, limit=9))
        made = [RowMeaning(row_id, np.ones(2, dtype=np.float32), is_han=False) for row_id in row_ids]
        await stores.ltm.write(scope, lambda w, m=made: w.put_vectors("m:1", m))  # type: ignore[misc]
        found = await stores.ltm.read(scope, lambda r: r.row_vectors("m:1", width=2))
    assert found.row_ids.tolist() == [2, 3, 4]


async def test_vectors_of_any_width_are_read_alike_by_a_warm_and_a_fresh_process(
    stores: SqliteStores, scope: Scope, tmp_path: Path
) -> None:
    for width, session in ((2, "s-1"), (5, "s-2"), (3, "s-3")):
        rows = pairs("one", "two", session_id=session)
        await stores.ltm.write(scope, lambda w, r=rows: w.add_episodes(r))  # type: ignore[misc]
        row_ids = await stores.ltm.read(scope, lambda r: r.rows_to_embed("m:1", after=0, limit=9))
        made = [RowMeaning(row_id, np.ones(width, dtype=np.float32), is_han=True) for row_id in row_ids]
        await stores.ltm.write(scope, lambda w, m=made: w.put_vectors("m:1", m))  # type: ignore[misc]
        other = open_in(tmp_path / "first")
        for asked in (2, width, 9):
            warm = await stores.ltm.read(scope, lambda r, w=asked: r.row_vectors("m:1", width=w))  # type: ignore[misc]
            cold = await other.ltm.read(scope, lambda r, w=asked: r.row_vectors("m:1", width=w))  # type: ignore[misc]
            for name in ("row_ids", "values", "is_han"):
                assert getattr(warm, name).tolist() == getattr(cold, name).tolist()
            assert warm.values.any() == (asked != 9)
        other.close()
