"""The two round trips of a turn, and the line of those that wait for a session.

A turn holds its session's lease (real time, renewed) under a fence that only grows. One whose claim
was interrupted, or whose holder is gone, goes on with the user's message that stands already:
whatever was appended after it stays in the store, but the window ends with that message.
"""

from __future__ import annotations

import asyncio
import secrets
import time

from shared.engines.redis_stm.base import RedisScopes, refuse_claim
from shared.engines.redis_stm.frames import Frames, Seals, appended
from shared.engines.redis_stm.link import Arg
from shared.errors import Conflict
from shared.model.message import Message, NewMessage, Session, SessionNotes
from shared.model.scope import Scope
from shared.ports.stm import Claim, TurnEnd, TurnStart

_POLL_SECONDS = 0.025
_NO_MESSAGE: tuple[Arg, ...] = ("", "", b"", "", b"")


class RedisTurns(RedisScopes):
    """Begins, renews and finishes turns."""

    async def begin_turn(
        self, scope: Scope, session_id: str, *, message: NewMessage, claim: Claim | None, window_tokens: int
    ) -> TurnStart:
        seals = self._seals(scope)
        key, ticket = seals.session_key(session_id), secrets.token_hex(8)
        claim_key, claim_body = seals.claim_keys(claim)
        deadline = time.monotonic() + self._limits.session_wait_seconds
        while True:
            now_ms = self._clock.now_ms()
            args = (
                key,
                seals.seal_id(key, session_id),
                scope.tenant_id,
                *self._thresholds(),
                int(self._limits.lease_seconds * 1000),
                ticket,
                window_tokens,
                claim_key,
                claim_body,
                self._claim_ms,
                *seals.pack_message(message, now_ms=now_ms),
            )
            due_ms = now_ms + self._limits.idle_ms
            word, frames = await self._call(scope, "begin_turn", args=args, now_ms=now_ms, due_ms=due_ms)
            if word != "busy":
                break
            await self._wait_in_line(scope, key, ticket=ticket, deadline=deadline)
        refuse_claim(word)
        if word == "done":
            return _replay(
                seals, session_id, frames=frames, claim_key=claim_key, message=message, now_ms=now_ms
            )
        return _read_start(seals, key, frames=frames, message=message, now_ms=now_ms)

    async def renew_lease(self, scope: Scope, session_id: str, *, fence: int) -> bool:
        key = self._seals(scope).session_key(session_id)
        args = (key, fence, int(self._limits.lease_seconds * 1000))
        _, frames = await self._call(scope, "renew_lease", args=args, now_ms=self._clock.now_ms())
        return frames.number() == 1

    async def finish_turn(self, scope: Scope, end: TurnEnd) -> Message | None:
        seals, now_ms = self._seals(scope), self._clock.now_ms()
        key = seals.session_key(end.session_id)
        claim_key, claim_body = seals.claim_keys(end.claim)
        touch_ms = int(self._limits.touch_seconds * 1000)
        args = (
            key,
            *self._thresholds(),
            end.fence,
            claim_key,
            claim_body,
            self._claim_ms,
            end.claim_state,
            seals.seal_result(claim_key, end.result_json),
            *self._notes_args(seals, key, notes=end.notes, version=end.notes_version),
            touch_ms,
            " ".join(map(str, end.accessed_row_ids)),
            *(_NO_MESSAGE if end.reply is None else seals.pack_message(end.reply, now_ms=now_ms)),
        )
        waits_ms = [0 if end.is_archive_due else self._limits.idle_ms]
        if end.accessed_row_ids:
            waits_ms.append(touch_ms)
        word, frames = await self._call(
            scope, "finish_turn", args=args, now_ms=now_ms, due_ms=now_ms + min(waits_ms)
        )
        if word == "lost":
            raise Conflict("Another turn has taken this session.", code="lease_lost")
        seq = frames.number()
        return None if end.reply is None else appended(end.reply, seq=seq, now_ms=now_ms)

    async def _wait_in_line(self, scope: Scope, key: str, *, ticket: str, deadline: float) -> None:
        """Ask again and again whether this ticket is next and the session free."""
        while True:
            if time.monotonic() >= deadline:
                await self._call(scope, "wait_turn", args=(key, ticket, "leave"), now_ms=self._clock.now_ms())
                raise Conflict("Another turn runs in this session.", code="session_busy")
            await asyncio.sleep(_POLL_SECONDS)
            args = (key, ticket, "poll")
            _, frames = await self._call(scope, "wait_turn", args=args, now_ms=self._clock.now_ms())
            if frames.number() == 1:
                return


def _read_start(seals: Seals, key: str, *, frames: Frames, message: NewMessage, now_ms: int) -> TurnStart:
    fence, has_resumed, seq = frames.number(), frames.number() == 1, frames.number()
    is_due = frames.number() == 1
    session = seals.read_session(frames, key)
    window = seals.read_messages(frames)
    if not has_resumed:
        window = (*window, appended(message, seq=seq, now_ms=now_ms))
    session = session.model_copy(update={"window": window})
    return TurnStart(
        session=session,
        message=window[-1],
        fence=fence,
        tail=seals.read_tail(frames),
        resumed=has_resumed,
        is_archive_due=is_due,
    )


def _replay(
    seals: Seals, session_id: str, *, frames: Frames, claim_key: str, message: NewMessage, now_ms: int
) -> TurnStart:
    """Return the start of a turn that was done already; its session may be gone by now."""
    result = seals.open_result(claim_key, frames.raw())
    seq, has_session = frames.number(), frames.number() == 1
    key = seals.session_key(session_id)
    if has_session:
        session = seals.read_session(frames, key)
        window = seals.read_messages(frames)
    else:
        session, window = _gone(session_id, key, now_ms=now_ms), ()
    if not window or window[-1].seq != seq:
        window = (appended(message, seq=seq, now_ms=now_ms),)
    session = session.model_copy(update={"window": window})
    return TurnStart(session=session, message=window[-1], fence=0, resumed=True, replayed=result)


def _gone(session_id: str, key: str, *, now_ms: int) -> Session:
    return Session(
        id=session_id,
        key=key,
        epoch=now_ms,
        last_seq=0,
        archived_to=0,
        extracted_to=0,
        compacted_to=0,
        total_tokens=0,
        created_at_ms=now_ms,
        last_at_ms=now_ms,
        expires_at_ms=now_ms,
        notes=SessionNotes(),
    )
