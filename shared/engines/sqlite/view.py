"""One scope on one transaction: what all functions of this engine are handed.

A row that does not open (a damaged page, a half-copied file) is left out and named in the log once; all
others are read. Where the scope's own name does not open either, the key is wrong, and nothing is answered.

`bind` puts tenant and scope into the bindings of every statement, so that none can forget them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import apsw

from shared.engines.recent import RecentlyUsed
from shared.engines.sqlite.connections import Row
from shared.engines.sqlite.keys import NO_STATE, ScopeState
from shared.engines.sqlite.packing import pack_json, unpack_json
from shared.engines.sqlite.scope_rows import OrderedRows, RowsCache
from shared.engines.vault import UNREADABLE, ScopeSealer, TenantKeys
from shared.errors import Missing, Unavailable
from shared.model.scope import Scope
from shared.unreadable import tell_unreadable

T = TypeVar("T")

SELECT_NAME = "SELECT outside_id FROM scopes WHERE tenant_id = :tenant_id AND scope_id = :scope_id"
_ITEM_BYTES = 1_000
_MINUTE_MS = 60_000


@dataclass(slots=True)
class View:
    """A scope, its keys and a connection inside a transaction; `now_ms` is the same throughout.

    What a write sees (`writes`) may be rolled back: it reads `cache` and puts nothing there, nor in `opened`.
    `state` is how the scope stood when the transaction began.
    """

    connection: apsw.Connection
    scope: Scope
    sealer: ScopeSealer
    tenant_keys: TenantKeys | None
    now_ms: int
    cache: RowsCache
    writes: bool = False
    state: ScopeState = NO_STATE
    opened: RecentlyUsed[Any] = field(default_factory=RecentlyUsed)
    ordered: OrderedRows | None = None

    def bind(self, **values: Any) -> dict[str, Any]:
        """Return `values` with the tenant and the scope."""
        return {"tenant_id": self.scope.tenant_id, "scope_id": self.scope.scope_id, **values}

    def all(self, statement: str, **values: Any) -> list[Row]:
        """Run a statement and return all its rows."""
        return self.connection.execute(statement, self.bind(**values)).fetchall()

    def one(self, statement: str, **values: Any) -> Row | None:
        """Run a statement and return its first row, if any."""
        row: Row | None = self.connection.execute(statement, self.bind(**values)).fetchone()
        return row

    def run(self, statement: str, **values: Any) -> int:
        """Run a statement that changes rows; return how many."""
        self.connection.execute(statement, self.bind(**values))
        return self.connection.changes()

    def keep(self, what: Hashable, read: Callable[[], list[T]]) -> list[T]:
        """Return what `read` returns, and read it once for as long as nothing in the scope is written.

        What ends at a time (`expires_at_ms`) is read anew from the moment the first of it has ended.
        """
        if self.writes:
            return read()
        key = (self.scope.tenant_id, self.scope.scope_id, self.state.changes, what)
        kept: list[T] | None = self.opened.get(key)
        if kept is None or any(_has_ended(item, self.now_ms) for item in kept):
            kept = read()
            self.opened.put(key, kept, size=_ITEM_BYTES * len(kept))
        return list(kept)

    def keep_rows(
        self, row_ids: Sequence[int], read: Callable[[Sequence[int]], dict[int, T]]
    ) -> dict[int, T]:
        """Return rows of the index by id, and `read` only those that were not read lately.

        A row's words change only with `edits`; what is counted beside them (accesses, importance) may lag by
        a minute, as it is written once a minute anyway.
        """
        if self.writes:
            return read(row_ids)
        place = (self.scope.tenant_id, self.scope.scope_id, self.state.edits, self.now_ms // _MINUTE_MS)
        kept: dict[int, T] = {}
        missing = []
        for row_id in row_ids:
            row: T | None = self.opened.get((place, row_id))
            if row is None:
                missing.append(row_id)
            else:
                kept[row_id] = row
        for row_id, row in (read(missing) if missing else {}).items():
            kept[row_id] = self.opened.put((place, row_id), row, size=_ITEM_BYTES)
        return kept

    def keys_of_tenant(self) -> TenantKeys:
        """Return the tenant's keys; a scope without a tenant cannot be."""
        if self.tenant_keys is None:
            raise Unavailable("The tenant has no keys; restore it from a snapshot.", code="ltm_unavailable")
        return self.tenant_keys

    def seal_json(self, content: Any, context: str) -> bytes:
        """Return a JSON value sealed."""
        return self.sealer.seal(pack_json(content), context)

    def open_json(self, sealed: bytes, context: str) -> Any:
        """Return the JSON value that was sealed."""
        return unpack_json(self.sealer.open(sealed, context))

    def open_rows(
        self, rows: Iterable[Row], read: Callable[[View, Row], T], *, table: str, key: int = 0
    ) -> list[T]:
        """Return what `read` makes of each row; one that does not open is left out, named by column `key`."""
        opened = []
        for row in rows:
            try:
                opened.append(read(self, row))
            except Missing as error:
                self.leave_out(f"{table}:{row[key]}", error)
        return opened

    def open_row(
        self, row: Row | None, read: Callable[[View, Row], T], *, table: str, key: int = 0
    ) -> T | None:
        """Return what `read` makes of a row; None where there is none or it does not open."""
        return next(iter(self.open_rows([] if row is None else [row], read, table=table, key=key)), None)

    def open_page(
        self, select: Callable[[int], list[Row]], read: Callable[[View, Row], T], *, table: str, limit: int
    ) -> list[T]:
        """Return the first `limit` rows that open; `select` returns so many first rows as it is asked."""
        asked = limit
        while True:
            rows = select(asked)
            opened = self.open_rows(rows, read, table=table)
            if len(opened) >= limit or len(rows) < asked:
                return opened[:limit]
            asked *= 2

    def leave_out(self, name: str, error: Missing) -> None:
        """Log that a row does not open, once in a while.

        Raises:
            Unavailable: nothing of the scope opens: the key is not the one that sealed it.
            Missing: `error` means something else.
        """
        if error.code != UNREADABLE:
            raise error
        sealed = self.one(SELECT_NAME)
        try:
            self.sealer.open((sealed and sealed[0]) or b"", "scopes:outside_id")
        except Missing:
            raise Unavailable(
                "The key of this scope does not open its rows; restore the key backup of this database.",
                code="ltm_unavailable",
            ) from None
        place = (self.scope.tenant_id, self.scope.scope_id, UNREADABLE, name)
        if self.opened.get(place) is None:
            self.opened.put(place, name, size=_ITEM_BYTES)
            tell_unreadable("row", scope_id=self.scope.scope_id, row=name)


def _has_ended(item: object, now_ms: int) -> bool:
    ends_at_ms: int | None = getattr(item, "expires_at_ms", None)
    return ends_at_ms is not None and ends_at_ms <= now_ms
