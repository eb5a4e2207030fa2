"""The end of a scope in Redis: a mark that turns every call away, and no key left behind.

The mark is the generation that follows the scope's own; it stays for 30 days, longer than any process
remembers a scope. Deleted values still stand in an append-only file, which is therefore written anew.
"""

from __future__ import annotations

import asyncio
import time

from redis.exceptions import ResponseError

from shared.engines.redis_stm.base import RedisScopes, deleted_sessions
from shared.errors import Unavailable
from shared.model.message import DeletedSessions
from shared.model.scope import Scope

_MARK_SECONDS = 30 * 86_400
_SCAN_COUNT = 1_000
_REWRITE_SECONDS = 60.0
_POLL_SECONDS = 0.05


class RedisErasing(RedisScopes):
    """Empties scopes, and ends them."""

    async def forget_sessions(self, scope: Scope) -> DeletedSessions:
        _, frames = await self._call(scope, "forget_sessions", args=(), now_ms=self._clock.now_ms())
        return deleted_sessions(frames)

    async def end_scope(self, scope: Scope) -> None:
        await self._link.do("SET", f"{{{scope.scope_id}}}:g", scope.generation + 1, "EX", _MARK_SECONDS)

    async def erase_scope(self, scope: Scope) -> tuple[int, int]:
        """Delete all keys of a scope but the mark and what is due; return how many, and how many caches."""
        prefix = f"{{{scope.scope_id}}}:"
        kept = {f"{prefix}{part}" for part in ("g", "due", "due:jobs")}
        keys, caches, cursor = 0, 0, 0
        while True:
            cursor, found = await self._link.do("SCAN", cursor, "MATCH", f"{prefix}*", "COUNT", _SCAN_COUNT)
            for key in (raw.decode() for raw in found):
                if key in kept:
                    continue
                gone = int(await self._link.do("DEL", key))
                is_cache = key.removeprefix(prefix).partition(":")[0] in {"c", "a"}
                keys, caches = (keys, caches + gone) if is_cache else (keys + gone, caches)
            if int(cursor) == 0:
                await self._rewrite_log()
                return keys, caches

    async def _rewrite_log(self) -> None:
        """Have the append-only file written anew, and wait for it; nothing where there is none."""
        deadline = time.monotonic() + _REWRITE_SECONDS
        has_begun = False
        while time.monotonic() < deadline:
            state = await self._read_persistence()
            if state.get("aof_enabled") != "1":
                return
            if state.get("aof_rewrite_in_progress") == "0" and state.get("aof_rewrite_scheduled") == "0":
                if has_begun and state.get("aof_last_bgrewrite_status") == "ok":
                    return
                # One that ran already had been begun before the last key went.
                try:
                    await self._link.do("BGREWRITEAOF")
                except ResponseError:  # forbidden, as on some managed servers
                    return
                has_begun = True
            await asyncio.sleep(_POLL_SECONDS)
        raise Unavailable("Redis does not rewrite its append-only file.", code="stm_unavailable")

    async def _read_persistence(self) -> dict[str, str]:
        try:
            info = await self._link.do("INFO", "persistence")
        except ResponseError:
            return {}
        if isinstance(info, bytes):
            pairs = (line.partition(":") for line in info.decode().splitlines())
            return {name: value for name, _, value in pairs}
        return {str(name): str(value) for name, value in info.items()}
