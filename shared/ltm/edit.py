"""Changing long-term memory on purpose: fields, memories, and deleting what must not come back.

Each verb is one transaction that holds the change and its audit entry. What a deletion leaves in
short-term memory's tail is taken out after the commit, so that recall offers it nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from shared.errors import Conflict, Missing
from shared.ids import new_id
from shared.ltm.index import cut_texts, describe_row, normal_text
from shared.model.base import Value
from shared.model.memory import FieldVersion, Memory, MemoryKind, Origin, Source
from shared.model.moment import to_ms
from shared.model.scope import Scope
from shared.ports.ltm import LongTermMemory, LtmWriter
from shared.ports.stm import ShortTermMemory

MaskField = Callable[[str, Any], Any]
IMPORTANCE_BY_KIND: dict[MemoryKind, float] = {
    "constraint": 0.8,
    "decision": 0.7,
    "preference": 0.65,
    "fact": 0.5,
    "event": 0.45,
}


class Why(Value):
    """Who changed something, in which request, on which words, and when (in the user's zone)."""

    actor: str
    request_id: str
    origin: Origin
    source: Source = Source()
    at: datetime


def write_field(writer: LtmWriter, path: str, *, value: Any, why: Why, mask: MaskField) -> FieldVersion:
    """Write a field's next version and its audit entry; the same value again writes nothing."""
    old = writer.field(path)
    if old is not None and old.value == value:
        return old
    new = writer.put_field(path, value, origin=why.origin, source=why.source, at_ms=to_ms(why.at))
    details = {
        "old": mask(path, old.value) if old else None,
        "new": mask(path, value),
        "origin": why.origin,
        "session_id": why.source.session_id,
        "message_ids": list(why.source.message_ids),
        "quote": mask(path, why.source.quote) if why.source.quote else "",
        "version": new.version,
    }
    writer.add_audit("field.set", path=path, details=details, actor=why.actor, request_id=why.request_id)
    return new


async def set_field(
    scope: Scope,
    path: str,
    *,
    value: Any,
    if_version: int | None,
    why: Why,
    mask: MaskField,
    ltm: LongTermMemory,
) -> FieldVersion:
    """Set a field. Raises `Conflict` (code `version_conflict`) unless its version is `if_version`."""

    def work(writer: LtmWriter) -> FieldVersion:
        history = writer.field_history(path)
        version = history[-1].version if history else 0
        if if_version is not None and if_version != version:
            raise Conflict(
                f"{path} is at version {version}, not {if_version}; read it and send the change again.",
                code="version_conflict",
                field="if_version",
            )
        return write_field(writer, path, value=value, why=why, mask=mask)

    return await ltm.write(scope, work)


class StatedMemory(Value):
    """A memory as somebody states it; times are aware."""

    text: str
    kind: MemoryKind = "fact"
    importance: float | None = None
    expires_at_ms: int | None = None
    pinned: bool = False


def write_memory(writer: LtmWriter, stated: StatedMemory, *, why: Why) -> tuple[Memory, bool]:
    """Add a memory with its audit entry; the same text again answers the one that stands (False)."""
    normal = normal_text(stated.text)
    standing = writer.memory_with_text(normal)
    if standing is not None:
        return standing, False
    at_ms = to_ms(why.at)
    base = IMPORTANCE_BY_KIND[stated.kind]
    memory = Memory(
        id=new_id("mem", now_ms=at_ms),
        kind=stated.kind,
        text=stated.text,
        importance=base if stated.importance is None else stated.importance,
        pinned=stated.pinned,
        origin=why.origin,
        source=why.source,
        valid_from_ms=at_ms,
        created_at_ms=at_ms,
        expires_at_ms=stated.expires_at_ms,
    )
    record = describe_row(stated.text, speaker="user", said_at=why.at)
    writer.add_memory(memory, record, normal_text=normal)
    details = {"memory_id": memory.id, "kind": memory.kind, "message_ids": list(why.source.message_ids)}
    writer.add_audit("memory.add", path=None, details=details, actor=why.actor, request_id=why.request_id)
    return memory, True


async def add_memory(
    scope: Scope, stated: StatedMemory, *, why: Why, ltm: LongTermMemory
) -> tuple[Memory, bool]:
    """Add a memory that the caller states; True where it is new."""
    return await ltm.write(scope, lambda writer: write_memory(writer, stated, why=why))


def remove_memory(writer: LtmWriter, memory: Memory, *, why: Why) -> Sequence[str]:
    """Delete a memory and its words' traces in the index; returns the ids of its source messages."""
    spans = {memory.source.quote, memory.text} - {""}
    for message_id in memory.source.message_ids:
        episode = writer.episode(message_id)
        record = None
        if episode is not None:
            said_at = why.at.fromtimestamp(episode.message.created_at_ms / 1000, why.at.tzinfo)
            speaker = episode.message.body.name or episode.message.role
            kept = cut_texts(episode.message.text, sorted(spans, key=len, reverse=True))
            record = describe_row(kept, speaker=speaker, said_at=said_at)
        for span in sorted(spans, key=len, reverse=True):
            writer.forget_span(message_id, span, record=record)
    writer.delete_memory(memory.id)
    details = {"memory_id": memory.id, "kind": memory.kind}
    writer.add_audit("memory.delete", path=None, details=details, actor=why.actor, request_id=why.request_id)
    return memory.source.message_ids


async def delete_memory(
    scope: Scope, memory_id: str, *, why: Why, ltm: LongTermMemory, stm: ShortTermMemory
) -> None:
    """Delete a memory everywhere that recall looks. Raises `Missing` where there is none."""

    def work(writer: LtmWriter) -> Sequence[str]:
        memory = writer.memory(memory_id)
        if memory is None:
            raise Missing("There is no such memory.")
        return remove_memory(writer, memory, why=why)

    message_ids = await ltm.write(scope, work)
    if message_ids:
        await stm.forget_in_tail(scope, message_ids)
