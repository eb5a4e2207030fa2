"""The end of scopes, and emptying them, in this process: a part of the fake of short-term memory."""

from __future__ import annotations

from shared.model.message import DeletedSessions
from shared.model.scope import Scope
from tests.fakes.memory_claims import MemoryClaims, forget_claims
from tests.fakes.memory_state import Place, delete_rooms


class MemoryErasing(MemoryClaims):
    """Empties scopes, and ends them."""

    async def forget_sessions(self, scope: Scope) -> DeletedSessions:
        place = self._place(scope)
        deleted = delete_rooms(place, list(place.rooms))
        forget_claims(place, lambda _kept: True)
        place.tail = []
        return deleted

    async def end_scope(self, scope: Scope) -> None:
        place = self._state.places.setdefault(scope.scope_id, Place(scope.tenant_id))
        place.generation = scope.generation + 1

    async def erase_scope(self, scope: Scope) -> tuple[int, int]:
        place = self._state.places[scope.scope_id]
        caches = len(place.claims) + bool(place.accesses) + bool(place.taken)
        keys = len(place.rooms) + bool(place.tail)
        left = Place(place.tenant_id, generation=place.generation, due=place.due, jobs=place.jobs)
        left.failures, left.buried = place.failures, place.buried
        self._state.places[scope.scope_id] = left
        return keys, caches
