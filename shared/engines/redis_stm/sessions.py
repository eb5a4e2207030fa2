"""Sessions outside a turn: append, read, list, notes, delete; and the tail over all of them.

Expiry is service time: every write sets it anew, a passed one reads as missing, and a write to an
expired session begins a new epoch. What the old epoch still owes the archive stays under
`<session key>~<epoch>` until it is archived.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from shared.engines.redis_stm.base import RedisScopes, deleted_sessions, refuse_claim
from shared.engines.redis_stm.frames import appended
from shared.engines.redis_stm.link import Arg
from shared.errors import Missing
from shared.model.message import (
    DeletedSessions,
    Message,
    NewMessage,
    Session,
    SessionNotes,
    TailMessage,
)
from shared.model.scope import Scope
from shared.model.session_state import SessionSummary
from shared.ports.stm import Appended, Claim


class RedisSessions(RedisScopes):
    """Reads and writes sessions."""

    async def append_messages(
        self,
        scope: Scope,
        session_id: str,
        *,
        messages: Sequence[NewMessage],
        notes: SessionNotes | None = None,
        notes_version: int | None = None,
        claim: Claim | None = None,
    ) -> Appended:
        seals, now_ms = self._seals(scope), self._clock.now_ms()
        key = seals.session_key(session_id)
        packed: list[Arg] = []
        for message in messages:
            packed += seals.pack_message(message, now_ms=now_ms)
        args = (
            key,
            seals.seal_id(key, session_id),
            scope.tenant_id,
            *self._thresholds(),
            *self._notes_args(seals, key, notes=notes, version=notes_version),
            seals.claim_keys(claim)[0],
            "" if claim is None else claim.holder,
            *packed,
        )
        due_ms = now_ms + self._limits.idle_ms
        word, frames = await self._call(scope, "append_messages", args=args, now_ms=now_ms, due_ms=due_ms)
        refuse_claim(word)
        if frames.number() == 1:
            await self._note_due_now(scope, now_ms=now_ms)
        session = seals.read_session(frames, key)
        ids, new = [], []
        for message in messages:
            message_id, seq = frames.text(), frames.number()
            ids.append(message_id)
            if seq:
                named = message if message.id == message_id else message.model_copy(update={"id": message_id})
                new.append(appended(named, seq=seq, now_ms=now_ms))
        before = next(iter(seals.read_messages(frames)), None)
        return Appended(message_ids=tuple(ids), new=tuple(new), session=session, before=before)

    async def read_session(self, scope: Scope, session_id: str, *, window_tokens: int) -> Session:
        session, _ = await self._read(scope, session_id, window_tokens=window_tokens, has_tail=False)
        if session is None:
            raise Missing("No such session.")
        return session

    async def find_session(
        self, scope: Scope, session_id: str, *, window_tokens: int
    ) -> tuple[Session | None, tuple[TailMessage, ...]]:
        return await self._read(scope, session_id, window_tokens=window_tokens, has_tail=True)

    async def list_sessions(self, scope: Scope, *, limit: int, before_ms: int | None) -> list[Session]:
        seals = self._seals(scope)
        args = (limit, "" if before_ms is None else before_ms)
        _, frames = await self._call(scope, "list_sessions", args=args, now_ms=self._clock.now_ms())
        return [seals.read_session(frames, frames.text()) for _ in range(frames.number())]

    async def read_messages(
        self, scope: Scope, session_id: str, *, after_seq: int, limit: int
    ) -> list[Message]:
        key = self._seals(scope).session_key(session_id)
        _, messages = await self._messages(scope, (key, after_seq, limit, "live"))
        return messages

    async def read_unarchived(
        self, scope: Scope, session_key: str, *, limit: int
    ) -> tuple[Session | None, list[Message]]:
        """Return a session by its key; a key with an old epoch (`key~epoch`) names what that still owes."""
        return await self._messages(scope, (session_key, 0, limit, "unarchived"))

    async def read_open(
        self, scope: Scope, session_key: str, *, limit: int
    ) -> tuple[Session | None, list[Message]]:
        """Return a session by its key with the oldest messages held that no summary holds."""
        return await self._messages(scope, (session_key, 0, limit, "open"))

    async def store_summary(
        self, scope: Scope, session: Session, *, summary: SessionSummary, window_tokens: int
    ) -> bool:
        """Compare-and-set: the session's `compacted_to` must be what it was when it was read."""
        sealed = self._seals(scope).seal_summary(session.key, summary)
        args = (session.key, session.epoch, session.compacted_to, summary.to_seq, sealed, window_tokens)
        _, frames = await self._call(scope, "store_summary", args=args, now_ms=self._clock.now_ms())
        return frames.number() == 1

    async def rewrite_session(
        self,
        scope: Scope,
        session: Session,
        *,
        messages: Sequence[Message],
        summary: SessionSummary | None,
    ) -> int:
        seals = self._seals(scope)
        sealed = b"" if summary is None else seals.seal_summary(session.key, summary)
        packed = [part for message in messages for part in seals.pack_again(message)]
        args = (session.key, session.epoch, session.compacted_to, sealed, *packed)
        _, frames = await self._call(scope, "rewrite_session", args=args, now_ms=self._clock.now_ms())
        return frames.number()

    async def put_notes(
        self,
        scope: Scope,
        session_id: str,
        *,
        notes: SessionNotes,
        notes_version: int | None = None,
        epoch: int | None = None,
    ) -> Session:
        seals = self._seals(scope)
        key = seals.session_key(session_id)
        _, sealed, ttl_ms, version = self._notes_args(seals, key, notes=notes, version=notes_version)
        sealed_id, known = seals.seal_id(key, session_id), "" if epoch is None else epoch
        args = (key, sealed_id, scope.tenant_id, self._ttl_ms, sealed, ttl_ms, version, known)
        _, frames = await self._call(scope, "put_notes", args=args, now_ms=self._clock.now_ms())
        return seals.read_session(frames, key)

    async def delete_session(self, scope: Scope, session_id: str) -> DeletedSessions:
        key = self._seals(scope).session_key(session_id)
        _, frames = await self._call(scope, "delete_session", args=(key,), now_ms=self._clock.now_ms())
        return deleted_sessions(frames)

    async def read_tail(self, scope: Scope) -> tuple[TailMessage, ...]:
        _, tail = await self._read(scope, None, window_tokens=0, has_tail=True)
        return tail

    async def forget_in_tail(self, scope: Scope, message_ids: Collection[str]) -> int:
        _, frames = await self._call(
            scope, "forget_in_tail", args=tuple(message_ids), now_ms=self._clock.now_ms()
        )
        return frames.number()

    async def _read(
        self, scope: Scope, session_id: str | None, *, window_tokens: int, has_tail: bool
    ) -> tuple[Session | None, tuple[TailMessage, ...]]:
        seals = self._seals(scope)
        key = "" if session_id is None else seals.session_key(session_id)
        args = (key, window_tokens, int(has_tail))
        _, frames = await self._call(scope, "read_session", args=args, now_ms=self._clock.now_ms())
        session = None
        if frames.number() == 1:
            session = seals.read_session(frames, key)
            session = session.model_copy(update={"window": seals.read_messages(frames)})
        return session, seals.read_tail(frames) if has_tail else ()

    async def _messages(self, scope: Scope, args: tuple[Arg, ...]) -> tuple[Session | None, list[Message]]:
        seals = self._seals(scope)
        _, frames = await self._call(scope, "read_messages", args=args, now_ms=self._clock.now_ms())
        if frames.number() == 0:
            return None, []
        session = seals.read_session(frames, str(args[0]))
        return session, list(seals.read_messages(frames))
