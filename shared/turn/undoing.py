"""Undo: what this session changed last is as it was before: a field, or the memories that one message kept.

撤销, 撤回刚才那条 / "undo that". A memory that is taken back leaves every search, and what it had replaced
stands again; what was forgotten is gone for good.
"""

from __future__ import annotations

from typing import Final

from shared.errors import Conflict, Missing
from shared.extraction.command import Command
from shared.ltm.authority import is_outranked
from shared.ltm.edit import remove_memory
from shared.ltm.field_undo import standing_version, undo_field
from shared.model.memory import AuditEntry
from shared.model.turn import CommandOutcome
from shared.ports.ltm import LtmWriter
from shared.turn.applying import Applying, Done, refused
from shared.turn.reading import Reading
from shared.turn.taking_back import LOOKED_BACK, has_changed, keep_again, memories_of

_OF_FIELDS: Final = frozenset({"field.set", "field.remove"})


def undo(writer: LtmWriter, command: Command, *, reading: Reading, applying: Applying) -> Done:
    """Take the last change back, or the last one of the field that the command names.

    Right after a request to forget that we only asked about there is nothing to undo yet.
    """
    if command.path is not None:
        return _undo_field(writer, command, path=command.path, applying=applying)
    if (reading.asks_wipe or reading.asks_forget) and not has_changed(writer, reading.former_id):
        return refused(command, "nothing_to_undo")
    last = _last_change(writer, applying.why.source.session_id)
    if last is None:
        return refused(command, "nothing_to_undo")
    if last.path is not None:
        return _undo_last(writer, command, last=last, applying=applying)
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


def _undo_last(writer: LtmWriter, command: Command, *, last: AuditEntry, applying: Applying) -> Done:
    """Undo the session's last change of a field, unless another session or program has changed it since.

    What that ended, or the user had it forget, must not come back.
    """
    path = last.path or ""
    if int((last.details or {}).get("version", 0)) != standing_version(writer, path):
        return refused(command, "changed_since")
    return _undo_field(writer, command, path=path, applying=applying)


def _take_back(writer: LtmWriter, command: Command, *, last: AuditEntry, applying: Applying) -> Done:
    """Remove the memories that the message of the last change kept; what they replaced is kept anew.

    The removal comes last: it is what this session has then changed last, and is not undone itself.
    """
    why = applying.quoting(command.quote)
    message_id = next(iter((last.details or {}).get("message_ids") or ()), "")
    added = memories_of(writer, message_id, action="memory.add", status="active")
    kept = [memory for memory in added if message_id in memory.source.message_ids]
    replaced = list(memories_of(writer, message_id, action="memory.supersede", status="superseded"))
    if not kept:
        return refused(command, "nothing_to_undo")
    for memory in replaced:
        keep_again(writer, memory, why=why)
    message_ids = [message_id for memory in kept for message_id in remove_memory(writer, memory, why=why)]
    outcome = CommandOutcome(
        kind="undo",
        old=[memory.text for memory in kept],
        new=[memory.text for memory in replaced] or None,
    )
    return Done(outcome, message_ids=message_ids)


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
    for entry in writer.audit(limit=LOOKED_BACK):
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
