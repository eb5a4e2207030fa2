"""Erasing a scope from long-term memory, step by step; every step may be done twice."""

from __future__ import annotations

from typing import Protocol

from shared.model.erasure import ErasedStores, Erasure
from shared.model.scope import Scope


class Erasures(Protocol):
    """Erasures and what they do to long-term memory. Raises `Unavailable` when it does not answer."""

    async def begin(self, scope: Scope, *, actor: str, request_id: str) -> Erasure:
        """End a scope for every reader and writer, and note its erasure; one that is noted is returned.

        Raises `Missing` (code `scope_ended`) where there is no such scope.
        """

    async def find(self, tenant_id: str, erasure_id: str) -> Erasure | None:
        """Return an erasure by its id."""

    async def of_scope(self, tenant_id: str, scope_id: str) -> Erasure | None:
        """Return the erasure of a scope."""

    async def of_user(self, tenant_id: str, user_id: str) -> Erasure | None:
        """Return the erasure that runs for a user; None once nobody can tell any more who it was."""

    async def unfinished(self) -> list[Erasure]:
        """Return the erasures of all tenants that are not done, oldest first."""

    async def delete_slice(self, erasure: Erasure) -> bool:
        """Delete and count some rows, those of the index first; False once nothing is left."""

    async def count(self, erasure: Erasure, gone: ErasedStores) -> None:
        """Add to what went."""

    async def destroy_key(self, erasure: Erasure, *, snapshots_darkened: int) -> None:
        """Destroy the scope's key with the sealed parts of its audit; nothing where that is done.

        `snapshots_darkened` counts the snapshots that hold its rows.
        """

    async def settle_files(self) -> None:
        """Write the key backup anew and empty the WAL, so that no file holds what was deleted."""

    async def finish(self, erasure: Erasure) -> Erasure:
        """Sign the receipt and return the erasure as it ended."""
