"""What one message set is as it was before: the fields, and the memories that those it kept had replaced.

An open question of a message that has set nothing is withdrawn instead, as a plain no does.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from shared.extraction.command import Command
from shared.ltm.authority import is_outranked
from shared.ltm.confirm import reject_update
from shared.ltm.edit import StatedMemory, Why, end_memory, write_memory
from shared.ltm.field_edit import bury, names_of, remove_value, write_field
from shared.ltm.tombstones import normal_value
from shared.model.memory import Memory
from shared.model.turn import CommandOutcome
from shared.ports.ltm import LtmReader, LtmWriter, MemoryFilter
from shared.turn.applying import Applying
from shared.turn.reading import Reading

LOOKED_BACK: Final = 20
"""Audit lines that are read for what a message has changed."""

_TAIL_CHARS: Final = 4
"""Half of a memory ends as that half ended there, whatever it was given to begin with."""
_SETS_FIELDS: Final = frozenset({"set", "append", "remove", "confirm"})


def take_fields_back(writer: LtmWriter, message_id: str, *, applying: Applying) -> list[CommandOutcome]:
    """Give the fields that a message set their values of before, and bury those that it gave them."""
    found = []
    for path in dict.fromkeys(_paths_set(writer, message_id)):
        history = writer.field_history(path)
        if not history or message_id not in history[-1].source.message_ids:
            continue
        if is_outranked("user", writer.field(path)):
            continue
        was = history[-1].value
        older = [version for version in history if message_id not in version.source.message_ids]
        before = older[-1].value if older else None
        if before is None:
            remove_value(writer, path, why=applying.why, mask=applying.mask)
        else:
            write_field(writer, path, value=before, why=applying.why, mask=applying.mask)
        names = names_of(applying.schema.find(path))
        for value in _not_in(was, before):
            bury(writer, path, value=value, cause="forgotten", why=applying.why, names=names)
        found.append(CommandOutcome(kind="undo", path=path, old=was, new=before))
    return found


def has_changed(reader: LtmReader, message_id: str) -> bool:
    """Whether anything that a message said was carried out; an empty id is that of no message."""
    return any(_carried_out(reader, message_id))


def _carried_out(reader: LtmReader, message_id: str) -> Iterator[dict[str, Any]]:
    done = (reader.applied(f"turn:{message_id}") if message_id else None) or {}
    return (outcome for outcome in done.get("outcomes", ()) if outcome["outcome"] == "applied")


def _paths_set(reader: LtmReader, message_id: str) -> Iterator[str]:
    for outcome in _carried_out(reader, message_id):
        if outcome["kind"] in _SETS_FIELDS and outcome["path"] is not None:
            yield outcome["path"]


def _not_in(was: Any, before: Any) -> list[Any]:
    """Return the values, or items of a list, that are there no longer."""
    left = {normal_value(each) for each in (before if isinstance(before, list) else [before])}
    gone = was if isinstance(was, list) else [was]
    return [each for each in gone if each is not None and normal_value(each) not in left]


def memories_of(reader: LtmReader, message_id: str, *, action: str, status: str) -> Iterator[Memory]:
    """Return the memories of this status that a message did this to, as the newest audit lines say."""
    for entry in reader.audit(limit=LOOKED_BACK):
        details = entry.details or {}
        if entry.action != action or message_id not in (details.get("message_ids") or ()):
            continue
        memory = reader.memory(str(details.get("memory_id")))
        if memory is not None and memory.status == status:
            yield memory


def keep_again(writer: LtmWriter, memory: Memory, *, why: Why) -> None:
    """Keep a memory anew that another one had replaced, with the source that it had.

    What had been left of it then (its other half) is part of it again.
    """
    stated = StatedMemory(**memory.model_dump(include=set(StatedMemory.model_fields)))
    again, _ = write_memory(writer, stated, why=why.model_copy(update={"source": memory.source}))
    beside = writer.memories(MemoryFilter(session_id=memory.source.session_id, limit=LOOKED_BACK))
    for each in beside:
        if each.id != again.id and each.source == memory.source and each.text[-_TAIL_CHARS:] in memory.text:
            end_memory(writer, each.id, replaced_by=again.id, why=why)


def withdraw_asked(
    writer: LtmWriter, command: Command, *, reading: Reading, applying: Applying
) -> list[CommandOutcome]:
    """Reject what the last reply asked about, where the message before it has set nothing itself.

    Of a command that names a field, only what would change that one.
    """
    if has_changed(writer, reading.former_id):
        return []
    withdrawn = []
    for update in map(writer.pending_update, reading.asked):
        if update is None or update.status != "open" or command.path not in {None, update.path}:
            continue
        reject_update(writer, update, why=applying.quoting(command.quote), mask=applying.mask)
        withdrawn.append(CommandOutcome(kind="reject", path=update.path, old=update.old, new=update.new))
    return withdrawn
