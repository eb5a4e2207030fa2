"""Short-term memory in this process: a second implementation, held true by the same contract tests.

It keeps everything in plain values and has no sealing; one process, so a call is atomic by itself.
"""

from __future__ import annotations

import asyncio
import itertools
import secrets
import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from shared.errors import Conflict, Missing
from shared.ids import new_id
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
from shared.ports.stm import Appended, Claim, TurnEnd, TurnStart
from tests.fakes.memory_claims import check_holder, forget_claims
from tests.fakes.memory_erasing import MemoryErasing
from tests.fakes.memory_state import (
    Kept,
    Place,
    Room,
    change_notes,
    check_version,
    delete_rooms,
    drop_room,
    make_message,
    make_session,
    make_window,
    mark_compaction,
    mark_room,
    trim_room,
)

_TAIL_LENGTH = 200
_TAIL_BYTES = 2_000_000
_BATCH_BYTES = 200_000


class MemoryShortTermMemory(MemoryErasing):
    """The port `ShortTermMemory` in memory."""

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
                    raise Conflict("Another turn runs in this session.", code="session_busy")
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
                claim.body_hash,
                "running",
                self._until(),
                fence=fence,
                epoch=room.epoch,
                seq=said.seq,
                session_id=session_id,
                told_ids=frozenset({said.id}),
            )
        floor = min(room.compacted_to, said.seq - 1)
        before = [kept for kept in room.messages if floor < kept.seq <= said.seq]
        return TurnStart(
            session=make_session(room, make_window(before, window_tokens)),
            message=said,
            fence=fence,
            tail=tuple(place.tail),
            resumed=stood is not None,
        )

    async def renew_lease(self, scope: Scope, session_id: str, *, fence: int) -> bool:
        place = self._place(scope)
        if place.leases.get(session_id, (0, 0))[0] != fence:
            return False
        place.leases[session_id] = (fence, time.monotonic() + self._limits.lease_seconds)
        return True

    async def finish_turn(self, scope: Scope, end: TurnEnd) -> Message | None:
        place = self._place(scope)
        room = place.rooms.get(end.session_id)
        if room is None or place.leases.get(end.session_id, (0, 0))[0] != end.fence:
            raise Conflict("Another turn has taken this session.", code="lease_lost")
        check_version(room, end.notes, end.notes_version)
        del place.leases[end.session_id]
        change_notes(room, end.notes)
        reply = None if end.reply is None else self._append(place, room, end.reply)
        self._save(place, room)
        if end.claim is not None:
            kept = place.claims[end.claim.key]
            place.claims[end.claim.key] = replace(
                kept,
                state=end.claim_state,
                result=end.result_json,
                until_ms=self._until(),
                told_ids=kept.told_ids | ({reply.id} if reply else set()),
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
        *,
        messages: Sequence[NewMessage],
        notes: SessionNotes | None = None,
        notes_version: int | None = None,
        claim: Claim | None = None,
    ) -> Appended:
        place = self._place(scope)
        check_version(self._live(place, session_id), notes, notes_version)
        kept = check_holder(place, claim)
        room = self._open(place, session_id)
        change_notes(room, notes)
        ids, new = [], []
        claimed = itertools.count(1)
        for message in messages:
            client_id = message.body.client_id
            if client_id is not None and client_id in room.clients:
                ids.append(room.clients[client_id][1])
                continue
            number = next(claimed) if kept is not None and client_id is None else 0
            epoch, stood = kept.appended.get(number, (0, None)) if kept is not None else (0, None)
            said = stood or self._append(place, room, message)
            if number and kept is not None and stood is None:
                kept.appended[number] = (room.epoch, said)
            ids.append(said.id)
            if stood is None or epoch == room.epoch:
                new.append(said)
        if claim is not None and kept is not None:
            place.claims[claim.key] = replace(kept, told_ids=kept.told_ids | set(ids))
        before = None
        if new and new[0].role == "user":
            before = next((each for each in room.messages if each.seq == new[0].seq - 1), None)
        self._save(place, room)
        return Appended(message_ids=tuple(ids), new=tuple(new), session=make_session(room), before=before)

    async def read_session(self, scope: Scope, session_id: str, *, window_tokens: int) -> Session:
        session, _ = await self.find_session(scope, session_id, window_tokens=window_tokens)
        if session is None:
            raise Missing("No such session.")
        return session

    async def find_session(
        self, scope: Scope, session_id: str, *, window_tokens: int
    ) -> tuple[Session | None, tuple[TailMessage, ...]]:
        place = self._place(scope)
        room = self._live(place, session_id)
        session = None if room is None else make_session(room, make_window(room.open, window_tokens))
        return session, tuple(place.tail)

    async def list_sessions(self, scope: Scope, *, limit: int, before_ms: int | None) -> list[Session]:
        place = self._place(scope)
        rooms = [self._live(place, key) for key, room in list(place.rooms.items()) if room.key == key]
        found = [room for room in rooms if room and (before_ms is None or room.last_at < before_ms)]
        found.sort(key=lambda room: -room.last_at)
        return [make_session(room) for room in found[:limit]]

    async def read_messages(
        self, scope: Scope, session_id: str, *, after_seq: int, limit: int
    ) -> list[Message]:
        room = self._live(self._place(scope), session_id)
        return [kept for kept in room.messages if kept.seq > after_seq][:limit] if room else []

    async def read_open(
        self, scope: Scope, session_key: str, *, limit: int
    ) -> tuple[Session | None, list[Message]]:
        room = self._place(scope).rooms.get(session_key)
        return (None, []) if room is None else (make_session(room), room.open[:limit])

    async def store_summary(
        self, scope: Scope, session: Session, *, summary: SessionSummary, window_tokens: int
    ) -> bool:
        room = self._place(scope).rooms.get(session.key)
        if room is None or (room.epoch, room.compacted_to) != (session.epoch, session.compacted_to):
            return False
        if not room.compacted_to < summary.to_seq <= room.last_seq:
            return False
        room.summary, room.compacted_to = summary, summary.to_seq
        trim_room(room, window_tokens)
        return True

    async def rewrite_session(
        self,
        scope: Scope,
        session: Session,
        *,
        messages: Sequence[Message],
        summary: SessionSummary | None,
    ) -> int:
        room = self._place(scope).rooms.get(session.key)
        if room is None or room.epoch != session.epoch:
            return 0
        new = {(message.seq, message.id): message for message in messages}
        replaced = sum((kept.seq, kept.id) in new for kept in room.messages)
        room.messages = [new.get((kept.seq, kept.id), kept) for kept in room.messages]
        if summary is not None and room.compacted_to == session.compacted_to:
            room.summary = summary
        return replaced

    async def put_notes(
        self,
        scope: Scope,
        session_id: str,
        *,
        notes: SessionNotes,
        notes_version: int | None = None,
        epoch: int | None = None,
    ) -> Session:
        place = self._place(scope)
        known = self._live(place, session_id)
        check_version(known, notes, notes_version)
        if epoch is not None and (known is None or known.epoch != epoch):
            raise Conflict("the session is gone", code="notes_moved")
        room = self._open(place, session_id)
        change_notes(room, notes)
        self._save(place, room)
        return make_session(room)

    async def delete_session(self, scope: Scope, session_id: str) -> DeletedSessions:
        place = self._place(scope)
        keys = [key for key in place.rooms if key == session_id or key.startswith(f"{session_id}~")]
        deleted = delete_rooms(place, keys)
        place.leases.pop(session_id, None)
        forget_claims(place, lambda kept: kept.session_id == session_id)
        place.tail = [entry for entry in place.tail if entry.session_id != session_id]
        return deleted

    async def read_tail(self, scope: Scope) -> tuple[TailMessage, ...]:
        return tuple(self._place(scope).tail)

    async def forget_in_tail(self, scope: Scope, message_ids: Collection[str]) -> int:
        place = self._place(scope)
        forget_claims(place, lambda kept: kept.state == "done" and bool(kept.told_ids & set(message_ids)))
        kept = [entry for entry in place.tail if entry.message.id not in message_ids]
        removed, place.tail = len(place.tail) - len(kept), kept
        return removed

    async def read_unarchived(
        self, scope: Scope, session_key: str, *, limit: int
    ) -> tuple[Session | None, list[Message]]:
        room = self._place(scope).rooms.get(session_key)
        return (None, []) if room is None else (make_session(room), _next_of(room.unarchived[:limit]))

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
        trim_room(room, window_tokens)
        if not room.unarchived and room.expires_at <= self._clock.now_ms():
            drop_room(place, key)

    async def mark_extracted(self, scope: Scope, session_key: str, *, epoch: int, to_seq: int) -> None:
        room = self._place(scope).rooms.get(session_key)
        if room is not None and room.epoch == epoch:
            room.extracted_to = max(room.extracted_to, min(to_seq, room.last_seq))

    async def take_accesses(self, scope: Scope) -> tuple[str, Mapping[int, int]] | None:
        place = self._place(scope)
        if place.taken is None and place.accesses:
            place.taken, place.accesses = (new_id("acc"), place.accesses), {}
        return place.taken

    async def drop_accesses(self, scope: Scope, buffer_id: str) -> None:
        place = self._place(scope)
        if place.taken is not None and place.taken[0] == buffer_id:
            place.taken = None

    def _replay(self, place: Place, session_id: str, message: NewMessage, *, kept: Kept) -> TurnStart:
        room = place.rooms.get(session_id) or Room(session_id, session_id, self._clock.now_ms())
        said = next((each for each in room.messages if each.seq == kept.seq), None)
        said = said or make_message(message, kept.seq, self._clock.now_ms())
        session = make_session(room, (said,))
        return TurnStart(session=session, message=said, fence=0, resumed=True, replayed=kept.result)

    def _live(self, place: Place, session_id: str) -> Room | None:
        room = place.rooms.get(session_id)
        if room is None or self._is_held(place, session_id) or room.expires_at > self._clock.now_ms():
            return room
        if not room.unarchived:
            drop_room(place, session_id)
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
            place.due.pop(f"compact:{session_id}", None)
            place.due[f"archive:{session_id}~{old.epoch}"] = now_ms
        epoch = max(now_ms, place.deleted_epoch + 1, 0 if old is None else old.epoch + 1)
        return place.rooms.setdefault(session_id, Room(session_id, session_id, epoch))

    def _append(self, place: Place, room: Room, new: NewMessage) -> Message:
        room.last_seq += 1
        message = make_message(new, room.last_seq, self._clock.now_ms())
        room.messages.append(message)
        room.total_tokens += message.tokens
        if new.body.client_id is not None:
            room.clients.setdefault(new.body.client_id, (message.seq, message.id))
        if message.role == "user":
            kept = message.model_copy(update={"body": new.kept_body}) if new.kept_body else message
            entry = TailMessage(session_id=room.id, session_key=room.key, epoch=room.epoch, message=kept)
            place.tail = _within_bytes([*place.tail, entry][-_TAIL_LENGTH:])
        mark_room(place, room, now_ms=self._clock.now_ms(), limits=self._limits)
        mark_compaction(place, room, now_ms=self._clock.now_ms(), limits=self._limits)
        return message

    def _save(self, place: Place, room: Room) -> None:
        now_ms = self._clock.now_ms()
        taken = {other.last_at for other in place.rooms.values()}
        room.last_at = next(at for at in itertools.count(now_ms) if at not in taken)
        room.expires_at = now_ms + (room.notes.ttl_seconds or self._limits.session_ttl_seconds) * 1000


def _within_bytes(tail: list[TailMessage]) -> list[TailMessage]:
    sizes = [len(entry.message.text.encode()) for entry in tail]
    first = 0
    while first < len(tail) - 1 and sum(sizes[first:]) > _TAIL_BYTES:
        first += 1
    return tail[first:]


def _next_of(messages: list[Message]) -> list[Message]:
    taken = 0
    for count, message in enumerate(messages):
        taken += len(message.text.encode())
        if count and taken > _BATCH_BYTES:
            return messages[:count]
    return messages
