"""How far sessions have been read for proposals: one row a session and epoch, numbers only; and habits."""

from __future__ import annotations

import asyncio

import apsw

from shared.engines.sqlite.connections import Readers, Row
from shared.engines.sqlite.forgotten_rows import note_forgotten
from shared.engines.sqlite.view import View
from shared.engines.sqlite.write_thread import WriteThread
from shared.model.extraction import Extraction, ExtractionDebt, ExtractionStep, Habit
from shared.model.job import DueWork

_COLUMNS = """
session_key, epoch, archived_to, ruled_to, extracted_to, version, awaits_model, tokens, oldest_at_ms,
asked_at_ms
"""
SELECT_OF_SESSION = f"""
SELECT {_COLUMNS} FROM extractions
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND session_key = :session_key ORDER BY epoch
"""
NOTE_ARCHIVED = """
INSERT INTO extractions (tenant_id, scope_id, session_key, epoch, archived_to, tokens, oldest_at_ms)
VALUES (:tenant_id, :scope_id, :session_key, :epoch, :to_seq, :tokens, :oldest_at_ms)
ON CONFLICT (tenant_id, scope_id, session_key, epoch) DO UPDATE SET
    oldest_at_ms = CASE WHEN extracted_to >= archived_to THEN :oldest_at_ms ELSE oldest_at_ms END,
    tokens = tokens + :tokens, archived_to = max(archived_to, :to_seq)
"""
NOTE_RULED = """
UPDATE extractions SET ruled_to = max(ruled_to, :to_seq)
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND session_key = :session_key AND epoch = :epoch
"""
# Only the run that goes on where the last one ended may move it.
NOTE_EXTRACTED = """
UPDATE extractions SET
    version = CASE WHEN extracted_to = 0 THEN :version ELSE min(version, :version) END,
    extracted_to = :to_seq, tokens = max(tokens - :tokens, 0), oldest_at_ms = :oldest_at_ms, awaits_model = 0
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND session_key = :session_key AND epoch = :epoch
  AND extracted_to = :from_seq - 1
"""
NOTE_ASKED = """
UPDATE extractions SET asked_at_ms = :now_ms
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND session_key = :session_key AND epoch = :epoch
"""
NOTE_AWAITING = """
UPDATE extractions SET awaits_model = 1
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND session_key = :session_key AND epoch = :epoch
"""
DELETE_OF_SESSION = """
DELETE FROM extractions WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND session_key = :session_key
"""
DELETE_BARE = """
DELETE FROM extractions
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND NOT EXISTS (
    SELECT 1 FROM sessions AS s
    JOIN episodes AS e ON e.tenant_id = :tenant_id AND e.scope_id = :scope_id AND e.session_no = s.session_no
    WHERE s.tenant_id = :tenant_id AND s.scope_id = :scope_id
      AND s.session_key = extractions.session_key AND s.epoch = extractions.epoch)
"""
SELECT_HABIT = """
SELECT count, content FROM habits
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND habit_hash = :habit_hash
"""
PUT_HABIT = """
INSERT OR REPLACE INTO habits (tenant_id, scope_id, habit_hash, count, content)
VALUES (:tenant_id, :scope_id, :habit_hash, :count, :content)
"""
SELECT_HABITS = "SELECT habit_hash FROM habits WHERE tenant_id = :tenant_id AND scope_id = :scope_id"
DELETE_HABITS = "DELETE FROM habits WHERE tenant_id = :tenant_id AND scope_id = :scope_id"
SUM_OPEN = """
SELECT awaits_model, sum(archived_to - extracted_to), min(oldest_at_ms)
FROM extractions /* all scopes: an operator's count */ WHERE extracted_to < archived_to GROUP BY awaits_model
"""
SELECT_OPEN = """
SELECT DISTINCT tenant_id, scope_id, session_key FROM extractions /* all scopes: the reconciler's walk */
WHERE extracted_to < archived_to AND (:with_awaiting OR awaits_model = 0)
  AND (tenant_id, scope_id, session_key) > (:tenant_id, :scope_id, :session_key)
ORDER BY tenant_id, scope_id, session_key LIMIT :limit
"""
COUNT_OUTDATED = """
SELECT count(*), coalesce(sum(extracted_to), 0) FROM extractions /* all scopes: an operator's command */
WHERE extracted_to > 0 AND version < :version
"""
RESET_OUTDATED = """
UPDATE extractions /* all scopes: an operator's command */ SET extracted_to = 0, version = 0
WHERE extracted_to > 0 AND version < :version
"""


def read_extractions(view: View, session_key: str) -> list[Extraction]:
    """Return how far each epoch of a session was read, oldest first."""
    return [_extraction(row) for row in view.all(SELECT_OF_SESSION, session_key=session_key)]


