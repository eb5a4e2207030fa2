"""A session as the API shows and changes it: its card and bans as they hold now, and a PATCH of its notes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from shared.errors import Conflict
from shared.ltm.schema import Schema
from shared.model.message import Session, SessionNotes
from shared.model.moment import to_ms
from shared.model.scope import Scope
from shared.model.session_state import TaskCard
from shared.ports.ltm import LongTermMemory, LtmReader
from shared.ports.stm import ShortTermMemory
from shared.stm.leave import leave_card
from shared.stm.withheld import read_spans_of
from shared.turn.lifting import Kept, SessionPart, standing_in
from shared.turn.standing import DIGEST_DAYS, Standing, read_last_digest
from shared.turn.superseded import ENDED_READ

_TRIES = 4


async def read_session_standing(
    scope: Scope, session: Session, *, now: datetime, schema: Schema, ltm: LongTermMemory
) -> Standing:
    """Return a session's card and bans as its next turn would have them."""

    def work(reader: LtmReader) -> Standing:
        standing_bans = [topic.topic for topic in reader.topics()]
        part = SessionPart(
            session=session,
            notes=session.notes,
            language=session.notes.language or "zh",
            banned=(*session.notes.banned_topics, *standing_bans),
        )
        digest = read_last_digest(reader, session_key=session.key, now=now)
        stones = reader.tombstones()
        kept = Kept(
            reader.fields(),
            digest,
            stones,
            reader.ended(limit=ENDED_READ),
            spans=read_spans_of(reader, session.notes, tombstones=stones),
        )
        return standing_in(part, kept, schema=schema)

    return await ltm.read(scope, work)


async def patch_session_notes(
    scope: Scope,
    session_id: str,
    *,
    changes: Mapping[str, Any],
    now: datetime,
    stm: ShortTermMemory,
    ltm: LongTermMemory,
) -> Session:
    """Change a session's notes; what a turn changes meanwhile stays. None clears a name.

    A card that is set or closed is so for the digests too: closing ends what is carried over.
    """
    session = await _put(scope, session_id, changes=_read_changes(changes), stm=stm)
    if "task_card" in changes:
        since_ms = to_ms(now - timedelta(days=DIGEST_DAYS))
        card = session.notes.task_card
        await leave_card(scope, session.key, card=card, since_ms=since_ms, ltm=ltm)
    return session


def _read_changes(changes: Mapping[str, Any]) -> dict[str, Any]:
    read = dict(changes)
    if read.get("task_card") is not None:
        read["task_card"] = TaskCard.model_validate(read["task_card"])
    if "banned_topics" in read:
        read["banned_topics"] = tuple(dict.fromkeys(read["banned_topics"] or ()))
    return read


async def _put(scope: Scope, session_id: str, *, changes: Mapping[str, Any], stm: ShortTermMemory) -> Session:
    for _ in range(_TRIES):
        session, _tail = await stm.find_session(scope, session_id, window_tokens=0)
        notes = session.notes if session else SessionNotes()
        lifted_to = session.last_seq if session and "banned_topics" in changes else notes.lifted_to
        changed = notes.model_copy(update={**changes, "lifted_to": lifted_to})
        version = session.notes_version if session else 0
        try:
            return await stm.put_notes(
                scope,
                session_id,
                notes=changed,
                notes_version=version,
                epoch=session.epoch if session else None,
            )
        except Conflict as conflict:
            if conflict.code != "notes_moved":
                raise
    raise Conflict("This session changes too often now; send the change again.", code="notes_moved")
