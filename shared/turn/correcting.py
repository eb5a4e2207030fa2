"""What a correction corrects: what the message before it has set, or what holds the value it names as wrong.

不对，是60万 right after 记住预算是55万, "not 5000 but 8000" while one field is 5000. Nothing is changed
here: the new value is put forward as a contradiction, which the reply asks about. Where several things may be
meant nothing is put forward, and what was said of another thing never touches this one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from shared.extraction.assignments import Reader
from shared.extraction.corrected import corrected_text, corrected_value, names_value
from shared.extraction.corrections import Correction
from shared.extraction.field_shapes import value_shape
from shared.extraction.withdrawals import withdraws
from shared.language.model_orders import is_hijack
from shared.language.scripts import fold
from shared.ltm.authority import is_outranked
from shared.ltm.edit import Why
from shared.ltm.index import normal_text
from shared.ltm.other_values import PutRight
from shared.ltm.overtaken import end_replacing
from shared.ltm.proposals import Proposal, propose_update
from shared.ltm.schema import Schema, SchemaPath
from shared.ltm.slots import slot_of
from shared.ltm.tombstones import normal_value
from shared.model.memory import FieldVersion, Memory
from shared.model.pending import PendingUpdate
from shared.ports.ltm import LtmReader, LtmWriter, MemoryFilter

_KEEPS: Final = frozenset({"set", "append", "remember", "confirm", "undo"})
_MOST_COMPARED: Final = 500
_PLAIN: Final = 0.9


@dataclass(frozen=True, slots=True)
class Corrected:
    """A field or a memory, and what a correction puts in its place."""

    new: Any
    field: FieldVersion | None = None
    memory: Memory | None = None

    @property
    def outranked(self) -> tuple[str, ...]:
        """The path that only a business system may change; empty where the user may."""
        return (self.field.path,) if self.field and is_outranked("user", self.field) else ()


def find_corrected(
    reader: LtmReader, correction: Correction, *, former_id: str, reading: Reader
) -> Corrected | None:
    """Return what a correction means; `former_id` is the user's message before it, empty where there is none.

    None where it means nothing that is kept, or more than one thing.
    """
    found = list(_just_kept(reader, correction, former_id=former_id, reading=reading))
    if not found:
        found = list(_named(reader, correction, reading=reading))
    if not found and correction.told:
        found = [*filter(None, [_told_otherwise(reader, correction)])]
    if not found and correction.withdrawn:
        return _withdrawn(reader, correction.withdrawn)
    return found[0] if len(found) == 1 else None


def propose_corrected(
    writer: LtmWriter, corrected: Corrected, *, why: Why, keep_days: int
) -> PendingUpdate | None:
    """Put a correction forward as a contradiction of what stands; None where it was forgotten for good.

    It is the newest word on a memory: a correction of it that waits already ends.
    """
    field, memory = corrected.field, corrected.memory
    proposal = Proposal(
        op="set" if field else "remember",
        path=field.path if field else None,
        new=corrected.new,
        text=str(corrected.new),
        quote=why.source.quote,
        origin="heartbeat",
        confidence=_PLAIN,
        is_restated=True,
        kind=memory.kind if memory else "fact",
        old=memory.text if memory else None,
        replaces=memory.id if memory else None,
    )
    update, _ = propose_update(writer, proposal, why=why, keep_days=keep_days)
    if update is not None and memory is not None:
        end_replacing(writer, memory.id, but=update.id)
    return update


def _just_kept(
    reader: LtmReader, correction: Correction, *, former_id: str, reading: Reader
) -> Iterator[Corrected]:
    """What the message before set, that this correction fits."""
    done = reader.applied(f"turn:{former_id}") if former_id else None
    seen: set[str] = set()
    for outcome in (done or {}).get("outcomes", ()):
        name = str(outcome["path"] or outcome["new"])
        if outcome["outcome"] != "applied" or outcome["kind"] not in _KEEPS or name in seen:
            continue
        seen.add(name)
        if outcome["path"] is not None:
            yield from _of_field(reader.field(outcome["path"]), correction, reading=reading)
        elif outcome["kind"] in {"remember", "confirm"}:
            yield from _of_memory(reader.memory_with_text(normal_text(name)), correction)


def _named(reader: LtmReader, correction: Correction, *, reading: Reader) -> Iterator[Corrected]:
    """What holds the value, or says the statement, that the correction takes back.

    A free text is too easily that of another thing to be known by its value alone.
    """
    if correction.old:
        for field in reader.fields():
            path = _path(field, reading.schema)
            is_free = path is None or (path.type == "string" and value_shape(path) is None)
            if not is_free and path and names_value(correction, path, value=field.value, reader=reading):
                yield from _of_field(field, correction, reading=reading)
    elif correction.denied and slot_of(correction.whole) is not None:
        for memory in reader.memories(MemoryFilter(limit=_MOST_COMPARED)):
            yield from _of_memory(memory, correction)


def _told_otherwise(reader: LtmReader, correction: Correction) -> Corrected | None:
    """The newest memory that a statement puts right: "Actually Clara moved to Porto", 其实我老板是李四."""
    told, old = correction.told, fold(correction.old)
    if is_hijack(told):
        return None
    put_right = PutRight(told)
    for memory in reader.memories(MemoryFilter(limit=_MOST_COMPARED)):
        if old in fold(memory.text) and put_right.differs_from(memory.text):
            return Corrected(told, memory=memory)
    return None


def _withdrawn(reader: LtmReader, said: str) -> Corrected | None:
    """The newest memory that a statement takes back: "I'm not vegetarian anymore"."""
    if is_hijack(said):
        return None
    for memory in reader.memories(MemoryFilter(limit=_MOST_COMPARED)):
        if withdraws(said, memory.text):
            return Corrected(said, memory=memory)
    return None


def _of_field(field: FieldVersion | None, correction: Correction, *, reading: Reader) -> Iterator[Corrected]:
    path = _path(field, reading.schema) if field else None
    if field is None or path is None or path.policy == "never":
        return
    value = corrected_value(correction, path, standing=field.value, reader=reading)
    if value is not None and normal_value(value) != normal_value(field.value):
        yield Corrected(value, field=field)


def _path(field: FieldVersion, schema: Schema) -> SchemaPath | None:
    return next((path for path in schema.paths if path.path == field.path), None)


def _of_memory(memory: Memory | None, correction: Correction) -> Iterator[Corrected]:
    text = corrected_text(correction, memory.text) if memory else None
    if memory is None or text is None or normal_text(text) == normal_text(memory.text):
        return
    if not is_hijack(text):
        yield Corrected(text, memory=memory)