def note_archived(view: View, step: ExtractionStep) -> None:
    """Note that messages were archived: they wait from now on."""
    view.run(
        NOTE_ARCHIVED,
        session_key=step.session_key,
        epoch=step.epoch,
        to_seq=step.to_seq,
        tokens=step.tokens,
        oldest_at_ms=step.oldest_at_ms,
    )


def note_ruled(view: View, extraction: Extraction, *, to_seq: int) -> None:
    """Note up to where rules have read."""
    view.run(NOTE_RULED, session_key=extraction.session_key, epoch=extraction.epoch, to_seq=to_seq)


def note_extracted(view: View, step: ExtractionStep) -> bool:
    """Note that a range was extracted; False, and nothing done, where another run has moved on meanwhile."""
    return view.run(NOTE_EXTRACTED, **step.model_dump()) > 0


def note_asked(view: View, extraction: Extraction, *, awaits_model: bool) -> None:
    """Note that a model was asked now, or that there is none to ask."""
    place = {"session_key": extraction.session_key, "epoch": extraction.epoch}
    if awaits_model:
        view.run(NOTE_AWAITING, **place)
    else:
        view.run(NOTE_ASKED, **place, now_ms=view.now_ms)


def delete_extractions(view: View, session_key: str) -> None:
    """Forget how far a session was read."""
    view.run(DELETE_OF_SESSION, session_key=session_key)


def delete_bare_extractions(view: View) -> None:
    """Forget how far sessions were read of which no episode is left."""
    view.run(DELETE_BARE)


def read_habit(view: View, name: str) -> Habit:
    """Return how often a choice was made; a count of 0 where never."""
    habit_hash = view.sealer.blind_id("habit", name)
    found = view.one(SELECT_HABIT, habit_hash=habit_hash)

    def read(view: View, row: Row) -> Habit:
        count, sealed, _ = row
        return Habit(name=name, count=count, **view.open_json(sealed, f"habits:{habit_hash}"))

    named = found and (*found, habit_hash)
    return view.open_row(named, read, table="habits", key=-1) or Habit(name=name)


def put_habit(view: View, habit: Habit) -> None:
    """Keep how often a choice was made."""
    habit_hash = view.sealer.blind_id("habit", habit.name)
    content = habit.model_dump(mode="json", include={"quotes", "message_ids"})
    sealed = view.seal_json(content, f"habits:{habit_hash}")
    view.run(PUT_HABIT, habit_hash=habit_hash, count=habit.count, content=sealed)


def delete_habits(view: View) -> None:
    """Forget all choices, with the words they were made in."""
    for (habit_hash,) in view.all(SELECT_HABITS):
        note_forgotten(view, kind="h", target_id=habit_hash)
    view.run(DELETE_HABITS)


class SqliteExtractions:
    """What is not extracted, over all scopes."""

    def __init__(self, readers: Readers, writes: WriteThread) -> None:
        self._readers = readers
        self._writes = writes

    async def sum_debts(self) -> ExtractionDebt:
        """Return how many messages wait, how long, and how many wait for a model to be configured."""
        with self._readers.view() as connection:
            rows = {bool(row[0]): row[1:] for row in connection.execute(SUM_OPEN)}
        count, oldest_ms = rows.get(False, (0, None))
        return ExtractionDebt(count=count, oldest_ms=oldest_ms, awaiting_model=rows.get(True, (0, None))[0])

    async def open_works(
        self, *, with_awaiting: bool, limit: int, after: DueWork | None = None
    ) -> list[DueWork]:
        """Return sessions with messages that wait, in a fixed order, those after `after`."""
        place = {
            "tenant_id": after.tenant_id if after else "",
            "scope_id": after.scope_id if after else "",
            "session_key": after.session_key if after else "",
        }
        with self._readers.view() as connection:
            rows = connection.execute(SELECT_OPEN, {**place, "with_awaiting": with_awaiting, "limit": limit})
            return [
                DueWork(tenant_id=tenant, scope_id=scope, job="extract", session_key=key)
                for tenant, scope, key in rows
            ]

    async def count_outdated(self, *, version: int) -> tuple[int, int]:
        """Return how many sessions, and messages of them, were last extracted with an older prompt."""
        with self._readers.view() as connection:
            sessions, messages = next(connection.execute(COUNT_OUTDATED, {"version": version}))
        return int(sessions), int(messages)

    async def reset_outdated(self, *, version: int) -> int:
        """Let what was extracted with an older prompt be extracted again; returns how many sessions."""

        def transaction(connection: apsw.Connection) -> int:
            connection.execute(RESET_OUTDATED, {"version": version})
            return connection.changes()

        return await asyncio.wrap_future(self._writes.submit(transaction))


def _extraction(row: Row) -> Extraction:
    names = _COLUMNS.replace("\n", " ").split(",")
    return Extraction(**dict(zip((name.strip() for name in names), row, strict=True)))
