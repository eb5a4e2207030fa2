"""Short-term memory on Redis: the turns and the sessions, and beside them claims, archive, accesses."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from shared.engines.redis_stm.base import refuse_claim
from shared.engines.redis_stm.erasing import RedisErasing
from shared.engines.redis_stm.sessions import RedisSessions
from shared.engines.redis_stm.turns import RedisTurns
from shared.ids import new_id
from shared.model.scope import Scope
from shared.ports.stm import Claim


class RedisShortTermMemory(RedisTurns, RedisSessions, RedisErasing):
    """The port `ShortTermMemory` on Redis."""

    async def claim_request(self, scope: Scope, claim: Claim) -> str | None:
        """Claim a request; one whose holder has not settled it within its lease is taken over."""
        word, result = await self._claim(scope, claim, verb="claim", result_json=None)
        refuse_claim(word)
        return result if word == "done" else None

    async def settle_request(
        self, scope: Scope, claim: Claim, *, result_json: str | None, told_ids: Collection[str] = ()
    ) -> None:
        verb = "free" if result_json is None else "keep"
        await self._claim(scope, claim, verb=verb, result_json=result_json, told_ids=told_ids)

    async def mark_archived(
        self, scope: Scope, session_key: str, *, epoch: int, to_seq: int, window_tokens: int
    ) -> None:
        """Move `archived_to` of that epoch on, wherever it lies; nothing where it is gone."""
        args = (session_key, epoch, to_seq, window_tokens)
        await self._call(scope, "mark_archived", args=args, now_ms=self._clock.now_ms())

    async def mark_extracted(self, scope: Scope, session_key: str, *, epoch: int, to_seq: int) -> None:
        """Move `extracted_to` of that epoch on; nothing where it is gone."""
        args = (session_key, epoch, to_seq)
        await self._call(scope, "mark_extracted", args=args, now_ms=self._clock.now_ms())

    async def take_accesses(self, scope: Scope) -> tuple[str, Mapping[int, int]] | None:
        now_ms = self._clock.now_ms()
        _, frames = await self._call(
            scope, "accesses", args=("take", new_id("acc", now_ms=now_ms)), now_ms=now_ms
        )
        counts: dict[str, str] = {}
        while frames.has_more():
            name = frames.text()
            counts[name] = frames.text()
        if not counts:
            return None
        buffer_id = counts.pop("id")
        return buffer_id, {int(row): int(count) for row, count in counts.items()}

    async def drop_accesses(self, scope: Scope, buffer_id: str) -> None:
        await self._call(scope, "accesses", args=("drop", buffer_id), now_ms=self._clock.now_ms())

    async def _claim(
        self,
        scope: Scope,
        claim: Claim,
        *,
        verb: str,
        result_json: str | None,
        told_ids: Collection[str] = (),
    ) -> tuple[str, str | None]:
        seals = self._seals(scope)
        key, body = seals.claim_keys(claim)
        lease_ms = int(self._limits.request_lease_seconds * 1000)
        result = seals.seal_result(key, result_json)
        session_key = "" if claim.session_id is None else seals.session_key(claim.session_id)
        holder, ids = claim.holder, " ".join(told_ids)
        args = (key, body, self._claim_ms, lease_ms, verb, holder, session_key, ids, result)
        word, frames = await self._call(scope, "claim", args=args, now_ms=self._clock.now_ms())
        return word, seals.open_result(key, frames.raw()) if word == "done" else None
