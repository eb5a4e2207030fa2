"""All that a store holds, table by table, to hold a restore against."""

from __future__ import annotations

from typing import Any

from shared.engines.sqlite.dumping import plain_tables
from shared.engines.sqlite.stores import SqliteStores

RESTORED = {"audit", "deployment", "scopes", "tenants"}
"""A restore writes that it happened, and that every cache is stale."""


def read_tables(stores: SqliteStores) -> dict[str, list[Any]]:
    """Return the rows of every plain table, but those that a restore itself writes."""
    with stores.readers.view() as connection:
        return {
            name: sorted(map(repr, connection.execute(f"SELECT * FROM {name}")))  # noqa: S608 (our own names)
            for name in plain_tables(connection)
            if name not in RESTORED
        }
