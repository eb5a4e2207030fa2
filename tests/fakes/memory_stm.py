"""Short-term memory in this process: a second implementation, held true by the same contract tests.

It keeps everything in plain values and has no sealing; one process, so a call is atomic by itself.
"""

from __future__ import annotations

import asyncio
import itertools
import secrets
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from shared.clock import Clock
from shared.engines.redis_stm.limits import StmLimits
from shared.errors import Conflict, KeyReused, Missing
from shared.ids import new_id
from shared.model.message import Message, NewMessage, Session, SessionNotes, TailMessage
from shared.model.scope import Scope
from shared.ports.stm import Appended, Claim, TurnEnd, TurnStart

_TAIL_LENGTH = 200
_KEPT_TURNS = 3
_KEPT_MESSAGES = 24


@dataclass
class Room:
    """A session of one epoch."""

    id: str
    key: str
    epoch: int
    messages: list[Message] = field(default_factory=list)
    clients: dict[str, tuple[int, str]] = field(default_factory=dict)
    notes: SessionNotes = field(default_factory=SessionNotes)
    last_seq: int = 0
    archived_to: int = 0
    total_tokens: int = 0
    last_at: int = 0
    expires_at: int = 0
    due: int | None = None

    @property
    def unarchived(self) -> list[Message]:
        return [message for message in self.messages if message.seq > self.archived_to]


@dataclass
class Kept:
    """An idempotency claim."""

    body: str
    state: str
    until_ms: int
    result: str | None = None
    fence: int = 0
    epoch: int = 0
    seq: int = 0
    lease_until: float = 0


@dataclass
class Place:
    """All that is kept of one scope."""

    tenant_id: str
    generation: int | None = None
    rooms: dict[str, Room] = field(default_factory=dict)
    tail: list[TailMessage] = field(default_factory=list)
    claims: dict[str, Kept] = field(default_factory=dict)
    leases: dict[str, tuple[int, float]] = field(default_factory=dict)
    lines: dict[str, list[str]] = field(default_factory=dict)
    due: dict[str, int] = field(default_factory=dict)
    jobs: dict[str, str] = field(default_factory=dict)
    failures: dict[str, int] = field(default_factory=dict)
    buried: set[str] = field(default_factory=set)
    accesses: dict[int, int] = field(default_factory=dict)
    taken: tuple[str, dict[int, int]] | None = None


@dataclass
class MemoryState:
    """What engines of one test share, as processes share a Redis."""

    places: dict[str, Place] = field(default_factory=dict)
    fence: int = 0


