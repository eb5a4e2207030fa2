"""Memories: free-text rows. Only active ones stand in the index.

A memory whose time has passed counts as expired from that moment, whatever its stored status says;
the sweep only writes down what reads already know.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from functools import partial

from shared.engines.sqlite.connections import Row
from shared.engines.sqlite.forgotten_rows import note_forgotten
from shared.engines.sqlite.search import index_row, unindex_row
from shared.engines.sqlite.view import View
from shared.errors import Conflict
from shared.model.memory import Ended, Memory, Source
from shared.model.recall import RowRecord
from shared.ports.ltm import MemoryFilter

_TABLE = "memories"
_STATUS = """
CASE WHEN status = 'active' AND expires_at_ms <= :now_ms THEN 'expired' ELSE status END
"""
_COLUMNS = f"""
memory_id, kind, {_STATUS} AS present_status, sensitivity, origin, importance, confidence, pinned,
valid_from_ms, valid_to_ms, created_at_ms, expires_at_ms, last_accessed_at_ms, access_count, content
"""
SELECT_MEMORY = f"""
SELECT {_COLUMNS} FROM memories
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND memory_id = :memory_id
"""
# Newest first is by id, which begins with the time it was made. A filter that is NULL lets all through.
SELECT_MEMORIES = f"""
SELECT {_COLUMNS} FROM memories
WHERE tenant_id = :tenant_id AND scope_id = :scope_id
  AND (:after_id IS NULL OR memory_id < :after_id)
  AND (:status IS NULL OR present_status = :status)
  AND (:kinds IS NULL OR kind IN (SELECT value FROM json_each(:kinds)))
  AND (:session_key IS NULL OR session_key = :session_key)
  AND (:path IS NULL OR path = :path)
ORDER BY memory_id DESC LIMIT :limit
"""
SELECT_BY_TEXT = f"""
SELECT {_COLUMNS} FROM memories
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND text_hash = :text_hash AND present_status = 'active'
ORDER BY memory_id LIMIT 1
"""
SELECT_BY_ROWS = f"""
SELECT row_id, {_COLUMNS} FROM memories
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND memory_id IN (
    SELECT target_id FROM search_rows WHERE tenant_id = :tenant_id AND scope_id = :scope_id
      AND kind = 'm' AND row_id IN (SELECT value FROM json_each(:row_ids)))
"""
INSERT_MEMORY = """
INSERT INTO memories (
    tenant_id, scope_id, memory_id, row_id, kind, status, sensitivity, origin, importance, confidence, pinned,
    valid_from_ms, valid_to_ms, created_at_ms, expires_at_ms, last_accessed_at_ms, access_count,
    text_hash, session_key, path, content)
VALUES (
    :tenant_id, :scope_id, :memory_id, :row_id, :kind, :status, :sensitivity, :origin, :importance,
    :confidence, :pinned, :valid_from_ms, :valid_to_ms, :created_at_ms, :expires_at_ms,
    :last_accessed_at_ms, :access_count, :text_hash, :session_key, :path, :content)
"""
SELECT_ROW_ID = """
SELECT row_id FROM memories WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND memory_id = :memory_id
"""
SUPERSEDE_MEMORY = """
UPDATE memories SET status = 'superseded', valid_to_ms = :at_ms, replaced_by = :replaced_by, row_id = NULL
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND memory_id = :memory_id AND status = 'active'
"""
_ENDS = "coalesce(valid_to_ms, expires_at_ms, ended_at_ms, created_at_ms) AS until_ms, replaced_by"
# Named, as SQLite would rather walk all memories of the scope.
SELECT_ENDED = f"""
SELECT {_ENDS}, {_COLUMNS} FROM memories INDEXED BY memories_ended
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND status IN ('superseded', 'expired')
ORDER BY until_ms DESC LIMIT :limit
"""
# Those that have an end are few: the sweep ends them in the hour after.
SELECT_ENDING = f"""
SELECT {_ENDS}, {_COLUMNS} FROM memories
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND status = 'active' AND expires_at_ms IS NOT NULL
ORDER BY expires_at_ms LIMIT :limit
"""
SELECT_BY_IDS = f"""
SELECT {_COLUMNS} FROM memories
WHERE tenant_id = :tenant_id AND scope_id = :scope_id
  AND memory_id IN (SELECT value FROM json_each(:memory_ids))
"""
DELETE_MEMORY = """
DELETE FROM memories WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND memory_id = :memory_id
"""
COUNT_ACCESSES = """
UPDATE memories SET access_count = access_count + :count, last_accessed_at_ms = :at_ms
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND memory_id = (
    SELECT target_id FROM search_rows
    WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND row_id = :row_id AND kind = 'm')
