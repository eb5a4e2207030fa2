"""What a user's words change: commands, and answers to our own questions, in one transaction.

A value given in the turn right after we asked for just that path is consent (`origin: user`, with the
id of the question); the same sentence unasked changes nothing here. Everything that one message changes
is applied once: the transaction notes the message's id, and a retry reads what was done.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from shared.extraction.answers import answer_for
from shared.extraction.commands import Command, parse_commands
from shared.ltm.edit import MaskField, StatedMemory, Why, write_field, write_memory
from shared.ltm.schema import Schema
from shared.model.message import Message
from shared.model.turn import CommandOutcome
from shared.ports.ltm import LtmWriter

_APPLIED_KINDS = frozenset({"set", "append", "remove", "remember"})


def read_commands(
    message: Message, question: Message | None, *, schema: Schema, today: date
) -> list[Command]:
    """Return what the message commands, and what it answers to the question right before it."""
    text = message.text
    commands = [
        command
        for command in parse_commands(text, schema=schema, today=today)
        if command.kind in _APPLIED_KINDS
    ]
    for path in question.body.asks_paths if question is not None else ():
        if any(command.path == path for command in commands):
            continue
        value = answer_for(path, text, schema=schema, today=today)
        if value is not None:
            answer = Command("set", path, value, text=text, quote=text, start=0, end=len(text))
            commands.append(answer)
    return commands


def apply_commands(
    writer: LtmWriter,
    commands: Sequence[Command],
    *,
    message: Message,
    why: Why,
    mask: MaskField,
) -> list[CommandOutcome]:
    """Apply commands, once for this message; returns an outcome for each."""
    key = f"turn:{message.id}"
    done = writer.applied(key)
    if done is not None:
        return [CommandOutcome.model_validate(outcome) for outcome in done]
    outcomes = [_apply_command(writer, command, why=why, mask=mask) for command in commands]
    writer.mark_applied(key, [outcome.model_dump(mode="json") for outcome in outcomes])
    return outcomes


def _apply_command(writer: LtmWriter, command: Command, *, why: Why, mask: MaskField) -> CommandOutcome:
    why = why.model_copy(update={"source": why.source.model_copy(update={"quote": command.quote})})
    if command.path is None:
        memory, _ = write_memory(writer, StatedMemory(text=command.text), why=why)
        return CommandOutcome(kind="remember", new=memory.text)
    standing = writer.field(command.path)
    old = standing.value if standing else None
    new = _changed_value(command, old)
    if new != old:
        write_field(writer, command.path, value=new, why=why, mask=mask)
    return CommandOutcome(kind=command.kind, path=command.path, old=old, new=new)


def _changed_value(command: Command, old: Any) -> Any:
    """Return the field's next value: lists gain or lose single items, other values are replaced."""
    if command.kind == "append":
        items = command.value if isinstance(command.value, list) else [command.value]
        return [*(old or []), *(item for item in items if item not in (old or []))]
    if command.kind == "remove":
        gone = command.value if isinstance(command.value, list) else [command.value]
        kept = [item for item in (old or []) if item not in gone]
        return kept or None
    return command.value
