"""What the parts of short-term memory on Redis share: how a script of a scope is called."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from shared.clock import Clock
from shared.engines.recent import RecentlyUsed
from shared.engines.redis_stm.frames import Frames, Seals
from shared.engines.redis_stm.limits import StmLimits
from shared.engines.redis_stm.link import Arg, RedisLink
from shared.errors import Conflict, KeyReused, Missing, Unavailable
from shared.model.message import DeletedSessions, SessionEpoch, SessionNotes
from shared.model.scope import Scope
from shared.ports.vault import Vault


class RedisScopes:
    """Calls scripts on one scope's keys and tells their refusals as errors."""

    def __init__(self, link: RedisLink, *, vault: Vault, clock: Clock, limits: StmLimits) -> None:
        self._link = link
        self._vault = vault
        self._clock = clock
        self._limits = limits
        self._opened: RecentlyUsed[Any] = RecentlyUsed()

    def _seals(self, scope: Scope) -> Seals:
        return Seals(scope, self._vault.sealer(scope), opened=self._opened)

    @property
    def _ttl_ms(self) -> int:
        return self._limits.session_ttl_seconds * 1000

    @property
    def _claim_ms(self) -> int:
        return self._limits.claim_seconds * 1000

    def _thresholds(self) -> tuple[int, int, int, int, int]:
        limits = self._limits
        return (
            self._ttl_ms,
            limits.idle_ms,
            limits.archive_messages,
            limits.archive_tokens,
            limits.compact_tokens,
        )

    def _notes_args(
        self, seals: Seals, session_key: str, *, notes: SessionNotes | None, version: int | None
    ) -> tuple[int, bytes, int, int | str]:
        """Return whether there are notes, these sealed, the session's life in ms (0: none), their version."""
        expected: int | str = "" if version is None else version
        if notes is None:
            return 0, b"", 0, expected
        return 1, seals.seal_notes(session_key, notes), (notes.ttl_seconds or 0) * 1000, expected

    async def _call(
        self, scope: Scope, script: str, *, args: tuple[Arg, ...], now_ms: int, due_ms: int | None = None
    ) -> tuple[str, Frames]:
        """Run a script; return its first word and the rest. `due_ms` notes the scope in the index."""
        due = None if due_ms is None else (scope_member(scope.tenant_id, scope.scope_id), due_ms)
        answer = await self._link.run(
            script, [f"{{{scope.scope_id}}}:g"], args=(scope.generation, now_ms, *args), due=due
        )
        frames = Frames(answer)
        word = frames.text()
        if word == "ended":
            raise Missing("This scope has ended.", code="scope_ended")
        if word == "moved":
            raise Conflict("The session's notes have changed meanwhile.", code="notes_moved")
        return word, frames

    async def _note_due_now(self, scope: Scope, *, now_ms: int) -> None:
        """Note in the index what a script has found to be due at once (once in an archive's time).

        What the script did stands, so a failure here is none of the caller's: the index has a later
        time already.
        """
        with suppress(Unavailable):
            await self._link.note_due((scope_member(scope.tenant_id, scope.scope_id), now_ms))


def scope_member(tenant_id: str, scope_id: str) -> str:
    """Return a scope's name in the index of all scopes."""
    return f"{tenant_id}/{scope_id}"


def deleted_sessions(frames: Frames) -> DeletedSessions:
    """Read what a deletion answers."""
    messages, sessions = frames.number(), frames.number()
    epochs = [SessionEpoch(session_key=frames.text(), epoch=frames.number()) for _ in range(sessions)]
    unarchived_ids = list[str]()
    while frames.has_more():
        unarchived_ids.append(frames.text())
    return DeletedSessions(messages=messages, epochs=tuple(epochs), unarchived_ids=tuple(unarchived_ids))


def refuse_claim(word: str) -> None:
    """Raise what a claim's state forbids."""
    if word == "mismatch":
        raise KeyReused("This idempotency key came with another request.", field="Idempotency-Key")
    if word == "forgotten":
        raise Conflict(
            "What was answered to this key was forgotten since; send a new request under a new key.",
            code="reply_forgotten",
        )
    if word == "running":
        raise Conflict("The request with this idempotency key still runs.", code="idempotency_running")
