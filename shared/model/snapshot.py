"""Snapshots: what a manifest says of one, what a look at its files found, what a restore did."""

from __future__ import annotations

import re
from typing import Final

from shared.model.base import Value

TAG: Final = re.compile(r"[a-z0-9_-]{1,40}")
DAILY: Final = "daily"
PRE_MIGRATE: Final = "pre_migrate"
PRE_RESTORE: Final = "pre_restore"


class TableFile(Value):
    """One table of a snapshot: how many rows its file holds, its size, and its SHA-256 in hex."""

    rows: int
    bytes: int
    sha256: str


class Snapshot(Value):
    """A snapshot as its manifest tells; `tag` is empty for one that was asked for without."""

    id: str
    tag: str = ""
    created_at_ms: int
    environment: str
    schema_version: int
    tables: dict[str, TableFile]

    @property
    def rows(self) -> int:
        """How many rows it holds."""
        return sum(table.rows for table in self.tables.values())

    @property
    def bytes(self) -> int:
        """How large its files are."""
        return sum(table.bytes for table in self.tables.values())


class Verification(Value):
    """Whether a snapshot's files are what its manifest says; `detail` names the first that is not."""

    ok: bool
    rows: int
    detail: str = ""


class RestoreReport(Value):
    """What a restore brought back.

    `dark_rows` are of users who have no key any more, `withheld_rows` were forgotten since; neither came.
    """

    snapshot_id: str
    rows: int
    dark_rows: int
    withheld_rows: int
    safety_id: str = ""
