"""Ending a turn whose session's notes may have changed meanwhile: nobody's change is lost.

The notes go with the reply in one call. Where a PATCH or an append was faster, the turn's own changes are
laid over the newer notes and the call is made again.
"""

from __future__ import annotations

from shared.errors import Conflict
from shared.model.message import Message, NewMessage, SessionNotes
from shared.model.scope import Scope
from shared.ports.stm import ShortTermMemory, TurnEnd
from shared.stm.lift import rebase_notes

_TRIES = 4


async def finish_turn(
    scope: Scope, end: TurnEnd, *, base: SessionNotes, stm: ShortTermMemory
) -> Message | None:
    """Make the second round trip; `base` are the notes that `end.notes` were made from."""
    for _ in range(_TRIES):
        try:
            return await stm.finish_turn(scope, end)
        except Conflict as conflict:
            if conflict.code != "notes_moved" or end.notes is None:
                raise
        fresh = await stm.read_session(scope, end.session_id, window_tokens=0)
        notes = rebase_notes(fresh.notes, base=base, mine=end.notes)
        end = end.model_copy(update={"notes": notes, "notes_version": fresh.notes_version})
        base = fresh.notes
    return await stm.finish_turn(scope, end.model_copy(update={"notes": None, "notes_version": None}))


async def put_notes(
    scope: Scope, session_id: str, *, base: SessionNotes, mine: SessionNotes, stm: ShortTermMemory
) -> None:
    """Lay the changes from `base` to `mine` over the session's notes; given up after a few races."""
    for _ in range(_TRIES):
        fresh = await stm.read_session(scope, session_id, window_tokens=0)
        notes = rebase_notes(fresh.notes, base=base, mine=mine)
        try:
            await stm.put_notes(
                scope, session_id, notes=notes, notes_version=fresh.notes_version, epoch=fresh.epoch
            )
        except Conflict as conflict:
            if conflict.code != "notes_moved":
                raise
        else:
            return


def as_message(new: NewMessage, *, seq: int, at_ms: int) -> Message:
    """Return a message that is about to be appended as one that stands."""
    return Message(
        id=new.id,
        seq=seq,
        role=new.role,
        body=new.body,
        tokens=new.tokens,
        turn_id=new.turn_id,
        state=new.state,
        created_at_ms=new.created_at_ms or at_ms,
        received_at_ms=at_ms,
    )
