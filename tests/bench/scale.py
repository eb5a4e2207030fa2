"""Search and disk at scale: N rows of M users in one file, then one user with many rows.

Rows come as they do in life: a batch of one user's messages, then of the next user's, round after round,
so that pages fill as they would. The index is merged at the end, as the write thread does while it idles.
Beside the searches runs the floor: SQLite's own ranking on the same index, its best 50 rows unsealed. It
knows no neighbours, days or sessions, and its order changes with other users' rows.
"""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import apsw

from api.garbage import take_over_collector, walk_young
from shared.clock import Clock
from shared.engines.sqlite.connections import Row, run_pragma
from shared.engines.sqlite.packing import unpack_json
from shared.engines.sqlite.search import merge_slice
from shared.engines.sqlite.stores import SqliteStores, open_sqlite
from shared.engines.sqlite.write_thread import run_transaction
from shared.language.terms import query_terms
from shared.model.scope import Scope
from shared.recall.find import SearchQuery, find_in
from tests.bench.figures import Table, percentile, times
from tests.bench.filling import Described, describe, fill_episodes, make_scope
from tests.bench.sentences import make_queries, make_sentences

_POOL: Final = 20_000
_BATCH: Final = 50
_LARGEST_TABLES: Final = 6
# What each table and index takes, pages and all (https://www.sqlite.org/dbstat.html).
_SIZES: Final = """
SELECT iif(name LIKE 'search_index%', 'search_index', name), sum(pgsize), sum(unused) FROM dbstat
GROUP BY 1 ORDER BY 2 DESC
"""
_FLOOR: Final = """
SELECT e.message_id, e.body FROM (
    SELECT rowid AS row_id FROM search_index WHERE search_index MATCH :words ORDER BY rank LIMIT 50) AS best
JOIN search_rows AS r ON r.tenant_id = :tenant_id AND r.scope_id = :scope_id AND r.row_id = best.row_id
JOIN episodes AS e
  ON e.tenant_id = :tenant_id AND e.scope_id = :scope_id AND e.message_id = r.target_id
"""


