"""What was told already: a passed deadline is told once a day, whatever the session."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from shared.errors import Unavailable
from shared.model.memory import FieldVersion
from shared.model.scope import Scope
from shared.ports.ltm import LongTermMemory, LtmWriter


async def untold_today(
    scope: Scope, expired: Sequence[FieldVersion], *, today: date, message_id: str, ltm: LongTermMemory
) -> tuple[FieldVersion, ...]:
    """Return those that this day's turns have not told yet, and note that this message's turn tells them.

    A retry of the same message tells them again.
    """
    if not expired:
        return ()
    keys = {field.path: told_key(field, today=today) for field in expired}
    told = await ltm.read(scope, lambda reader: {path: reader.applied(key) for path, key in keys.items()})
    fresh = [field for field in expired if told[field.path] in {None, message_id}]
    unnoted = [field for field in fresh if told[field.path] is None]

    def note(writer: LtmWriter) -> None:
        for field in unnoted:
            writer.mark_applied(keys[field.path], message_id)

    if unnoted:
        try:
            await ltm.write(scope, note)
        except Unavailable:
            return tuple(fresh)
    return tuple(fresh)


def told_key(field: FieldVersion, *, today: date) -> str:
    """Return the name under which it is noted that a field's end was told on a day."""
    return f"expired:{field.path}:{field.version}:{today.isoformat()}"
