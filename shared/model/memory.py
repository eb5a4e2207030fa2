"""Long-term memory: fields (structured, at dotted paths), memories (free text), episodes (messages).

Every derived row names the user's words it stands on and the messages they came from.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any, Final, Literal

from shared.model.base import Value
from shared.model.message import Message

MemoryKind = Literal["fact", "preference", "constraint", "decision", "event"]
MemoryStatus = Literal["active", "superseded", "expired", "faded"]
Sensitivity = Literal["public", "internal", "sensitive", "secret"]
Origin = Literal["system", "user", "api", "rule", "model", "import"]

IMPORTANCE_BY_KIND: Final[Mapping[MemoryKind, float]] = MappingProxyType(
    {"constraint": 0.8, "decision": 0.7, "preference": 0.65, "fact": 0.5, "event": 0.45}
)
"""What a memory weighs by its kind alone, 0 to 1; its words move it from there."""


class Source(Value):
    """The evidence of a derived row: session, messages, and the words themselves.

    `is_deleted` says that the user has deleted the session since; it is known where a source is shown.
    """

    session_id: str | None = None
    message_ids: tuple[str, ...] = ()
    quote: str = ""
    is_deleted: bool = False


class FieldVersion(Value):
    """One version of a field; `valid_to_ms` is None for the current one. A None `value` is a removal."""

    path: str
    value: Any
    version: int
    valid_from_ms: int
    valid_to_ms: int | None
    recorded_at_ms: int
    origin: Origin
    source: Source
    confirmed_at_ms: int | None = None


class Memory(Value):
    """A free-text row of long-term memory."""

    id: str
    kind: MemoryKind
    text: str
    path: str | None = None
    value: Any = None
    importance: float
    confidence: float = 1.0
    pinned: bool = False
    status: MemoryStatus = "active"
    sensitivity: Sensitivity = "internal"
    origin: Origin
    source: Source
    valid_from_ms: int
    valid_to_ms: int | None = None
    created_at_ms: int
    last_accessed_at_ms: int | None = None
    access_count: int = 0
    expires_at_ms: int | None = None


class Ended(Value):
    """What held until a time, and what took its place then (None: nothing that is known)."""

    row: Memory | FieldVersion
    until_ms: int
    newer: Memory | FieldVersion | None = None


class Episode(Value):
    """An archived message with the session it was said in."""

    session_id: str
    session_key: str
    epoch: int
    message: Message
    importance: float = 0.0
    last_accessed_at_ms: int | None = None
    access_count: int = 0


class AuditFilter(Value):
    """Which audit lines to list; None lets all through. `before_seq` continues a listing (newest first)."""

    limit: int = 50
    before_seq: int | None = None
    path: str | None = None
    actor: str | None = None
    since_ms: int | None = None


class AuditEntry(Value):
    """One line of the audit: a public part, and a part sealed with the scope's key (None once erased)."""

    seq: int
    at_ms: int
    action: str
    path: str | None
    scope_id: str
    actor: str
    request_id: str
    details: dict[str, Any] | None
