"""Statements are compiled once: what is bound to them does not make SQLite think again."""

from __future__ import annotations

from datetime import UTC, datetime
from functools import partial
from pathlib import Path

import apsw

from shared.clock import Clock
from shared.engines.sqlite.stores import SqliteStores
from shared.model.scope import Scope
from shared.ports.ltm import LtmReader, LtmWriter
from shared.recall.find import SearchQuery, find_in
from tests.contracts.ltm.samples import memory, open_in, pairs, record

_VOCABULARY = "search_index"
_QUERY = SearchQuery(text="红茶 or coffee?", asked_at=datetime(2026, 3, 1, tzinfo=UTC))


async def test_a_search_of_another_user_compiles_no_statement_anew(tmp_path: Path) -> None:
    stores = open_in(tmp_path, clock=Clock())
    try:
        for scope in (scopes := [await _filled(stores, name) for name in ("u1", "u2", "u3")]):
            for row in ("我爱喝红茶", "coffee at nine"):
                await stores.ltm.write(scope, partial(_remember, row))
        await stores.ltm.read(scopes[0], _search)
        compiled: list[str | None] = []
        stores.readers.connection().authorizer = partial(_note, compiled)
        await stores.ltm.read(scopes[1], _search)
        assert compiled, "a new authorizer makes all statements old: they ask it while they are compiled"
        compiled.clear()
        assert await stores.ltm.read(scopes[2], _search)
        assert set(compiled) <= {_VOCABULARY}, "SQLite's own, for the table of terms"
    finally:
        stores.close()


def _note(compiled: list[str | None], code: int, table: str | None, *_: str | None) -> int:
    if code == apsw.SQLITE_READ:
        compiled.append(table)
    return apsw.SQLITE_OK


def _search(reader: LtmReader) -> int:
    return len(find_in(reader, _QUERY, tail=()))


def _remember(text: str, writer: LtmWriter) -> None:
    writer.add_memory(memory(text), record(text), normal_text=text)


async def _filled(stores: SqliteStores, name: str) -> Scope:
    scope = await stores.directory.ensure_scope("t1", "user", outside_id=name)
    await stores.ltm.write(scope, lambda writer: writer.add_episodes(pairs("红茶", "coffee")))
    return scope