"""


def read_memory(view: View, memory_id: str) -> Memory | None:
    """Return a memory by its id."""
    row = view.one(SELECT_MEMORY, memory_id=memory_id, now_ms=view.now_ms)
    return view.open_row(row, _memory, table=_TABLE)


def list_memories(view: View, wanted: MemoryFilter) -> list[Memory]:
    """Return the memories that a filter lets through, newest first."""
    select = partial(
        view.all,
        SELECT_MEMORIES,
        now_ms=view.now_ms,
        after_id=wanted.after_id,
        status=wanted.status,
        kinds=None if wanted.kinds is None else json.dumps(wanted.kinds),
        session_key=_session_key(view, wanted.session_id),
        path=wanted.path,
    )
    return view.open_page(lambda limit: select(limit=limit), _memory, table=_TABLE, limit=wanted.limit)


def read_memory_with_text(view: View, normal_text: str) -> Memory | None:
    """Return the active memory whose normal form is this one."""
    text_hash = view.sealer.blind_id("memory_text", normal_text)
    row = view.one(SELECT_BY_TEXT, text_hash=text_hash, now_ms=view.now_ms)
    return view.open_row(row, _memory, table=_TABLE)


def read_memories_by_rows(view: View, row_ids: Sequence[int]) -> dict[int, Memory]:
    """Return the memories among the rows of the index."""
    found = view.all(SELECT_BY_ROWS, row_ids=json.dumps(list(row_ids)), now_ms=view.now_ms)
    return dict(view.open_rows(found, _memory_of_row, table=_TABLE, key=1))


def add_memory(view: View, memory: Memory, *, record: RowRecord, normal_text: str) -> None:
    """Write a memory, and index it when it is active. Raises `Conflict` where its id stands already."""
    if view.one(SELECT_ROW_ID, memory_id=memory.id) is not None:
        raise Conflict(f"There is a memory {memory.id} already.")
    row_id: int | None = None
    if memory.status == "active":
        row_id = index_row(view, record, kind="m", target_id=memory.id, place=(0, 0))
    plain = memory.model_dump(exclude={"id", "text", "path", "value", "source"})
    content = {
        "text": memory.text,
        "source": memory.source.model_dump(mode="json", exclude_defaults=True),
        **({} if memory.path is None else {"path": memory.path}),
        **({} if memory.value is None else {"value": memory.value}),
    }
    view.run(
        INSERT_MEMORY,
        **plain,
        memory_id=memory.id,
        row_id=row_id,
        text_hash=view.sealer.blind_id("memory_text", normal_text),
        session_key=_session_key(view, memory.source.session_id),
        path=memory.path,
        content=view.seal_json(content, f"memories:{memory.id}"),
    )


def read_ending(view: View, *, limit: int) -> list[Ended]:
    """Return memories that have ended or will, with what took their place."""
    found = view.all(SELECT_ENDED, limit=limit, now_ms=view.now_ms)
    found += view.all(SELECT_ENDING, limit=limit, now_ms=view.now_ms)
    ids = json.dumps([row[1] for row in found if row[1] is not None])
    newer: dict[str, Memory] = {}
    if ids != "[]":
        rows = view.all(SELECT_BY_IDS, memory_ids=ids, now_ms=view.now_ms)
        newer = {each.id: each for each in view.open_rows(rows, _memory, table=_TABLE)}

    def read(view: View, row: Row) -> Ended:
        until_ms, replaced_by, *columns = row
        memory = _memory(view, tuple(columns))
        return Ended(row=memory, until_ms=until_ms, newer=newer.get(replaced_by))

    return view.open_rows(found, read, table=_TABLE, key=2)


def supersede_memory(view: View, memory_id: str, *, at_ms: int, replaced_by: str | None) -> bool:
    """End an active memory at a time and take it out of the index; False where none is active."""
    found = view.one(SELECT_ROW_ID, memory_id=memory_id)
    if found is None:
        return False
    if found[0] is not None:
        unindex_row(view, found[0])
    return view.run(SUPERSEDE_MEMORY, memory_id=memory_id, at_ms=at_ms, replaced_by=replaced_by) > 0


def delete_memory(view: View, memory_id: str) -> bool:
    """Remove a memory and every trace of its terms; False where there is none."""
    found = view.one(SELECT_ROW_ID, memory_id=memory_id)
    if found is None:
        return False
    if found[0] is not None:
        unindex_row(view, found[0])
    note_forgotten(view, kind="m", target_id=memory_id)
    return view.run(DELETE_MEMORY, memory_id=memory_id) > 0


def _session_key(view: View, session_id: str | None) -> str | None:
    return None if session_id is None else view.sealer.blind_id("session", session_id)


def _memory_of_row(view: View, row: Row) -> tuple[int, Memory]:
    return row[0], _memory(view, row[1:])


def _memory(view: View, row: Row) -> Memory:
    memory_id, kind, status, sensitivity, origin, importance, confidence, pinned, *times, sealed = row
    valid_from_ms, valid_to_ms, created_at_ms, expires_at_ms, last_accessed_at_ms, access_count = times
    content = view.open_json(sealed, f"memories:{memory_id}")
    return Memory(
        id=memory_id,
        kind=kind,
        text=content["text"],
        path=content.get("path"),
        value=content.get("value"),
        importance=importance,
        confidence=confidence,
        pinned=bool(pinned),
        status=status,
        sensitivity=sensitivity,
        origin=origin,
        source=Source(**content["source"]),
        valid_from_ms=valid_from_ms,
        valid_to_ms=valid_to_ms,
        created_at_ms=created_at_ms,
        last_accessed_at_ms=last_accessed_at_ms,
        access_count=access_count,
        expires_at_ms=expires_at_ms,
    )
