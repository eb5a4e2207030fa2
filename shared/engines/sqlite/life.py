"""The age of rows: what the sweep reads of them, how they end, how they come back.

Reading it opens no words but those that are asked for: what decides stands in plain columns.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Sequence
from typing import Any, Literal

from shared.engines.sqlite.connections import Row
from shared.engines.sqlite.episodes import DELETE_EPISODE
from shared.engines.sqlite.fields import read_ended
from shared.engines.sqlite.forgotten_rows import note_forgotten, prune_forgotten
from shared.engines.sqlite.memories import read_ending, read_memory
from shared.engines.sqlite.records import unpack_records
from shared.engines.sqlite.search import NOTE_EDIT, index_row, unindex_row
from shared.engines.sqlite.view import View
from shared.model.life import AgingMemory
from shared.model.memory import Ended, Memory
from shared.model.recall import RowRecord

DAY_MS = 86_400_000
_GIVEN = -1

SELECT_AGING = """
SELECT memory_id, kind, status, origin, importance, pinned, access_count, created_at_ms, last_accessed_at_ms,
    expires_at_ms, ended_at_ms, row_id
FROM memories WHERE tenant_id = :tenant_id AND scope_id = :scope_id
  AND status IN ('active', 'faded', 'expired')
  AND (:ids IS NULL OR memory_id IN (SELECT value FROM json_each(:ids)))
ORDER BY memory_id
"""
SELECT_RECORD = """
SELECT record FROM search_rows WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND row_id = :row_id
"""
SELECT_DAYS = "SELECT day FROM active_days WHERE tenant_id = :tenant_id AND scope_id = :scope_id ORDER BY day"
INSERT_DAY = """
INSERT INTO active_days (tenant_id, scope_id, day) VALUES (:tenant_id, :scope_id, :day) ON CONFLICT DO NOTHING
"""
DELETE_DAYS = "DELETE FROM active_days WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND day < :day"
COUNT_EPISODES = "SELECT count(*) FROM episodes WHERE tenant_id = :tenant_id AND scope_id = :scope_id"
SELECT_OLDEST = """
SELECT message_id FROM episodes
WHERE tenant_id = :tenant_id AND scope_id = :scope_id
  AND (:before_ms IS NULL OR received_at_ms < :before_ms)
ORDER BY received_at_ms, message_id LIMIT :limit
"""
SELECT_EPISODE_ROW = """
SELECT row_id FROM episodes
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND message_id = :message_id
"""
SELECT_CONFIRMED = """
SELECT memory_id, content FROM memories
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND status = 'active' AND origin = 'user'
"""
SELECT_CURRENT_FIELDS = """
SELECT path, version, content FROM fields
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND valid_to_ms IS NULL AND removed = 0
"""
END_MEMORY = """
UPDATE memories SET status = :status, ended_at_ms = :at_ms, row_id = NULL
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND memory_id = :memory_id AND status = 'active'
"""
REVIVE_MEMORY = """
UPDATE memories SET status = 'active', ended_at_ms = NULL, expires_at_ms = NULL, last_accessed_at_ms = :at_ms,
    row_id = :row_id
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND memory_id = :memory_id
"""
SELECT_MEMORY_ROW = """
SELECT row_id, status, expires_at_ms <= :now_ms FROM memories
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND memory_id = :memory_id
"""
EXPIRE_UPDATES = """
UPDATE pending_updates SET status = 'expired', resolved_at_ms = :now_ms
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND status = 'open' AND expires_at_ms <= :now_ms
"""
SELECT_DIGESTS = "SELECT session_key FROM digests WHERE tenant_id = :tenant_id AND scope_id = :scope_id"
DELETE_DIGESTS = "DELETE FROM digests WHERE tenant_id = :tenant_id AND scope_id = :scope_id"
SELECT_UNSCORED = """
SELECT memory_id FROM memories
WHERE tenant_id = :tenant_id AND scope_id = :scope_id
  AND score_version >= 0 AND score_version < :version AND status = 'active'
