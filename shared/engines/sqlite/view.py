"""One scope on one transaction: what all functions of this engine are handed.

`bind` puts tenant and scope into the bindings of every statement, so that none can forget them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

import apsw

from shared.engines.sqlite.connections import Row
from shared.engines.sqlite.packing import pack_text, unpack_text
from shared.engines.sqlite.scope_rows import OrderedRows, RowsCache
from shared.engines.vault import ScopeSealer, TenantKeys
from shared.errors import Unavailable
from shared.model.scope import Scope


@dataclass(slots=True)
class View:
    """A scope, its keys and a connection inside a transaction; `now_ms` is the same throughout.

    What a write sees (`writes`) may be rolled back: it reads `cache` and puts nothing there.
    """

    connection: apsw.Connection
    scope: Scope
    sealer: ScopeSealer
    tenant_keys: TenantKeys | None
    now_ms: int
    cache: RowsCache
    writes: bool = False
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

    def keys_of_tenant(self) -> TenantKeys:
        """Return the tenant's keys; a scope without a tenant cannot be."""
        if self.tenant_keys is None:
            raise Unavailable("The tenant has no keys; restore it from a snapshot.", code="ltm_unavailable")
        return self.tenant_keys

    def seal_json(self, content: Any, context: str) -> bytes:
        """Return a JSON value sealed."""
        text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        return self.sealer.seal(pack_text(text), context)

    def open_json(self, sealed: bytes, context: str) -> Any:
        """Return the JSON value that was sealed."""
        return json.loads(unpack_text(self.sealer.open(sealed, context)))
