"""Snapshots of long-term memory, and the way back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from shared.model.snapshot import RestoreReport, Snapshot, Verification


class Snapshots(Protocol):
    """Dated, sealed, engine-neutral copies without the users' keys, which lie once beside them."""

    async def create(self, snapshot_id: str, *, tag: str) -> Snapshot:
        """Copy the store as it is at one moment, whoever writes meanwhile; one that stands is returned."""

    async def list(self) -> list[Snapshot]:
        """Return the snapshots, newest first."""

    async def verify(self, snapshot_id: str) -> Verification:
        """Read a snapshot's files again. Raises `Missing` where there is none."""

    async def restore(self, snapshot_id: str) -> RestoreReport:
        """Bring back a snapshot in one transaction; what was erased or forgotten since stays away.

        Raises:
            Missing: there is no such snapshot.
            Conflict: it is damaged, or of another store, environment or newer version.
        """

    async def drop(self, snapshot_ids: Sequence[str]) -> None:
        """Delete snapshots."""
