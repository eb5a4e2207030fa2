"""What the in-memory engines keep, and the pure parts of how they keep it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from shared.engines.redis_stm.limits import StmLimits
from shared.errors import Conflict
from shared.model.message import (
    DeletedSessions,
    Message,
    NewMessage,
    Session,
    SessionEpoch,
    SessionNotes,
    TailMessage,
)
from shared.model.session_state import SessionSummary

_KEPT_TURNS = 3
_KEPT_MESSAGES = 24
_KEPT_TOKENS = 500_000


@dataclass
class Room:
    """A session of one epoch."""

    id: str
    key: str
    epoch: int
    messages: list[Message] = field(default_factory=list)
    clients: dict[str, tuple[int, str]] = field(default_factory=dict)
    notes: SessionNotes = field(default_factory=SessionNotes)
    notes_version: int = 0
    summary: SessionSummary | None = None
    compacted_to: int = 0
    compact_next: int = 0
    last_seq: int = 0
    archived_to: int = 0
    extracted_to: int = 0
    total_tokens: int = 0
    last_at: int = 0
    expires_at: int = 0
    due: int | None = None

    @property
    def open(self) -> list[Message]:
        return [message for message in self.messages if message.seq > self.compacted_to]

    @property
    def open_tokens(self) -> int:
        return sum(message.tokens for message in self.open)

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
    holder: str | None = ""
    session_id: str | None = None
    told_ids: frozenset[str] = frozenset()
    appended: dict[int, tuple[int, Message]] = field(default_factory=dict)


@dataclass
class Place:
    """All that is kept of one scope."""

    tenant_id: str
    generation: int | None = None
    rooms: dict[str, Room] = field(default_factory=dict)
    tail: list[TailMessage] = field(default_factory=list)
    claims: dict[str, Kept] = field(default_factory=dict)
    deleted_epoch: int = 0
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


def mark_compaction(place: Place, room: Room, *, now_ms: int, limits: StmLimits) -> None:
    """Mark a room's compaction once more tokens are open than the high mark; a mark that stands stays."""
    member = f"compact:{room.key}"
    if room.open_tokens > max(limits.compact_tokens, room.compact_next) and member not in place.due:
        place.due[member] = now_ms
        place.failures.pop(member, None)
        place.buried.discard(member)


def delete_rooms(place: Place, keys: Sequence[str]) -> DeletedSessions:
    """Delete sessions of their user's; no later one gets an epoch that one of them had."""
    rooms = {key: place.rooms[key] for key in keys}
    for key in keys:
        drop_room(place, key)
    place.deleted_epoch = max([place.deleted_epoch, *(room.epoch for room in rooms.values())])
    epochs = [
        SessionEpoch(session_key=key.partition("~")[0], epoch=room.epoch) for key, room in rooms.items()
    ]
    return DeletedSessions(
        messages=sum(len(room.messages) for room in rooms.values()),
        epochs=tuple(epochs),
        unarchived_ids=tuple(message.id for room in rooms.values() for message in room.unarchived),
    )


def drop_room(place: Place, key: str) -> None:
    del place.rooms[key]
    for member in (f"archive:{key}", f"compact:{key}"):
        for marks in (place.due, place.jobs, place.failures):
            marks.pop(member, None)
        place.buried.discard(member)


def trim_room(room: Room, window_tokens: int) -> None:
    """Drop what is archived and out of the window."""
    first = min(first_kept_seq(room.open, window_tokens), room.last_seq + 1, room.archived_to + 1)
    room.messages = [kept for kept in room.messages if kept.seq >= first]
    room.clients = {name: kept for name, kept in room.clients.items() if kept[0] >= first}


def check_version(room: Room | None, notes: SessionNotes | None, version: int | None) -> None:
    """Refuse notes that were made from others than those that stand."""
    if notes is not None and version is not None and version != (room.notes_version if room else 0):
        raise Conflict("The session's notes have changed meanwhile.", code="notes_moved")


def change_notes(room: Room, notes: SessionNotes | None) -> None:
    if notes is not None:
        room.notes, room.notes_version = notes, room.notes_version + 1


def make_message(new: NewMessage, seq: int, now_ms: int) -> Message:
    fields = {name: getattr(new, name) for name in NewMessage.model_fields if name != "kept_body"}
    fields["created_at_ms"] = now_ms if new.created_at_ms is None else new.created_at_ms
    return Message(seq=seq, received_at_ms=now_ms, **fields)


def make_session(room: Room, window: tuple[Message, ...] = ()) -> Session:
    return Session(
        id=room.id,
        key=room.key,
        epoch=room.epoch,
        last_seq=room.last_seq,
        archived_to=room.archived_to,
        extracted_to=room.extracted_to,
        compacted_to=room.compacted_to,
        total_tokens=room.total_tokens,
        created_at_ms=room.epoch,
        last_at_ms=room.last_at,
        expires_at_ms=room.expires_at,
        notes=room.notes,
        notes_version=room.notes_version,
        open_tokens=room.open_tokens,
        summary=room.summary,
        window=window,
    )


def make_window(messages: Sequence[Message], budget: int) -> tuple[Message, ...]:
    kept: list[Message] = []
    used, users = 0, 0
    for walked, message in enumerate(reversed(messages), 1):
        used += message.tokens
        is_recent = users < _KEPT_TURNS and walked <= _KEPT_MESSAGES and used <= _KEPT_TOKENS
        if kept and used > budget and not (budget > 0 and is_recent):
            break
        users += message.role == "user"
        kept.append(message)
    return tuple(reversed(kept))


def first_kept_seq(messages: Sequence[Message], budget: int) -> int:
    used, users, first = 0, 0, 1 << 60
    for walked, message in enumerate(reversed(messages), 1):
        used += message.tokens
        if used > budget and (users >= _KEPT_TURNS or walked > _KEPT_MESSAGES):
            break
        users += message.role == "user"
        first = message.seq
    return first
