"""What fields, memories, proposals and rejections hold: an item that says no more than it is not proposed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Self

from shared.extraction.evidence import Grounded
from shared.extraction.evidence_checks import Reason
from shared.extraction.restating import restates_field
from shared.ltm.schema import Schema, SchemaPath
from shared.ltm.tombstones import normal_value
from shared.ports.ltm import LtmReader, MemoryFilter, PendingFilter

_MOST_COMPARED: Final = 50


@dataclass(frozen=True, slots=True)
class _Held:
    """A value of a path; `is_gone`: the user has rejected or forgotten it."""

    path: SchemaPath
    value: Any
    is_gone: bool = False


@dataclass(frozen=True, slots=True)
class HeldValues:
    """The values of fields beside which new items are looked at."""

    held: tuple[_Held, ...]

    @classmethod
    def read(cls, reader: LtmReader, found: Sequence[Grounded], *, schema: Schema) -> Self:
        """Read what stands, waits or was rejected; and what the items would themselves set."""
        if not any(each.item.op == "remember" for each in found):
            return cls(())
        paths = {path.path: path for path in schema.paths}
        said = [(each.item.path, each.value, False) for each in found if each.item.op == "set"]
        known = [*_values_in(reader), *said]
        return cls(
            tuple(
                _Held(paths[path], value, is_gone)
                for path, value, is_gone in known
                if path in paths and value is not None
            )
        )

    def reason_against(self, found: Grounded, reader: LtmReader) -> Reason | None:
        """Return why an item is not proposed: it says no more than what is held; None where it says more."""
        if found.item.op != "remember":
            return "duplicate" if _is_remembered(found, reader) else None
        for each in self.held:
            if restates_field(found.text, each.path, value=each.value, day=found.said.day):
                return "tombstone" if each.is_gone else "duplicate"
        return None


def _values_in(reader: LtmReader) -> Iterator[tuple[str | None, Any, bool]]:
    for field in reader.fields():
        yield field.path, field.value, False
    for update in reader.pending_updates(PendingFilter(limit=_MOST_COMPARED)):
        if update.op == "set":
            yield update.path, update.new, False
    for stone in reader.tombstones():
        yield stone.path, stone.value, True


def _is_remembered(found: Grounded, reader: LtmReader) -> bool:
    """True where a memory says just the value that an item would give its field."""
    path = found.item.path
    if found.item.op not in {"set", "append"} or path is None:
        return False
    standing = reader.memories(MemoryFilter(path=path, limit=_MOST_COMPARED))
    return normal_value(found.value) in {normal_value(memory.value) for memory in standing}
