"""Long-term memory on SQLite: reads inline on one view, writes on the write thread.

A row is read in some 15 microseconds, less than handing it to another thread would cost; so reads run
where they are asked for. Every transaction first reads the scope's key: an ended scope is refused.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, TypeVar

import apsw

from shared.clock import Clock
from shared.engines.recent import RecentlyUsed
from shared.engines.sqlite import (
    applied,
    audit,
    extractions,
    fields,
    forgotten_rows,
    memories,
    pending,
    search,
    tombstones,
    topics,
)
from shared.engines.sqlite import episodes as archive
from shared.engines.sqlite.blocks import pack_rows
from shared.engines.sqlite.connections import Readers
from shared.engines.sqlite.deleted_sessions import note_deleted_session, read_deleted_sessions
from shared.engines.sqlite.keys import read_scope_state, read_tenant_key
from shared.engines.sqlite.life import LifeReads, LifeWrites, note_days
from shared.engines.sqlite.reindexing import IndexReads, IndexWrites
from shared.engines.sqlite.scope_rows import RowsCache
from shared.engines.sqlite.vectors import VectorReads, VectorWrites
from shared.engines.sqlite.view import View
from shared.engines.sqlite.write_thread import WriteThread
from shared.engines.vault import KeyVault
from shared.model.extraction import Extraction, ExtractionStep, Habit
from shared.model.memory import AuditEntry, Episode, FieldVersion, Memory, Origin, Source
from shared.model.message import Message, SessionEpoch
from shared.model.pending import PendingStatus, PendingUpdate, Tombstone
from shared.model.recall import Postings, RowRecord, ScopeRows
from shared.model.scope import Scope
from shared.model.session_state import BannedTopic, Digest
from shared.ports.ltm import LtmReader, LtmWriter, MemoryFilter, PendingFilter

T = TypeVar("T")

NOTE_CHANGE = "UPDATE scopes SET changes = changes + 1 WHERE tenant_id = :tenant_id AND scope_id = :scope_id"


class SqliteReader(LifeReads, VectorReads, IndexReads):
    """Reads of one scope, on one consistent view."""

    def __init__(self, view: View) -> None:
        self._view = view

    def fields(self, *, as_of_ms: int | None = None) -> list[FieldVersion]:
        if as_of_ms is not None:
            return fields.read_fields(self._view, as_of_ms=as_of_ms)
        return self._view.keep("fields", lambda: fields.read_fields(self._view, as_of_ms=None))

    def field(self, path: str) -> FieldVersion | None:
        return fields.read_field(self._view, path)

    def field_history(self, path: str) -> list[FieldVersion]:
        return fields.read_history(self._view, path)

    def memory(self, memory_id: str) -> Memory | None:
        return memories.read_memory(self._view, memory_id)

    def memories(self, wanted: MemoryFilter) -> list[Memory]:
        if wanted.status != "active":
            return memories.list_memories(self._view, wanted)
        return self._view.keep(wanted, lambda: memories.list_memories(self._view, wanted))

    def memory_with_text(self, normal_text: str) -> Memory | None:
        return memories.read_memory_with_text(self._view, normal_text)

    def episode(self, message_id: str) -> Episode | None:
        return archive.read_episode(self._view, message_id)

    def episodes(self, session_id: str, *, epoch: int | None, after_seq: int, limit: int) -> list[Episode]:
        return archive.read_session(self._view, session_id, epoch=epoch, after_seq=after_seq, limit=limit)

    def archived_after(self, session_key: str, *, epoch: int, after_seq: int, limit: int) -> list[Episode]:
        return archive.read_session_after(
            self._view, session_key, epoch=epoch, after_seq=after_seq, limit=limit
        )

    def extractions(self, session_key: str) -> list[Extraction]:
        return extractions.read_extractions(self._view, session_key)

    def is_deleted(self, session_key: str, epoch: int) -> bool:
        return forgotten_rows.is_deleted(self._view, session_key, epoch=epoch)

    def habit(self, name: str) -> Habit:
        return extractions.read_habit(self._view, name)

    def messages_of_clients(self, session_id: str, client_ids: Sequence[str]) -> dict[str, str]:
        return archive.find_messages_of_clients(self._view, session_id, client_ids=client_ids)

    def applied(self, key: str) -> Any | None:
        return applied.read_applied(self._view, key)

    def audit(
        self,
        *,
        limit: int,
        before_seq: int | None = None,
        path: str | None = None,
        actor: str | None = None,
        since_ms: int | None = None,
    ) -> list[AuditEntry]:
        return audit.read_entries(
            self._view, limit=limit, before_seq=before_seq, path=path, actor=actor, since_ms=since_ms
        )

    def pending_update(self, update_id: str) -> PendingUpdate | None:
        return pending.read_update(self._view, update_id)

    def pending_updates(self, wanted: PendingFilter) -> list[PendingUpdate]:
        if wanted.status != "open":
            return pending.list_updates(self._view, wanted)
        return self._view.keep(wanted, lambda: pending.list_updates(self._view, wanted))

    def open_update_like(self, key: str) -> PendingUpdate | None:
        return pending.read_open_update_like(self._view, key)

    def tombstones(self, keys: Sequence[str] | None = None) -> list[Tombstone]:
        if keys is None:
            return self._view.keep("tombstones", lambda: tombstones.list_tombstones(self._view))
        return tombstones.find_tombstones(self._view, keys)

    def scope_rows(self) -> ScopeRows:
        return search.read_scope_rows(self._view)

    def postings(self, terms: Collection[str], *, budget: int | None = None) -> Postings:
        return search.read_postings(self._view, terms, budget=budget)

    def rows(self, row_ids: Sequence[int]) -> dict[int, Memory | Episode]:
        return self._view.keep_rows(row_ids, self._read_rows)

    def _read_rows(self, row_ids: Sequence[int]) -> dict[int, Memory | Episode]:
        found: dict[int, Memory | Episode] = {**archive.read_episodes_by_rows(self._view, row_ids)}
        rest = [row_id for row_id in row_ids if row_id not in found]
        return {**found, **memories.read_memories_by_rows(self._view, rest)} if rest else found

    def rows_with_character(self, character: str) -> list[int]:
        return search.find_rows_with_character(self._view, character)

    def forgotten_spans(self, message_ids: Collection[str]) -> dict[str, tuple[str, ...]]:
        view = self._view
        if not view.writes:  # mostly there are none, and that is known
            known = view.keep("forgotten", lambda: archive.read_messages_with_spans(view))
            message_ids = set(known).intersection(message_ids)
        return archive.read_forgotten_spans(view, message_ids) if message_ids else {}

    def deleted_sessions(self, session_ids: Collection[str]) -> dict[str, int]:
        return read_deleted_sessions(self._view, session_ids)

    def topics(self) -> list[BannedTopic]:
        return self._view.keep("topics", lambda: topics.read_topics(self._view))

    def digest(self, session_key: str) -> Digest | None:
        return topics.read_digest(self._view, session_key)

    def newest_digest(self, *, without_key: str, since_ms: int) -> Digest | None:
        def read() -> list[Digest]:
            found = topics.read_newest_digest(self._view, without_key=without_key)
            return [] if found is None else [found]

        return next(
            (each for each in self._view.keep(("digest", without_key), read) if each.at_ms >= since_ms), None
        )


class SqliteWriter(SqliteReader, LifeWrites, VectorWrites, IndexWrites):
    """Writes of one scope, inside one transaction."""

    def put_field(self, path: str, value: Any, *, origin: Origin, source: Source, at_ms: int) -> FieldVersion:
        return fields.put_field(self._view, path, value=value, origin=origin, source=source, at_ms=at_ms)

    def add_memory(self, memory: Memory, record: RowRecord, *, normal_text: str) -> None:
        memories.add_memory(self._view, memory, record=record, normal_text=normal_text)

    def supersede_memory(self, memory_id: str, *, at_ms: int, replaced_by: str | None = None) -> bool:
        return memories.supersede_memory(self._view, memory_id, at_ms=at_ms, replaced_by=replaced_by)

    def add_update(self, update: PendingUpdate, *, key: str, most_open: int) -> None:
        pending.add_update(self._view, update, key=key, most_open=most_open)

    def close_update(self, update_id: str, *, status: PendingStatus) -> bool:
        return pending.close_update(self._view, update_id, status=status)

    def note_stored(self, update_id: str, *, value: Any) -> None:
        pending.note_stored(self._view, update_id, value=value)

    def add_tombstone(self, tombstone: Tombstone, *, keys: Sequence[str]) -> None:
        tombstones.add_tombstone(self._view, tombstone, keys=keys)

    def note_restated(self, tombstone_id: str) -> None:
        tombstones.note_restated(self._view, tombstone_id)

    def lift_tombstones(self, keys: Sequence[str]) -> int:
        return tombstones.lift_tombstones(self._view, keys)

    def delete_memory(self, memory_id: str) -> bool:
        return memories.delete_memory(self._view, memory_id)

    def add_episodes(self, episodes: Sequence[tuple[Episode, RowRecord]]) -> int:
        said = [episode.message for episode, _ in episodes if episode.message.role == "user"]
        note_days(self._view, (message.received_at_ms for message in said))
        new = archive.add_episodes(self._view, episodes)
        pack_rows(self._view)
        return new

    def note_archived(self, step: ExtractionStep) -> None:
        extractions.note_archived(self._view, step)

    def note_ruled(self, extraction: Extraction, *, to_seq: int) -> None:
        extractions.note_ruled(self._view, extraction, to_seq=to_seq)

    def note_extracted(self, step: ExtractionStep) -> bool:
        return extractions.note_extracted(self._view, step)

    def note_asked(self, extraction: Extraction, *, awaits_model: bool) -> None:
        extractions.note_asked(self._view, extraction, awaits_model=awaits_model)

    def put_habit(self, habit: Habit) -> None:
        extractions.put_habit(self._view, habit)

    def delete_habits(self) -> None:
        extractions.delete_habits(self._view)

    def rewrite_episode(self, message: Message) -> None:
        archive.rewrite_episode(self._view, message)

    def forget_span(self, message_id: str, span: str, *, record: RowRecord | None) -> None:
        archive.forget_span(self._view, message_id, span=span, record=record)

    def delete_session(self, session_id: str, *, limit: int | None = None) -> int:
        pending.delete_updates_of_session(self._view, session_id)
        return archive.delete_session(self._view, session_id, limit=limit)

    def note_deleted(self, epochs: Sequence[SessionEpoch]) -> None:
        forgotten_rows.note_deleted(self._view, epochs)

    def delete_bare_extractions(self) -> None:
        extractions.delete_bare_extractions(self._view)

    def note_deleted_session(self, session_id: str | None) -> None:
        note_deleted_session(self._view, session_id)

    def ban_topic(self, topic: BannedTopic) -> bool:
        return topics.ban_topic(self._view, topic)

    def lift_topic(self, topic: str) -> bool:
        return topics.lift_topic(self._view, topic)

    def put_digest(self, digest: Digest) -> None:
        topics.put_digest(self._view, digest)

    def delete_digest(self, session_id: str) -> bool:
        return topics.delete_digest(self._view, session_id)

    def mark_applied(self, key: str, result: Any) -> None:
        applied.mark_applied(self._view, key, result=result)

    def drop_applied(self, keys: Sequence[str] | None) -> None:
        applied.drop_applied(self._view, keys)

    def count_accesses(self, counts: Mapping[int, int], *, at_ms: int) -> None:
        for row_id, count in counts.items():
            for statement in (memories.COUNT_ACCESSES, archive.COUNT_ACCESSES):
                self._view.run(statement, row_id=row_id, count=count, at_ms=at_ms)

    def add_audit(
        self, action: str, *, path: str | None, details: Mapping[str, Any], actor: str, request_id: str
    ) -> None:
        audit.add_entry(self._view, action, path=path, details=details, actor=actor, request_id=request_id)


class SqliteLongTermMemory:
    """The long-term store of this process."""

    def __init__(
        self, readers: Readers, writes: WriteThread, *, vault: KeyVault, clock: Clock, cache: RowsCache
    ) -> None:
        self._readers = readers
        self._writes = writes
        self._vault = vault
        self._clock = clock
        self._cache = cache
        self._opened: RecentlyUsed[Any] = RecentlyUsed()

    async def read(self, scope: Scope, work: Callable[[LtmReader], T]) -> T:
        """Run `work` on one consistent view, at once and in this thread."""
        with self._readers.view() as connection:
            return work(SqliteReader(self._view(connection, scope)))

    async def write(self, scope: Scope, work: Callable[[LtmWriter], T], *, durable: bool = False) -> T:
        """Run `work` in one transaction on the write thread; `durable` waits for the disk."""

        def transaction(connection: apsw.Connection) -> T:
            view = self._view(connection, scope, writes=True)
            view.run(NOTE_CHANGE)
            return work(SqliteWriter(view))

        return await asyncio.wrap_future(self._writes.submit(transaction, durable=durable))

    def _view(self, connection: apsw.Connection, scope: Scope, *, writes: bool = False) -> View:
        state = read_scope_state(connection, tenant_id=scope.tenant_id, scope_id=scope.scope_id)
        if state.wrapped is None:
            self._cache.drop((scope.tenant_id, scope.scope_id))
        sealer = self._vault.sealer_of(scope, state.wrapped)
        tenant_keys = None
        if writes:
            wrapped_tenant = read_tenant_key(connection, scope.tenant_id)
            tenant_keys = self._vault.tenant_keys_of(scope.tenant_id, wrapped_tenant)
        return View(
            connection=connection,
            scope=scope,
            sealer=sealer,
            tenant_keys=tenant_keys,
            now_ms=self._clock.now_ms(),
            state=state,
            cache=self._cache,
            opened=self._opened,
            writes=writes,
        )
