"""The removal of one user, from the request to the receipt: ids, times and counts, never a word of theirs."""

from __future__ import annotations

from typing import Literal

from shared.model.base import Value
from shared.model.scope import Scope, ScopeKind

ErasureState = Literal["queued", "running", "done"]


class ErasedStores(Value):
    """What went, store by store.

    `ltm_rows` are rows of long-term memory, `index_terms` words taken out of its index, `stm_keys` keys of
    short-term memory, `cache` kept replies and counts, `jobs` what still waited in the queue, and
    `snapshots_darkened` the snapshots that hold rows which no key opens any more.
    """

    ltm_rows: int = 0
    index_terms: int = 0
    stm_keys: int = 0
    jobs: int = 0
    cache: int = 0
    snapshots_darkened: int = 0

    def plus(self, other: ErasedStores) -> ErasedStores:
        """Return the sums."""
        mine, theirs = self.model_dump(), other.model_dump()
        return ErasedStores(**{name: mine[name] + theirs[name] for name in mine})


class Erasure(Value):
    """One erasure; `signature` is there once it is done."""

    id: str
    tenant_id: str
    scope_id: str
    kind: ScopeKind
    generation: int
    state: ErasureState
    stores: ErasedStores = ErasedStores()
    scope_created_at_ms: int
    requested_at_ms: int
    key_destroyed_at_ms: int | None = None
    signature: str | None = None

    @property
    def scope(self) -> Scope:
        """The scope as it was when it lived."""
        return Scope(
            tenant_id=self.tenant_id, scope_id=self.scope_id, kind=self.kind, generation=self.generation
        )
