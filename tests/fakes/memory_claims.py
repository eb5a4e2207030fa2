"""Idempotency claims in this process: a part of the fake of short-term memory."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from dataclasses import replace

from shared.clock import Clock
from shared.engines.redis_stm.limits import StmLimits
from shared.errors import Conflict, KeyReused, Missing
from shared.model.scope import Scope
from shared.ports.stm import Claim
from tests.fakes.memory_state import Kept, MemoryState, Place


def forget_claims(place: Place, matches: Callable[[Kept], bool]) -> None:
    """Drop the replies of some claims, whose keys stay taken."""
    for key, kept in place.claims.items():
        if matches(kept):
            place.claims[key] = replace(
                kept, state="forgotten", result=None, holder=None, told_ids=frozenset()
            )


def check_holder(place: Place, claim: Claim | None) -> Kept | None:
    """Return what is kept of a claim that this try holds; None without one."""
    kept = None if claim is None else place.claims.get(claim.key)
    if claim is not None and (kept is None or kept.holder != claim.holder):
        is_forgotten = kept is not None and kept.state == "forgotten"
        code = "reply_forgotten" if is_forgotten else "idempotency_running"
        raise Conflict("the request with this idempotency key is another's", code=code)
    return kept


class MemoryClaims:
    """Claims of one deployment's scopes."""

    def __init__(self, state: MemoryState, *, clock: Clock, limits: StmLimits) -> None:
        self._state = state
        self._clock = clock
        self._limits = limits

    async def claim_request(self, scope: Scope, claim: Claim) -> str | None:
        place = self._place(scope)
        kept = self._check_claim(place, claim, None)
        if kept is not None and kept.state == "done":
            return kept.result
        lease_until = time.monotonic() + self._limits.request_lease_seconds
        place.claims[claim.key] = replace(
            kept or Kept(claim.body_hash, "running", self._until()),
            state="running",
            until_ms=self._until(),
            lease_until=lease_until,
            holder=claim.holder,
            session_id=claim.session_id,
        )
        return None

    async def settle_request(
        self, scope: Scope, claim: Claim, *, result_json: str | None, told_ids: Collection[str] = ()
    ) -> None:
        place = self._place(scope)
        kept = place.claims.get(claim.key)
        if kept is None or kept.holder != claim.holder:
            return
        if result_json is not None:
            place.claims[claim.key] = replace(
                kept,
                state="done",
                until_ms=self._until(),
                result=result_json,
                told_ids=kept.told_ids | set(told_ids),
            )
        elif kept.appended:
            place.claims[claim.key] = replace(kept, state="free")
        else:
            del place.claims[claim.key]

    def _place(self, scope: Scope) -> Place:
        place = self._state.places.setdefault(scope.scope_id, Place(scope.tenant_id))
        if place.generation not in (None, scope.generation):
            raise Missing("This scope has ended.", code="scope_ended")
        return place

    def _until(self) -> int:
        return self._clock.now_ms() + self._limits.claim_seconds * 1000

    def _is_held(self, place: Place, session_id: str) -> bool:
        return place.leases.get(session_id, (0, 0.0))[1] > time.monotonic()

    def _check_claim(self, place: Place, claim: Claim | None, session_id: str | None) -> Kept | None:
        kept = None if claim is None else place.claims.get(claim.key)
        if claim is None or kept is None or kept.until_ms <= self._clock.now_ms():
            return None
        if kept.body != claim.body_hash:
            raise KeyReused("This idempotency key came with another request.", field="Idempotency-Key")
        if kept.state == "forgotten":
            raise Conflict("What was answered to this idempotency key was forgotten.", code="reply_forgotten")
        is_running = kept.lease_until > time.monotonic()
        if session_id is not None and self._is_held(place, session_id):
            is_running = place.leases[session_id][0] == kept.fence
        if kept.state == "running" and is_running:
            raise Conflict("The request with this idempotency key still runs.", code="idempotency_running")
        return kept
