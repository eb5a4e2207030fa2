"""Undo: what this session changed last is as it was before: a field, or the memories that one message kept.

撤销, 撤回刚才那条 / "undo that". A memory that is taken back leaves every search, and what it had replaced
stands again; what was forgotten is gone for good.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from shared.errors import Conflict, Missing
from shared.extraction.command import Command
from shared.ltm.authority import is_outranked
from shared.ltm.edit import StatedMemory, remove_memory, write_memory
from shared.ltm.field_undo import standing_version, undo_field
from shared.model.memory import AuditEntry, Memory
from shared.model.turn import CommandOutcome
from shared.ports.ltm import LtmWriter
from shared.turn.applying import Applying, Done, refused

_LOOKED_BACK: Final = 20
_OF_FIELDS: Final = frozenset({"field.set", "field.remove"})


def undo(writer: LtmWriter, command: Command, *, applying: Applying) -> Done:
    """Take the last change back, or the last one of the field that the command names."""
    if command.path is not None:
        return _undo_field(writer, command, path=command.path, applying=applying)
    last = _last_change(writer, applying.why.source.session_id)
    if last is None:
        return refused(command, "nothing_to_undo")
    if last.path is not None:
        return _undo_field(writer, command, path=last.path, applying=applying)
    if last.action == "memory.add":
        return _take_back(writer, command, last=last, applying=applying)
    return refused(command, "gone_for_good")


def _undo_field(writer: LtmWriter, command: Command, *, path: str, applying: Applying) -> Done:
    standing = writer.field(path)
    outcome = CommandOutcome(kind="undo", path=path, old=standing.value if standing else None)
    if is_outranked("user", standing):
        return Done(outcome.model_copy(update={"outcome": "refused", "reason": "outranked"}))
    try:
        changed = undo_field(writer, path, why=applying.quoting(command.quote), mask=applying.mask)
    except (Missing, Conflict):
        return refused(command, "nothing_to_undo")
    return Done(outcome.model_copy(update={"new": changed.value if changed else None}))


def _take_back(writer: LtmWriter, command: Command, *, last: AuditEntry, applying: Applying) -> Done:
    """Remove the memories that the message of the last change kept; what they replaced is kept anew.

    The removal comes last: it is what this session has then changed last, and is not undone itself.
    """
    why = applying.quoting(command.quote)
    kept = list(_memories_of(writer, last, action="memory.add", status="active"))
    replaced = list(_memories_of(writer, last, action="memory.supersede", status="superseded"))
    if not kept:
        return refused(command, "nothing_to_undo")
    for memory in replaced:
        again = StatedMemory(**memory.model_dump(include=set(StatedMemory.model_fields)))
        write_memory(writer, again, why=why.model_copy(update={"source": memory.source}))
    message_ids = [message_id for memory in kept for message_id in remove_memory(writer, memory, why=why)]
    outcome = CommandOutcome(
        kind="undo",
        old=[memory.text for memory in kept],
        new=[memory.text for memory in replaced] or None,
    )
    return Done(outcome, message_ids=message_ids)


def _memories_of(writer: LtmWriter, last: AuditEntry, *, action: str, status: str) -> Iterator[Memory]:
    for entry in writer.audit(limit=_LOOKED_BACK):
        details = entry.details or {}
        if entry.action != action or details.get("message_ids") != (last.details or {}).get("message_ids"):
            continue
        memory = writer.memory(str(details.get("memory_id")))
        if memory is not None and memory.status == status:
            yield memory


def _is_undone(writer: LtmWriter, entry: AuditEntry) -> bool:
    """True of an undo, and of a change that was undone since, wherever that was."""
    details = entry.details or {}
    if entry.path is None or details.get("undone_to") is not None:
        return True
    return int(details.get("version", 0)) > standing_version(writer, entry.path)


def _last_change(writer: LtmWriter, session_id: str | None) -> AuditEntry | None:
    """Return what this session changed last: a field, or a memory (without a path) that it kept or forgot.

    What was undone is passed over, so that one undo after the other goes back through the session.
    Where one command forgot both, the field is what can be brought back; a memory that was taken back or
    forgotten since is no longer what was kept last.
    """
    gone: AuditEntry | None = None
    for entry in writer.audit(limit=_LOOKED_BACK):
        if (entry.details or {}).get("session_id") != session_id:
            continue
        if entry.action == "memory.delete":
            gone = gone or entry
        elif entry.action in _OF_FIELDS and _is_undone(writer, entry):
            continue
        elif entry.action in _OF_FIELDS or entry.action == "memory.add":
            is_of_field = entry.action in _OF_FIELDS
            return entry if gone is None or (is_of_field and gone.request_id == entry.request_id) else gone
    return gone