ORDER BY memory_id LIMIT :limit
"""
WEIGH_MEMORY = """
UPDATE memories SET importance = :importance, score_version = :version
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND memory_id = :memory_id
"""
SET_EXPIRY = """
UPDATE memories SET expires_at_ms = :expires_at_ms
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND memory_id = :memory_id
"""


class LifeReads:
    """The part of a reader that knows of ages."""

    _view: View

    def aging(self, ids: Collection[str] | None = None) -> list[AgingMemory]:
        wanted = None if ids is None else json.dumps(list(ids))
        return [_aging(self._view, row) for row in self._view.all(SELECT_AGING, ids=wanted)]

    def ended(self, *, limit: int) -> list[Ended]:
        def read() -> list[Ended]:
            return [*read_ending(self._view, limit=limit), *read_ended(self._view, limit=limit)]

        kept = self._view.keep(("ended", limit), read)
        return [_as_ended(each) for each in kept if each.until_ms <= self._view.now_ms]

    def active_days(self) -> list[int]:
        return [day for (day,) in self._view.all(SELECT_DAYS)]

    def count_episodes(self) -> int:
        (count,) = self._view.one(COUNT_EPISODES) or (0,)
        return int(count)

    def oldest_episodes(self, *, before_ms: int | None, limit: int) -> list[str]:
        found = self._view.all(SELECT_OLDEST, before_ms=before_ms, limit=limit)
        return [message_id for (message_id,) in found]

    def evidence_ids(self) -> set[str]:
        view = self._view
        contents = view.open_rows(view.all(SELECT_CONFIRMED), _content_of_memory, table="memories")
        contents += view.open_rows(view.all(SELECT_CURRENT_FIELDS), _content_of_field, table="fields")
        return {name for content in contents for name in content["source"].get("message_ids", ())}

    def unscored(self, *, version: int, limit: int) -> list[Memory]:
        ids = self._view.all(SELECT_UNSCORED, version=version, limit=limit)
        found = [read_memory(self._view, memory_id) for (memory_id,) in ids]
        return [memory for memory in found if memory is not None]


class LifeWrites(LifeReads):
    """The part of a writer that ends rows and weighs them."""

    def end_memory(self, memory_id: str, *, status: Literal["faded", "expired"], at_ms: int) -> bool:
        view = self._view
        found = view.one(SELECT_MEMORY_ROW, memory_id=memory_id, now_ms=view.now_ms)
        if found is None or found[1] != "active":
            return False
        if found[0] is not None:
            unindex_row(view, found[0])
        return view.run(END_MEMORY, memory_id=memory_id, status=status, at_ms=at_ms) > 0

    def revive_memory(self, memory_id: str, *, record: RowRecord, at_ms: int) -> bool:
        view = self._view
        found = view.one(SELECT_MEMORY_ROW, memory_id=memory_id, now_ms=view.now_ms)
        if found is None:
            return False
        row_id, status, has_run_out = found
        if status not in {"faded", "expired"} and not (status == "active" and has_run_out):
            return False
        if row_id is None:
            row_id = index_row(view, record, kind="m", target_id=memory_id, place=(0, 0))
        return view.run(REVIVE_MEMORY, memory_id=memory_id, at_ms=at_ms, row_id=row_id) > 0

    def delete_episodes(self, message_ids: Sequence[str]) -> int:
        view, gone = self._view, 0
        for message_id in message_ids:
            found = view.one(SELECT_EPISODE_ROW, message_id=message_id)
            if found is None:
                continue
            if found[0] is not None:
                unindex_row(view, found[0])
            note_forgotten(view, kind="e", target_id=message_id)
            gone += view.run(DELETE_EPISODE, message_id=message_id)
        return gone

    def delete_digests(self) -> int:
        found = self._view.all(SELECT_DIGESTS)
        for (session_key,) in found:
            note_forgotten(self._view, kind="d", target_id=session_key)
        self._view.run(DELETE_DIGESTS)
        return len(found)

    def expire_updates(self) -> int:
        return self._view.run(EXPIRE_UPDATES, now_ms=self._view.now_ms)

    def weigh_memory(self, memory_id: str, *, importance: float, version: int | None) -> None:
        number = _GIVEN if version is None else version
        self._view.run(WEIGH_MEMORY, memory_id=memory_id, importance=importance, version=number)

    def set_expiry(self, memory_id: str, *, expires_at_ms: int) -> None:
        self._view.run(SET_EXPIRY, memory_id=memory_id, expires_at_ms=expires_at_ms)
        self._view.run(NOTE_EDIT)

    def prune_ledgers(self, *, before_ms: int) -> None:
        self._view.run(DELETE_DAYS, day=before_ms // DAY_MS)
        prune_forgotten(self._view)


def _content_of_memory(view: View, row: Row) -> Any:
    memory_id, content = row
    return view.open_json(content, f"memories:{memory_id}")


def _content_of_field(view: View, row: Row) -> Any:
    path, version, content = row
    return view.open_json(content, f"fields:{path}:{version}")


def note_days(view: View, moments_ms: Iterable[int]) -> None:
    """Note on which days the user said something."""
    for day in {moment_ms // DAY_MS for moment_ms in moments_ms}:
        view.run(INSERT_DAY, day=day)


def _as_ended(each: Ended) -> Ended:
    """Return a memory that was still active when it was read as what it has become."""
    if not isinstance(each.row, Memory) or each.row.status != "active":
        return each
    return each.model_copy(update={"row": each.row.model_copy(update={"status": "expired"})})


def _aging(view: View, row: Row) -> AgingMemory:
    memory_id, kind, status, origin, importance, pinned, access_count, *times, row_id = row
    created_at_ms, last_accessed_at_ms, expires_at_ms, ended_at_ms = times
    return AgingMemory(
        id=memory_id,
        kind=kind,
        status=status,
        origin=origin,
        importance=importance,
        pinned=bool(pinned),
        access_count=access_count,
        created_at_ms=created_at_ms,
        last_accessed_at_ms=last_accessed_at_ms,
        expires_at_ms=expires_at_ms,
        ended_at_ms=ended_at_ms,
        last_day=_last_day(view, row_id) if kind == "event" and row_id is not None else None,
    )


def _last_day(view: View, row_id: int) -> int | None:
    """Return the last day that a row speaks of, its own where it names none."""
    found = view.one(SELECT_RECORD, row_id=row_id)
    if found is None:
        return None
    return view.open_row((row_id, found[0]), _newest_day, table="search_rows")


def _newest_day(view: View, row: Row) -> int:
    row_id, sealed = row
    packed = view.sealer.open(sealed, f"search_rows:{row_id}:record")
    raw = unpack_records([row_id], [packed], speakers=())
    days: list[int] = raw.mention_days.tolist()
    return max([int(raw.day[0]), *days])
