"""Undo of a field: one step back a time, so that two undos reach what stood two changes ago.

An undo writes a next version and changes no history. Its audit entry names the version that it brought back,
and the next undo goes on from there: of A, B, C two undos leave A, and not C again.
"""

from __future__ import annotations

from typing import Final

from shared.errors import Missing
from shared.ltm.authority import check_authority, is_outranked
from shared.ltm.edit import MaskField, Why
from shared.ltm.field_edit import remove_value, write_field
from shared.model.memory import FieldVersion
from shared.ports.ltm import LtmReader, LtmWriter

_LOOKED_BACK: Final = 200
"""Audit entries of the field, the newest; older undos count as plain changes."""


def undo_field(writer: LtmWriter, path: str, *, why: Why, mask: MaskField) -> FieldVersion | None:
    """Bring back what stood before the last change not yet undone, as a new version; None where nothing had.

    What a business system had set, and the user had forgotten, is that system's again.

    Raises:
        Missing: the field has no history, or all of it is undone.
        Conflict: what stands came from a higher authority (`outranked`).
    """
    check_authority(path, why.origin, standing=writer.field(path))
    standing = standing_version(writer, path)
    if standing == 0:
        raise Missing(f"{path} has no history to undo.")
    to_version = standing - 1
    why = why.model_copy(update={"undone_to": to_version})
    before = next((each for each in writer.field_history(path) if each.version == to_version), None)
    if before is not None and before.value is not None:
        if is_outranked(why.origin, before):
            why = why.model_copy(update={"origin": before.origin})
        return write_field(writer, path, value=before.value, why=why, mask=mask)
    remove_value(writer, path, why=why, mask=mask)
    return None


def standing_version(reader: LtmReader, path: str) -> int:
    """Return the version whose value stands: of an undo the one that it brought back; 0 where none does."""
    history = reader.field_history(path)
    version = history[-1].version if history else 0
    undone = {
        details["version"]: details["undone_to"]
        for entry in reader.audit(limit=_LOOKED_BACK, path=path)
        if (details := entry.details or {}).get("undone_to") is not None
    }
    while version in undone:
        version = undone[version]
    return version