class MemoryShortTermMemory:
    """The port `ShortTermMemory` in memory."""

    def __init__(self, state: MemoryState, *, clock: Clock, limits: StmLimits) -> None:
        self._state = state
        self._clock = clock
        self._limits = limits

    async def begin_turn(
        self, scope: Scope, session_id: str, *, message: NewMessage, claim: Claim | None, window_tokens: int
    ) -> TurnStart:
        place, ticket = self._place(scope), secrets.token_hex(4)
        line = place.lines.setdefault(session_id, [])
        deadline = time.monotonic() + self._limits.session_wait_seconds
        try:
            while True:
                earlier = self._check_claim(place, claim, session_id)
                if earlier is not None and earlier.state == "done":
                    return self._replay(place, session_id, message, kept=earlier)
                if not self._is_held(place, session_id) and (not line or line[0] == ticket):
                    break
                if ticket not in line:
                    line.append(ticket)
                if time.monotonic() >= deadline:
                    raise Conflict("another turn runs in this session", code="session_busy")
                await asyncio.sleep(0.002)
        finally:
            if ticket in line:
                line.remove(ticket)
        room = self._open(place, session_id)
        self._state.fence += 1
        fence = self._state.fence
        place.leases[session_id] = (fence, time.monotonic() + self._limits.lease_seconds)
        stood = None
        if earlier is not None and earlier.epoch == room.epoch:
            stood = next((kept for kept in room.messages if kept.seq == earlier.seq), None)
        said = stood or self._append(place, room, message)
        self._save(place, room)
        if claim is not None:
            place.claims[claim.key] = Kept(
                claim.body_hash, "running", self._until(), fence=fence, epoch=room.epoch, seq=said.seq
            )
        before = [kept for kept in room.messages if kept.seq <= said.seq]
        return TurnStart(
            session=_session(room, _window(before, window_tokens)),
            message=said,
            fence=fence,
            tail=tuple(place.tail),
            resumed=stood is not None,
        )

    async def renew_lease(self, scope: Scope, session_id: str, fence: int) -> bool:
        place = self._place(scope)
        if place.leases.get(session_id, (0, 0))[0] != fence:
            return False
        place.leases[session_id] = (fence, time.monotonic() + self._limits.lease_seconds)
        return True

    async def finish_turn(self, scope: Scope, end: TurnEnd) -> Message | None:
        place = self._place(scope)
        room = place.rooms.get(end.session_id)
        if room is None or place.leases.get(end.session_id, (0, 0))[0] != end.fence:
            raise Conflict("another turn has taken this session", code="lease_lost")
        del place.leases[end.session_id]
        room.notes = end.notes or room.notes
        reply = None if end.reply is None else self._append(place, room, end.reply)
        self._save(place, room)
        if end.claim is not None:
            kept = place.claims[end.claim.key]
            place.claims[end.claim.key] = replace(
                kept, state=end.claim_state, result=end.result_json, until_ms=self._until()
            )
        for row in end.accessed_row_ids:
            place.accesses[row] = place.accesses.get(row, 0) + 1
        if end.accessed_row_ids:
            touch_at = self._clock.now_ms() + int(self._limits.touch_seconds * 1000)
            place.due.setdefault("touch", touch_at)
        return reply

    async def append_messages(
        self,
        scope: Scope,
        session_id: str,
        messages: Sequence[NewMessage],
        *,
        notes: SessionNotes | None = None,
    ) -> Appended:
        place = self._place(scope)
        room = self._open(place, session_id)
        room.notes = notes or room.notes
        ids, new = [], []
        for message in messages:
            client_id = message.body.client_id
            if client_id is not None and client_id in room.clients:
                ids.append(room.clients[client_id][1])
                continue
            new.append(self._append(place, room, message))
            ids.append(message.id)
        self._save(place, room)
        return Appended(message_ids=tuple(ids), new=tuple(new), session=_session(room))

    async def read_session(self, scope: Scope, session_id: str, *, window_tokens: int) -> Session:
        session, _ = await self.find_session(scope, session_id, window_tokens=window_tokens)
        if session is None:
            raise Missing("no such session")
        return session

    async def find_session(
        self, scope: Scope, session_id: str, *, window_tokens: int
    ) -> tuple[Session | None, tuple[TailMessage, ...]]:
        place = self._place(scope)
        room = self._live(place, session_id)
        session = None if room is None else _session(room, _window(room.messages, window_tokens))
        return session, tuple(place.tail)

    async def list_sessions(self, scope: Scope, *, limit: int, before_ms: int | None) -> list[Session]:
        place = self._place(scope)
        rooms = [self._live(place, key) for key, room in list(place.rooms.items()) if room.key == key]
        found = [room for room in rooms if room and (before_ms is None or room.last_at < before_ms)]
        found.sort(key=lambda room: -room.last_at)
        return [_session(room) for room in found[:limit]]

    async def read_messages(
        self, scope: Scope, session_id: str, *, after_seq: int, limit: int
    ) -> list[Message]:
        room = self._live(self._place(scope), session_id)
        return [kept for kept in room.messages if kept.seq > after_seq][:limit] if room else []

    async def put_notes(self, scope: Scope, session_id: str, notes: SessionNotes) -> Session:
        place = self._place(scope)
        room = self._open(place, session_id)
        room.notes = notes
        self._save(place, room)
        return _session(room)

    async def delete_session(self, scope: Scope, session_id: str) -> int:
        place = self._place(scope)
        keys = [key for key in place.rooms if key == session_id or key.startswith(f"{session_id}~")]
        removed = sum(len(place.rooms[key].messages) for key in keys)
        for key in keys:
            _drop(place, key)
        place.leases.pop(session_id, None)
        place.tail = [entry for entry in place.tail if entry.session_id != session_id]
        return removed

    async def read_tail(self, scope: Scope) -> tuple[TailMessage, ...]:
        return tuple(self._place(scope).tail)

    async def forget_in_tail(self, scope: Scope, message_ids: Collection[str]) -> int:
        place = self._place(scope)
        kept = [entry for entry in place.tail if entry.message.id not in message_ids]
        removed, place.tail = len(place.tail) - len(kept), kept
        return removed

    async def claim_request(self, scope: Scope, claim: Claim) -> str | None:
        place = self._place(scope)
        kept = self._check_claim(place, claim, None)
        if kept is not None and kept.state == "done":
            return kept.result
        lease_until = time.monotonic() + self._limits.request_lease_seconds
        place.claims[claim.key] = Kept(claim.body_hash, "running", self._until(), lease_until=lease_until)
        return None

    async def settle_request(self, scope: Scope, claim: Claim, result_json: str | None) -> None:
        place = self._place(scope)
        if result_json is None:
            place.claims.pop(claim.key, None)
        else:
            place.claims[claim.key] = Kept(claim.body_hash, "done", self._until(), result=result_json)

    async def read_unarchived(
        self, scope: Scope, session_key: str, *, limit: int
    ) -> tuple[Session | None, list[Message]]:
        room = self._place(scope).rooms.get(session_key)
        return (None, []) if room is None else (_session(room), room.unarchived[:limit])

    async def mark_archived(
        self, scope: Scope, session_key: str, *, epoch: int, to_seq: int, window_tokens: int
    ) -> None:
        place = self._place(scope)
        base = session_key.partition("~")[0]
        keys = [key for key in (session_key, f"{base}~{epoch}") if key in place.rooms]
        key = next((key for key in keys if place.rooms[key].epoch == epoch), None)
        if key is None:
            return
        room = place.rooms[key]
        room.archived_to = max(room.archived_to, min(to_seq, room.last_seq))
        place.tail = [
            entry
            for entry in place.tail
            if (entry.session_key, entry.epoch) != (base, epoch) or entry.message.seq > room.archived_to
        ]
        first = min(_first_kept(room.messages, window_tokens), room.archived_to + 1)
        room.messages = [kept for kept in room.messages if kept.seq >= first]
        room.clients = {name: kept for name, kept in room.clients.items() if kept[0] >= first}
        if not room.unarchived and room.expires_at <= self._clock.now_ms():
            _drop(place, key)

    async def take_accesses(self, scope: Scope) -> tuple[str, Mapping[int, int]] | None:
        place = self._place(scope)
        if place.taken is None and place.accesses:
            place.taken, place.accesses = (new_id("acc"), place.accesses), {}
        return place.taken

    async def drop_accesses(self, scope: Scope, buffer_id: str) -> None:
        place = self._place(scope)
        if place.taken is not None and place.taken[0] == buffer_id:
            place.taken = None

    def _place(self, scope: Scope) -> Place:
        place = self._state.places.setdefault(scope.scope_id, Place(scope.tenant_id))
        if place.generation not in (None, scope.generation):
            raise Missing("this scope has ended", code="scope_ended")
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
            raise KeyReused("this idempotency key came with another request")
        is_running = kept.lease_until > time.monotonic()
        if session_id is not None and self._is_held(place, session_id):
            is_running = place.leases[session_id][0] == kept.fence
        if kept.state == "running" and is_running:
            raise Conflict("the request with this idempotency key still runs", code="idempotency_running")
        return kept

    def _replay(self, place: Place, session_id: str, message: NewMessage, *, kept: Kept) -> TurnStart:
        room = place.rooms.get(session_id) or Room(session_id, session_id, self._clock.now_ms())
        said = next((each for each in room.messages if each.seq == kept.seq), None)
        said = said or _message(message, kept.seq, self._clock.now_ms())
        session = _session(room, (said,))
        return TurnStart(session=session, message=said, fence=0, resumed=True, replayed=kept.result)

    def _live(self, place: Place, session_id: str) -> Room | None:
        room = place.rooms.get(session_id)
        if room is None or self._is_held(place, session_id) or room.expires_at > self._clock.now_ms():
            return room
        if not room.unarchived:
            _drop(place, session_id)
        return None

    def _open(self, place: Place, session_id: str) -> Room:
        old = place.rooms.get(session_id)
        live = self._live(place, session_id)
        if live is not None:
            return live
        now_ms = self._clock.now_ms()
        if session_id in place.rooms and old is not None:
            place.rooms[f"{session_id}~{old.epoch}"] = place.rooms.pop(session_id)
            place.due.pop(f"archive:{session_id}", None)
            place.due[f"archive:{session_id}~{old.epoch}"] = now_ms
        epoch = now_ms if old is None else max(now_ms, old.epoch + 1)
        return place.rooms.setdefault(session_id, Room(session_id, session_id, epoch))

    def _append(self, place: Place, room: Room, new: NewMessage) -> Message:
        room.last_seq += 1
        message = _message(new, room.last_seq, self._clock.now_ms())
        room.messages.append(message)
        room.total_tokens += message.tokens
        if new.body.client_id is not None:
            room.clients.setdefault(new.body.client_id, (message.seq, message.id))
        if message.role == "user":
            entry = TailMessage(session_id=room.id, session_key=room.key, epoch=room.epoch, message=message)
            place.tail = [*place.tail, entry][-_TAIL_LENGTH:]
        mark_room(place, room, now_ms=self._clock.now_ms(), limits=self._limits)
        return message

    def _save(self, place: Place, room: Room) -> None:
        now_ms = self._clock.now_ms()
        taken = {other.last_at for other in place.rooms.values()}
        room.last_at = next(at for at in itertools.count(now_ms) if at not in taken)
        room.expires_at = now_ms + (room.notes.ttl_seconds or self._limits.session_ttl_seconds) * 1000


