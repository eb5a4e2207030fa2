"""What scripts answer, and the shapes of sealed values.

A script answers one string of frames (a 4-byte length, then that many bytes); `Frames` reads them in
order. `Seals` holds the contexts that bind each sealed value to its place: a body to its message's
id, a session's id and notes to the session's key, a reply to its claim.
"""

from __future__ import annotations

import json
import struct
from typing import Any

from pydantic_core import from_json

from shared.engines.recent import RecentlyUsed
from shared.engines.vault import UNREADABLE
from shared.errors import Missing
from shared.model.message import Message, MessageBody, NewMessage, Session, SessionNotes, TailMessage
from shared.model.scope import Scope
from shared.model.session_state import SessionSummary
from shared.ports.stm import Claim
from shared.ports.vault import Sealer
from shared.unreadable import tell_unreadable

_LENGTH = struct.Struct(">I")
_PACKED = struct.Struct(">II")
_MESSAGE = struct.Struct(">QII")
_NO_NOTES = SessionNotes()
# What was said off the record is not known any more: all of the session is, until the user lifts it.
_LOST_NOTES = SessionNotes(quiet=((1, 0),))
_SHARED = NewMessage.model_fields.keys() & Message.model_fields.keys()


class Frames:
    """Reads a script's answer from front to back."""

    def __init__(self, answer: bytes) -> None:
        self._answer = answer
        self._at = 0

    def raw(self) -> bytes:
        """Return the next frame."""
        start = self._at + _LENGTH.size
        self._at = start + _LENGTH.unpack_from(self._answer, self._at)[0]
        return self._answer[start : self._at]

    def raws(self, count: int) -> list[bytes]:
        """Return the next frames, so many."""
        answer, at, unpack, size = self._answer, self._at, _LENGTH.unpack_from, _LENGTH.size
        found = []
        for _ in range(count):
            start = at + size
            at = start + unpack(answer, at)[0]
            found.append(answer[start:at])
        self._at = at
        return found

    def text(self) -> str:
        """Return the next frame as text."""
        return self.raw().decode()

    def number(self) -> int:
        """Return the next frame as an integer."""
        return int(self.raw())

    def optional_number(self) -> int | None:
        """Return the next frame as an integer, None where it is empty."""
        frame = self.raw()
        return int(frame) if frame else None

    def has_more(self) -> bool:
        """Whether there are frames left."""
        return self._at < len(self._answer)


