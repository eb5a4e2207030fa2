"""Changing memories on purpose: stating them, and deleting what must not come back.

Each verb is one transaction that holds the change and its audit entry. What a deletion leaves in
short-term memory's tail is taken out after the commit, so that recall offers it nowhere.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from shared.errors import Missing
from shared.ids import new_id
from shared.ltm.index import describe_row, normal_text
from shared.ltm.left_standing import rest_of
from shared.ltm.no_orders import refuse_orders
from shared.ltm.overtaken import end_replacing
from shared.ltm.telling_proposals import close_quoting, close_same
from shared.ltm.tombstones import text_keys
from shared.model.base import Value
from shared.model.memory import IMPORTANCE_BY_KIND, Memory, MemoryKind, Origin, Source
from shared.model.moment import from_ms, to_ms
from shared.model.pending import Tombstone
from shared.model.scope import Scope
from shared.ports.ltm import LongTermMemory, LtmWriter
from shared.ports.stm import ShortTermMemory
from shared.text import cut_texts

MaskField = Callable[[str, Any], Any]


class Why(Value):
    """Who changed something, in which request, on which words, and when (in the user's zone).

    `pending_id` is the proposal that was confirmed; `action` names the front's button; `undone_to` is the
    version of a field that an undo brings back, 0 where nothing had stood. `may_resolve` is False for an
    agent's key, which does nothing in the user's name.
    """

    actor: str
    request_id: str
    origin: Origin
    source: Source = Source()
    at: datetime
    pending_id: str | None = None
    action: str | None = None
    undone_to: int | None = None
    may_resolve: bool = True

    @property
    def marks(self) -> dict[str, str]:
        """What an audit entry says of the proposal that was confirmed and of the front's button, if any."""
        marks = {"pending_id": self.pending_id, "action": self.action}
        return {name: mark for name, mark in marks.items() if mark is not None}


class StatedMemory(Value):
    """A memory as somebody states it; `path` and `value` where it says what a field holds.

    `source` is where its words come from, where that is not what it is stated on.
    """

    text: str
    kind: MemoryKind = "fact"
    importance: float | None = None
    expires_at_ms: int | None = None
    pinned: bool = False
    path: str | None = None
    value: Any = None
    source: Source | None = None


def write_memory(writer: LtmWriter, stated: StatedMemory, *, why: Why) -> tuple[Memory, bool]:
    """Add a memory with its audit entry; the same text again answers the one that stands (False).

    That ends when the newer statement says so, where it names an end.
    """
    normal = normal_text(stated.text)
    standing = writer.memory_with_text(normal)
    if standing is not None:
        return _with_end(writer, standing, expires_at_ms=stated.expires_at_ms, why=why), False
    is_explicit = why.origin in {"user", "api", "system"}
    lifted = writer.lift_tombstones(text_keys(stated.text)) if is_explicit else 0
    at_ms = to_ms(why.at)
    base = IMPORTANCE_BY_KIND[stated.kind]
    memory = Memory(
        id=new_id("mem", now_ms=at_ms),
        kind=stated.kind,
        text=stated.text,
        path=stated.path,
        value=stated.value,
        importance=base if stated.importance is None else stated.importance,
        pinned=stated.pinned,
        origin=why.origin,
        source=stated.source or why.source,
        valid_from_ms=at_ms,
        created_at_ms=at_ms,
        expires_at_ms=stated.expires_at_ms,
    )
    record = describe_row(stated.text, speaker="user", said_at=why.at)
    writer.add_memory(memory, record, normal_text=normal)
    if stated.importance is not None:
        writer.weigh_memory(memory.id, importance=stated.importance, version=None)
    details = {
        "memory_id": memory.id,
        "kind": memory.kind,
        "session_id": why.source.session_id,
        "message_ids": list(why.source.message_ids),
        **why.marks,
        **({"tombstones_lifted": lifted} if lifted else {}),
    }
    writer.add_audit("memory.add", path=None, details=details, actor=why.actor, request_id=why.request_id)
    return memory, True


def _with_end(writer: LtmWriter, memory: Memory, *, expires_at_ms: int | None, why: Why) -> Memory:
    if expires_at_ms is None or expires_at_ms == memory.expires_at_ms:
        return memory
    writer.set_expiry(memory.id, expires_at_ms=expires_at_ms)
    details = {"memory_id": memory.id, "session_id": why.source.session_id, **why.marks}
    writer.add_audit("memory.expiry", path=None, details=details, actor=why.actor, request_id=why.request_id)
    return memory.model_copy(update={"expires_at_ms": expires_at_ms})


def end_memory(writer: LtmWriter, memory_id: str, *, replaced_by: str, why: Why) -> None:
    """End a memory that a newer one replaces, with its audit entry; it stays as history.

    What else would have replaced it waits no longer. What it tells beside is kept on as a memory of its own.
    """
    former, newer = writer.memory(memory_id), writer.memory(replaced_by)
    if writer.supersede_memory(memory_id, at_ms=to_ms(why.at), replaced_by=replaced_by):
        details = {"memory_id": memory_id, "message_ids": list(why.source.message_ids), **why.marks}
        writer.add_audit(
            "memory.supersede", path=None, details=details, actor=why.actor, request_id=why.request_id
        )
        rest = rest_of(former.text, newer.text) if former is not None and newer is not None else ""
        if former is not None and rest:
            _keep_rest(writer, former, text=rest, why=why)
    end_replacing(writer, memory_id)


def _keep_rest(
    writer: LtmWriter, former: Memory, *, text: str, why: Why, source: Source | None = None
) -> None:
    stated = StatedMemory(
        text=text,
        kind=former.kind,
        expires_at_ms=former.expires_at_ms,
        pinned=former.pinned,
        source=source or former.source,
    )
    write_memory(writer, stated, why=why.model_copy(update={"origin": former.origin}))


async def add_memory(
    scope: Scope, stated: StatedMemory, *, why: Why, ltm: LongTermMemory
) -> tuple[Memory, bool]:
    """Add a memory that the caller states; True where it is new.

    Raises `InvalidInput` where the text is an order to a model.
    """
    refuse_orders(stated.text, field="text")
    return await ltm.write(scope, lambda writer: write_memory(writer, stated, why=why))


def remove_memory(writer: LtmWriter, memory: Memory, *, why: Why) -> Sequence[str]:
    """Delete a memory and its words' traces in the index; returns the ids of its source messages.

    A tombstone stays: no rule, model, import or agent may bring it back. What sessions left goes too: it may
    tell it; and open proposals that say the same, or would replace it, are rejected.
    """
    message_ids = forget_quotes(writer, [memory.source], why=why, also=(memory.text,))
    _delete(writer, memory, buried=(memory.text,), why=why)
    return message_ids


def remove_clauses(
    writer: LtmWriter, memory: Memory, *, gone: Sequence[str], rest: str, why: Why
) -> Sequence[str]:
    """Delete some clauses of a memory as `remove_memory` would, and keep the rest as a memory of its own."""
    sources = [memory.source.model_copy(update={"quote": clause}) for clause in gone]
    message_ids = forget_quotes(writer, sources, why=why)
    _delete(writer, memory, buried=gone, why=why)
    _keep_rest(writer, memory, text=rest, why=why, source=memory.source.model_copy(update={"quote": rest}))
    return message_ids


def _delete(writer: LtmWriter, memory: Memory, *, buried: Sequence[str], why: Why) -> None:
    writer.delete_memory(memory.id)
    writer.delete_digests()
    for text in buried:
        bury_text(writer, text, why=why)
    close_same(writer, memory)
    session_id = why.source.session_id
    details = {"memory_id": memory.id, "kind": memory.kind, "session_id": session_id, **why.marks}
    writer.add_audit("memory.delete", path=None, details=details, actor=why.actor, request_id=why.request_id)


def bury_text(writer: LtmWriter, text: str, *, why: Why) -> None:
    """Leave a tombstone for a free text that was forgotten; one that stands already is enough."""
    keys = text_keys(text)
    if not writer.tombstones(keys):
        at_ms = to_ms(why.at)
        stone = Tombstone(id=new_id("tmb"), path=None, value=text, cause="forgotten", at_ms=at_ms)
        writer.add_tombstone(stone, keys=keys)


def forget_quotes(
    writer: LtmWriter, sources: Sequence[Source], *, why: Why, also: Sequence[str] = ()
) -> Sequence[str]:
    """Take the quotes of sources out of the index (and `also`); returns the ids of the messages."""
    message_ids: list[str] = []
    for source in sources:
        spans = sorted({source.quote, *also} - {""}, key=len, reverse=True)
        for message_id in source.message_ids:
            episode = writer.episode(message_id)
            record = None
            if episode is not None:
                said_at = from_ms(episode.message.created_at_ms).astimezone(why.at.tzinfo)
                speaker = episode.message.body.name or episode.message.role
                forgotten = writer.forgotten_spans([message_id]).get(message_id, ())
                kept = cut_texts(episode.message.text, (*forgotten, *spans))
                record = describe_row(kept, speaker=speaker, said_at=said_at)
            for span in spans:
                writer.forget_span(message_id, span, record=record)
            message_ids.append(message_id)
    return list(dict.fromkeys(message_ids))


def _forget_message(writer: LtmWriter, message_id: str, *, said: str | None, why: Why) -> Sequence[str]:
    """Take a message out of all that is searched; `said` are its words where no archive has taken it yet.

    The user's own words leave a tombstone, as a memory of them would. Open proposals that rest on it go too.
    """
    episode = writer.episode(message_id)
    text = episode.message.text if episode is not None else said
    if not text:
        raise Missing("There is no such memory.")
    record = describe_row("", speaker="", said_at=why.at) if episode is not None else None
    writer.forget_span(message_id, span=text, record=record)
    writer.delete_digests()
    close_quoting(writer, message_id)
    if episode is None or episode.message.role == "user":
        bury_text(writer, text, why=why)
    details = {"message_id": message_id, "kind": "episode", **why.marks}
    writer.add_audit("memory.delete", path=None, details=details, actor=why.actor, request_id=why.request_id)
    return [message_id]


async def delete_memory(
    scope: Scope, memory_id: str, *, why: Why, ltm: LongTermMemory, stm: ShortTermMemory
) -> None:
    """Delete a memory everywhere that recall looks. Raises `Missing` where there is none."""
    tail = {each.message.id: each.message.text for each in await stm.read_tail(scope)}

    def work(writer: LtmWriter) -> Sequence[str]:
        memory = writer.memory(memory_id)
        if memory is None:
            return _forget_message(writer, memory_id, said=tail.get(memory_id), why=why)
        return remove_memory(writer, memory, why=why)

    message_ids = await ltm.write(scope, work)
    await stm.forget_in_tail(scope, [memory_id, *message_ids])