async def measure_scale(
    folder: Path, table: Table, *, rows: int, users: int, one_user: Sequence[int], searches: int
) -> None:
    """Fill a file with `rows` rows of `users` users, then one user's with each of `one_user` rows."""
    stores = open_sqlite(folder / "ltm.db", data_dir=folder, environment="bench", clock=Clock())
    take_over_collector()  # as the front does: no search waits for a walk over the whole heap
    try:
        described = describe(make_sentences(min(rows, _POOL), seed=1))
        await _measure_many_users(
            stores, table, described=described, rows=rows, users=users, searches=searches
        )
        for size in one_user:
            await _measure_one_user(stores, table, rows=size, searches=max(searches // 4, 1))
    finally:
        stores.close()


async def _measure_many_users(
    stores: SqliteStores,
    table: Table,
    *,
    described: Sequence[Described],
    rows: int,
    users: int,
    searches: int,
) -> None:
    name = f"scale, {rows:,} rows of {users:,} users"
    scopes = [await make_scope(stores, f"user-{number}") for number in range(users)]
    await settle(stores)
    before = await measure_tables(stores)
    started = time.perf_counter()
    await fill_in_turn(stores, scopes, described, rows=rows)
    seconds = time.perf_counter() - started
    slices = await settle(stores)
    after = await measure_tables(stores)
    grown = {each: size - before.get(each, (0, 0))[0] for each, (size, _) in after.items()}
    table.add(
        f"{name}: stored",
        {"rows/s": rows / seconds, "bytes a row": sum(grown.values()) / rows, "merge slices": slices},
        note="sentences of 40 characters",
    )
    largest = sorted(grown, key=grown.__getitem__, reverse=True)[:_LARGEST_TABLES]
    table.add(f"{name}: bytes a row, by table", {each: grown[each] / rows for each in largest})
    table.add(f"{name}: of these empty", {each: after[each][1] / rows for each in largest})
    chosen = random.Random(2)
    queries = make_queries(searches, seed=3)
    first = [await _search(stores, scope, query) for scope, query in zip(scopes, queries, strict=False)]
    table.add(f"{name}: first search of a user", _both(first), note=f"loads the rows; {_load()}")
    again = [await _search(stores, chosen.choice(scopes), query) for query in queries]
    table.add(f"{name}: search of any user", _both(again), note=_load())
    kept = [
        (await _search(stores, scope, other), await _search(stores, scope, query))[1]
        for query, other in zip(queries, reversed(queries), strict=True)
        for scope in [chosen.choice(scopes)]
    ]
    table.add(f"{name}: search of a user just searched", _both(kept), note=_load())
    floors = [_search_plainly(stores, chosen.choice(scopes), query) for query in queries]
    table.add(f"{name}: floor, bm25() on the same index", _both(floors), note=_load())
    ratios = {
        f"{kind}, p{share:.0%}"[:-1]: _share(taken, share) / _share(floors, share)
        for kind, taken in (("any user", again), ("just searched", kept))
        for share in (0.5, 0.99)
    }
    table.add(f"{name}: processor time to the floor's", ratios)


async def _measure_one_user(stores: SqliteStores, table: Table, *, rows: int, searches: int) -> None:
    scope = await make_scope(stores, f"one-user-{rows}")
    described = describe(make_sentences(min(rows, _POOL), seed=4))
    started = time.perf_counter()
    await fill_in_turn(stores, [scope], described, rows=rows)
    seconds = time.perf_counter() - started
    await settle(stores)
    queries = make_queries(searches, seed=5)
    first = await _search(stores, scope, queries[0])
    again = [await _search(stores, scope, query) for query in queries]
    figures = {**_both(again), "first ms": first[0], "rows/s": rows / seconds}
    table.add(f"scale, one user with {rows:,} rows: search", figures, note=_load())


async def fill_in_turn(
    stores: SqliteStores, scopes: Sequence[Scope], described: Sequence[Described], *, rows: int
) -> None:
    """Add `rows` episodes, a batch of each scope in turn."""
    chosen = random.Random(6)
    each = rows // len(scopes)
    for start in range(0, each, _BATCH):
        size = min(_BATCH, each - start)
        for scope in scopes:
            await fill_episodes(stores, scope, chosen.choices(described, k=size), start=start)


async def settle(stores: SqliteStores) -> int:
    """Merge the index to its end and empty the write-ahead log; return how many slices it took."""

    def merge_all(connection: apsw.Connection) -> int:
        slices = 1
        while run_transaction(connection, merge_slice):
            slices += 1
        return slices

    slices = await asyncio.wrap_future(stores.writes.submit(merge_all, in_transaction=False))
    await stores.checkpoint()
    return slices


async def measure_tables(stores: SqliteStores) -> dict[str, tuple[int, int]]:
    """Return the bytes of each table and index, and how many of them hold nothing."""

    def read(connection: apsw.Connection) -> dict[str, tuple[int, int]]:
        sizes = {name: (size, unused) for name, size, unused in connection.execute(_SIZES)}
        ((free,),), ((page,),) = (run_pragma(connection, what) for what in ("freelist_count", "page_size"))
        return {**sizes, "free pages": (free * page, free * page)}

    return await asyncio.wrap_future(stores.writes.submit(read))


async def _search(stores: SqliteStores, scope: Scope, text: str) -> tuple[float, float]:
    """Search, and return its milliseconds on the clock and of the processor."""
    walk_young()  # as the front does between two requests
    query = SearchQuery(text=text, asked_at=Clock().now())
    started, worked = time.perf_counter(), time.thread_time()
    await stores.ltm.read(scope, lambda reader: find_in(reader, query, tail=()))
    return (time.perf_counter() - started) * 1000, (time.thread_time() - worked) * 1000


def _search_plainly(stores: SqliteStores, scope: Scope, text: str) -> tuple[float, float]:
    """Rank by `bm25()` and unseal the best 50; return its milliseconds on the clock and of the processor."""
    started, worked = time.perf_counter(), time.thread_time()
    sealer = stores.vault.sealer(scope)
    words = " OR ".join([sealer.blind(term.term) for term in query_terms(text)])
    bound = {"words": words, "tenant_id": scope.tenant_id, "scope_id": scope.scope_id}
    with stores.readers.view() as connection:
        found: list[Row] = connection.execute(_FLOOR, bound).fetchall() if words else []
        for message_id, body in found:
            unpack_json(sealer.open(body, f"episodes:{message_id}"))
    return (time.perf_counter() - started) * 1000, (time.thread_time() - worked) * 1000


def _share(taken: Sequence[tuple[float, float]], share: float) -> float:
    return percentile([worked for _, worked in taken], share)


def _both(taken: Sequence[tuple[float, float]]) -> dict[str, float]:
    """Return percentiles on the clock, and of the processor: the latter hardly know of others' load."""
    processor = times([worked for _, worked in taken], 50, 99)
    return {**times([each for each, _ in taken], 50, 99), **{f"CPU {n}": v for n, v in processor.items()}}


def _load() -> str:
    return f"load {os.getloadavg()[0]:.1f}"
