"""Search through the engine: many users in one file, one user with many rows; what a row takes on disk."""

from __future__ import annotations

import random
import time
from collections.abc import Sequence
from pathlib import Path

from shared.clock import Clock
from shared.engines.sqlite.stores import SqliteStores, open_sqlite
from shared.model.scope import Scope
from shared.recall.find import SearchQuery, find_in
from tests.bench.figures import Table, times
from tests.bench.filling import describe, fill_episodes, make_scope
from tests.bench.sentences import make_queries, make_sentences

USERS = 1_000
ONE_USER_ROWS = 10_000
_POOL = 5_000


async def measure_engine(folder: Path, table: Table, *, rows: int, searches: int) -> None:
    """Fill a file of its own, then search it."""
    database = folder / "ltm.db"
    stores = open_sqlite(database, data_dir=folder, environment="bench", clock=Clock())
    try:
        described = describe(make_sentences(min(rows, _POOL), seed=1))
        chosen = random.Random(2)
        before, started = database.stat().st_size, time.perf_counter()
        scopes = []
        for number in range(USERS):
            scopes.append(await make_scope(stores, f"user-{number}"))
            await fill_episodes(stores, scopes[-1], chosen.choices(described, k=rows // USERS))
        seconds = time.perf_counter() - started
        await stores.checkpoint()
        size = database.stat().st_size - before
        name = f"engine, {rows:,} rows of {USERS:,} users"
        table.add(
            f"{name}: stored", {"rows/s": rows / seconds, "bytes a row": size / rows}, note="40 characters"
        )
        queries = make_queries(searches, seed=3)
        asked = [chosen.choice(scopes) for _ in queries]
        first = [await _search(stores, scope, query) for scope, query in zip(scopes, queries, strict=False)]
        again = [await _search(stores, scope, query) for scope, query in zip(asked, queries, strict=True)]
        table.add(f"{name}: first search of a user", times(first, 50, 99), note="loads the user's rows")
        table.add(f"{name}: search", times(again, 50, 99))
        await _measure_one_user(stores, table, queries=queries[: searches // 4])
    finally:
        stores.close()


async def _measure_one_user(stores: SqliteStores, table: Table, *, queries: Sequence[str]) -> None:
    scope = await make_scope(stores, "one-user")
    await fill_episodes(stores, scope, describe(make_sentences(ONE_USER_ROWS, seed=4)))
    first = await _search(stores, scope, queries[0])
    again = [await _search(stores, scope, query) for query in queries]
    table.add(
        f"engine, one user with {ONE_USER_ROWS:,} rows: search",
        times(again, 50, 99),
        note=f"first {first:.0f} ms",
    )


async def _search(stores: SqliteStores, scope: Scope, text: str) -> float:
    query = SearchQuery(text=text, asked_at=Clock().now())
    started = time.perf_counter()
    await stores.ltm.read(scope, lambda reader: find_in(reader, query, tail=()))
    return (time.perf_counter() - started) * 1000
