"""Ending proposals: confirmed by the user it becomes a fact, rejected it leaves a tombstone.

Several are resolved in one transaction, all or none. Who may confirm is settled before: agents may not.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from shared.errors import Conflict, Missing
from shared.ltm.authority import check_authority
from shared.ltm.edit import MaskField, StatedMemory, Why, end_memory, write_memory
from shared.ltm.field_edit import bury, change_items, write_field
from shared.ltm.no_orders import refuse_orders
from shared.model.memory import FieldVersion, Memory, Source
from shared.model.pending import PendingUpdate
from shared.model.scope import Scope
from shared.ports.ltm import LongTermMemory, LtmWriter

Normalise = Callable[[str, Any], Any]


def confirm_update(
    writer: LtmWriter, update: PendingUpdate, *, value: Any = None, why: Why, mask: MaskField
) -> FieldVersion | Memory | None:
    """Make a fact of an open proposal, with `value` instead of what was proposed where one is given.

    An edited one keeps what was stored of it beside what was proposed.

    Raises:
        Conflict: it is open no longer (`not_open`), or a business system has the last word (`outranked`).
        InvalidInput: what it would store is an order to a model.
    """
    if update.op != "remove":
        refuse_orders(update.new if value is None else value)
    _close(writer, update, status="confirmed")
    made = _make(writer, update, value=value, why=why, mask=mask)
    if value is not None:
        writer.note_stored(update.id, value=_as_stored(update, made, value=value))
    return made


def _make(
    writer: LtmWriter, update: PendingUpdate, *, value: Any, why: Why, mask: MaskField
) -> FieldVersion | Memory | None:
    accepted = update.new if value is None else value
    source = _source(update, why, is_edited=value is not None)
    why = why.model_copy(update={"origin": "user", "source": source, "pending_id": update.id})
    if update.path is None:
        stated = StatedMemory(text=str(accepted), kind=update.kind, expires_at_ms=update.lasts_until_ms)
        memory, _ = write_memory(writer, stated, why=why)
        if update.replaces is not None and update.replaces != memory.id:
            end_memory(writer, update.replaces, replaced_by=memory.id, why=why)
        return memory
    check_authority(update.path, "user", standing=writer.field(update.path))
    if update.op == "set":
        return write_field(writer, update.path, value=accepted, why=why, mask=mask)
    items = accepted if isinstance(accepted, list) else [accepted]
    added, dropped = (items, []) if update.op == "append" else ([], items)
    return change_items(writer, update.path, add=added, drop=dropped, why=why, mask=mask)


def _as_stored(update: PendingUpdate, made: FieldVersion | Memory | None, *, value: Any) -> Any:
    """Return what was stored of an edited value: a memory's text, a field's value, of a list the items."""
    if isinstance(made, Memory):
        return made.text
    return made.value if made is not None and update.op == "set" else value


def reject_update(writer: LtmWriter, update: PendingUpdate, *, why: Why, mask: MaskField) -> None:
    """End a proposal so that the value does not return, nor through what its session left.

    Raises `Conflict` where it is open no longer.
    """
    _close(writer, update, status="rejected")
    if update.session_id is not None:
        writer.delete_digest(update.session_id)
    bury(writer, update.path, value=update.new, cause="rejected", why=why)
    shown = None if update.path is None else mask(update.path, update.new)
    details = {"pending_id": update.id, "new": shown, "session_id": why.source.session_id, **why.marks}
    writer.add_audit(
        "pending.reject", path=update.path, details=details, actor=why.actor, request_id=why.request_id
    )


async def resolve_updates(
    scope: Scope,
    *,
    confirm: Mapping[str, Any],
    reject: Sequence[str],
    why: Why,
    normalise: Normalise,
    mask: MaskField,
    ltm: LongTermMemory,
) -> list[PendingUpdate]:
    """Confirm and reject proposals, all or none; `confirm` maps ids to edited values (None: as proposed).

    Returns them as they ended, in that order.

    Raises:
        Missing: there is no such proposal.
        Conflict: one is open no longer, or a business system has the last word.
    """

    def work(writer: LtmWriter) -> list[PendingUpdate]:
        done: list[PendingUpdate] = []
        for update_id, value in confirm.items():
            update = find_update(writer, update_id)
            edited = value if value is None or update.path is None else normalise(update.path, value)
            confirm_update(writer, update, value=edited, why=why, mask=mask)
            done.append(find_update(writer, update_id))
        for update_id in reject:
            reject_update(writer, find_update(writer, update_id), why=why, mask=mask)
            done.append(find_update(writer, update_id))
        return done

    return await ltm.write(scope, work)


def find_update(writer: LtmWriter, update_id: str) -> PendingUpdate:
    """Return a proposal. Raises `Missing` where there is none."""
    update = writer.pending_update(update_id)
    if update is None:
        raise Missing("There is no such pending update.")
    return update


def _close(writer: LtmWriter, update: PendingUpdate, *, status: str) -> None:
    if not writer.close_update(update.id, status="confirmed" if status == "confirmed" else "rejected"):
        raise Conflict(f"This update is {update.status}; only an open one can be resolved.", code="not_open")


def _source(update: PendingUpdate, why: Why, *, is_edited: bool) -> Source:
    """Return the evidence: the proposal's message, the one that confirmed it, and the words of the value.

    These are the proposal's, or for a value that was edited in chat those that edited it.
    """
    quote = (why.source.quote if is_edited else "") or update.quote
    first = () if update.message_id is None else (update.message_id,)
    session_id = update.session_id or why.source.session_id
    return Source(session_id=session_id, message_ids=(*first, *why.source.message_ids), quote=quote)