class Seals:
    """One scope's names and sealed values in Redis; a message read again is not opened again."""

    def __init__(self, scope: Scope, sealer: Sealer, *, opened: RecentlyUsed[Any]) -> None:
        self.scope = scope
        self._sealer = sealer
        self._opened = opened

    def session_key(self, session_id: str) -> str:
        """Return the session's part of a key: a keyed hash, so no id lies in clear or prefixes another."""
        return self._sealer.blind_id("session", session_id)

    def client_key(self, message: NewMessage) -> str:
        """Return the keyed hash of the client's own id of a message, '' where it has none."""
        client_id = message.body.client_id
        return "" if client_id is None else self._sealer.blind_id("client", client_id)

    def claim_keys(self, claim: Claim | None) -> tuple[str, str]:
        """Return keyed hashes of a claim's key and of its body's hash; both '' without a claim."""
        if claim is None:
            return "", ""
        blind = self._sealer.blind_id
        return blind("claim", claim.key), blind("body", claim.body_hash)

    def seal_id(self, session_key: str, session_id: str) -> bytes:
        return self._sealer.seal(session_id.encode(), f"{session_key}/id")

    def seal_notes(self, session_key: str, notes: SessionNotes) -> bytes:
        text = notes.model_dump_json(exclude_defaults=True)
        return self._sealer.seal(text.encode(), f"{session_key}/notes")

    def seal_summary(self, session_key: str, summary: SessionSummary) -> bytes:
        text = summary.model_dump_json(exclude_defaults=True)
        return self._sealer.seal(text.encode(), f"{session_key}/summary")

    def seal_result(self, claim_key: str, result_json: str | None) -> bytes:
        return b"" if result_json is None else self._sealer.seal(result_json.encode(), f"{claim_key}/result")

    def open_result(self, claim_key: str, sealed: bytes) -> str:
        return self._sealer.open(sealed, f"{claim_key}/result").decode() if sealed else ""

    def pack_message(self, message: NewMessage, *, now_ms: int) -> tuple[str, str, bytes, str, bytes]:
        """Return a message as scripts take it: id, role, packed, the client's id, packed for the tail.

        Packed are its tokens, the length of its header, the header (JSON) and the sealed body. The tail takes
        the same (then it is empty here), unless the message has secrets, which the tail must not hold.
        """
        said_ms = now_ms if message.created_at_ms is None else message.created_at_ms
        head = _header(message, created_at_ms=said_ms, received_at_ms=now_ms)
        packed = self._pack_body(message, head, body=message.body)
        kept = b"" if message.kept_body is None else self._pack_body(message, head, body=message.kept_body)
        return message.id, message.role, packed, self.client_key(message), kept

    def pack_again(self, message: Message) -> tuple[str, int, bytes]:
        """Return a message that takes the place of the one under its id: id, seq, packed."""
        head = _header(message, created_at_ms=message.created_at_ms, received_at_ms=message.received_at_ms)
        return message.id, message.seq, self._pack_body(message, head, body=message.body)

    def _pack_body(self, message: NewMessage | Message, head: bytes, *, body: MessageBody) -> bytes:
        plain = body.model_dump_json(exclude_defaults=True).encode()
        sealed = self._sealer.seal(plain, f"{message.id}/body")
        return _PACKED.pack(message.tokens, len(head)) + head + sealed

    def read_message(self, frames: Frames) -> Message:
        """Read a message from one frame: its seq, then as `pack_message` packs it."""
        return self._open_message(frames.raw())

    def read_messages(self, frames: Frames) -> tuple[Message, ...]:
        """Read messages, counted by the first frame; one that does not open is left out."""
        opened = [self._open_or_leave(frame) for frame in frames.raws(frames.number())]
        return tuple([message for message in opened if message is not None])

    def read_session(self, frames: Frames, key: str) -> Session:
        """Read a session without a window; `key` may carry an old epoch (`key~epoch`)."""
        base = key.partition("~")[0]
        session_id = self._sealer.open(frames.raw(), f"{base}/id").decode()
        notes, summary = frames.raw(), frames.raw()
        epoch = frames.number()
        names = (
            "last_seq",
            "archived_to",
            "extracted_to",
            "compacted_to",
            "total_tokens",
            "notes_version",
            "open_tokens",
        )
        counts = {name: frames.number() for name in names}
        return Session(
            id=session_id,
            key=base,
            epoch=epoch,
            **counts,
            created_at_ms=epoch,
            last_at_ms=frames.number(),
            expires_at_ms=frames.number(),
            notes=self._open_notes(base, notes),
            summary=self._open_summary(base, summary),
        )

    def read_tail(self, frames: Frames) -> tuple[TailMessage, ...]:
        """Read the tail: of each entry session key, epoch, sealed session id, then the message.

        A message with secrets lies there masked: it is another than the one in its session's window.
        """
        names: dict[str, str] = {}
        tail = []
        for _ in range(frames.number()):
            named, numbered, sealed_id, frame = frames.raws(4)
            key, epoch = named.decode(), int(numbered)
            place = (self.scope.tenant_id, self.scope.scope_id, key, epoch, sealed_id, frame)
            entry: TailMessage | None = self._opened.get(place)
            if entry is None:
                if key not in names:
                    names[key] = self._sealer.open(sealed_id, f"{key}/id").decode()
                message = self._open_or_leave(frame)
                if message is None:
                    continue
                entry = TailMessage.of_checked(
                    {
                        "session_id": names[key],
                        "session_key": key,
                        "epoch": epoch,
                        "message": message,
                    }
                )
                self._opened.put(place, entry, size=3 * len(frame))
            tail.append(entry)
        return tuple(tail)

    def _open_message(self, frame: bytes) -> Message:
        """Return the message of a frame. A message never changes: the same bytes are the same message."""
        key = (self.scope.tenant_id, self.scope.scope_id, frame)
        message: Message | None = self._opened.get(key)
        return message or self._opened.put(key, self._unseal(frame), size=3 * len(frame))

    def _open_or_leave(self, frame: bytes) -> Message | None:
        """Return the message of a frame; None where it does not open, which is logged once in a while."""
        try:
            return self._open_message(frame)
        except Missing as error:
            if error.code != UNREADABLE:
                raise
        place = (self.scope.tenant_id, self.scope.scope_id, UNREADABLE, frame)
        if self._opened.get(place) is None:
            self._opened.put(place, frame, size=len(frame))
            message_id = from_json(_header_of(frame))["id"]
            tell_unreadable("message", scope_id=self.scope.scope_id, message_id=message_id)
        return None

    def _unseal(self, frame: bytes) -> Message:
        seq, tokens, _ = _MESSAGE.unpack_from(frame)
        header = _header_of(frame)
        sealed = frame[_MESSAGE.size + len(header) :]
        body = self._sealer.open(sealed, f"{from_json(header)['id']}/body")
        # One pass over one document: half the cost of building the message piece by piece.
        return Message.model_validate_json(
            b'%b,"seq":%d,"tokens":%d,"body":%b}' % (header[:-1], seq, tokens, body)
        )

    def _open_summary(self, session_key: str, sealed: bytes) -> SessionSummary | None:
        opened = self._open_part(session_key, sealed, kind="summary") if sealed else None
        return None if opened is None else SessionSummary.model_validate_json(opened)

    def _open_notes(self, session_key: str, sealed: bytes) -> SessionNotes:
        if not sealed:
            return _NO_NOTES
        opened = self._open_part(session_key, sealed, kind="notes")
        return _LOST_NOTES if opened is None else SessionNotes.model_validate_json(opened)

    def _open_part(self, session_key: str, sealed: bytes, *, kind: str) -> bytes | None:
        """Return what a part of a session holds; None, told once in a while, where it does not open."""
        try:
            return self._sealer.open(sealed, f"{session_key}/{kind}")
        except Missing as error:
            if error.code != UNREADABLE:
                raise
        place = (self.scope.tenant_id, self.scope.scope_id, UNREADABLE, sealed)
        if self._opened.get(place) is None:
            self._opened.put(place, sealed, size=len(sealed))
            tell_unreadable(kind, scope_id=self.scope.scope_id, session_key=session_key)
        return None


def _header_of(frame: bytes) -> bytes:
    return frame[_MESSAGE.size : _MESSAGE.size + _MESSAGE.unpack_from(frame)[2]]


def _header(message: NewMessage | Message, *, created_at_ms: int, received_at_ms: int) -> bytes:
    header = {
        "id": message.id,
        "role": message.role,
        "turn_id": message.turn_id,
        "state": message.state,
        "created_at_ms": created_at_ms,
        "received_at_ms": received_at_ms,
    }
    return json.dumps(header, separators=(",", ":")).encode()


def appended(message: NewMessage, *, seq: int, now_ms: int) -> Message:
    """Return a message as it stands once appended."""
    fields: dict[str, Any] = {name: getattr(message, name) for name in _SHARED}
    fields |= {"seq": seq, "received_at_ms": now_ms}
    if message.created_at_ms is None:
        fields["created_at_ms"] = now_ms
    return Message.of_checked(fields)