def is_full(room: Room, limits: StmLimits) -> bool:
    """Whether enough has gathered for an archive."""
    tokens = sum(message.tokens for message in room.unarchived)
    return len(room.unarchived) >= limits.archive_messages or tokens >= limits.archive_tokens


def mark_room(place: Place, room: Room, *, now_ms: int, limits: StmLimits) -> None:
    """Mark a room's archive, unless somebody else has moved its mark or it is due already."""
    member = f"archive:{room.key}"
    old = place.due.get(member)
    if old is not None and (old != room.due or old <= now_ms):
        return
    room.due = now_ms if is_full(room, limits) else now_ms + limits.idle_ms
    place.due[member] = room.due


def _drop(place: Place, key: str) -> None:
    del place.rooms[key]
    for marks in (place.due, place.jobs, place.failures):
        marks.pop(f"archive:{key}", None)
    place.buried.discard(f"archive:{key}")


def _message(new: NewMessage, seq: int, now_ms: int) -> Message:
    fields = {name: getattr(new, name) for name in NewMessage.model_fields}
    fields["created_at_ms"] = now_ms if new.created_at_ms is None else new.created_at_ms
    return Message(seq=seq, received_at_ms=now_ms, **fields)


def _session(room: Room, window: tuple[Message, ...] = ()) -> Session:
    return Session(
        id=room.id,
        key=room.key,
        epoch=room.epoch,
        last_seq=room.last_seq,
        archived_to=room.archived_to,
        extracted_to=0,
        compacted_to=0,
        total_tokens=room.total_tokens,
        created_at_ms=room.epoch,
        last_at_ms=room.last_at,
        expires_at_ms=room.expires_at,
        notes=room.notes,
        window=window,
    )


def _window(messages: Sequence[Message], budget: int) -> tuple[Message, ...]:
    kept: list[Message] = []
    used = 0
    for message in reversed(messages):
        used += message.tokens
        if kept and used > budget:
            break
        kept.append(message)
    return tuple(reversed(kept))


def _first_kept(messages: Sequence[Message], budget: int) -> int:
    used, users, first = 0, 0, 1 << 60
    for walked, message in enumerate(reversed(messages), 1):
        used += message.tokens
        if used > budget and (users >= _KEPT_TURNS or walked > _KEPT_MESSAGES):
            break
        users += message.role == "user"
        first = message.seq
    return first
