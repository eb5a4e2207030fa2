"""Long-term memory in a dictionary: the port's meaning without sealing, disk or threads."""

from __future__ import annotations

import copy
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from shared.clock import Clock
from shared.errors import Conflict, Missing
from shared.ltm.index import INDEX_VERSION
from shared.model.memory import AuditEntry, Episode, FieldVersion, Memory, Origin, Source
from shared.model.message import applied_keys
from shared.model.recall import Posting, Postings, RowRecord, ScopeRows
from shared.model.scope import Scope
from shared.ports.ltm import LtmReader, LtmWriter, MemoryFilter
from tests.fakes.memory_extractions import ReadingReader, ReadingState, ReadingWriter
from tests.fakes.memory_index import IndexReader, IndexWriter, Row
from tests.fakes.memory_life import Ages, AgesReader, AgesWriter
from tests.fakes.memory_proposals import ProposalReader, ProposalState, ProposalWriter
from tests.fakes.memory_topics import Leftovers, LeftoversReader, LeftoversWriter
from tests.fakes.memory_vectors import Vectors, VectorsReader, VectorsWriter

T = TypeVar("T")


@dataclass
class ScopeState:
    """All that one scope has."""

    fields: dict[str, list[FieldVersion]] = field(default_factory=dict)
    memories: dict[str, Memory] = field(default_factory=dict)
    normal_texts: dict[str, str] = field(default_factory=dict)
    episodes: dict[str, Episode] = field(default_factory=dict)
    rows: dict[int, Row] = field(default_factory=dict)
    forgotten: dict[str, tuple[str, ...]] = field(default_factory=dict)
    applied: dict[str, tuple[int, Any]] = field(default_factory=dict)
    proposals: ProposalState = field(default_factory=ProposalState)
    leftovers: Leftovers = field(default_factory=Leftovers)
    ages: Ages = field(default_factory=Ages)
    readings: ReadingState = field(default_factory=ReadingState)
    vectors: Vectors = field(default_factory=Vectors)
    index_version: int = INDEX_VERSION


@dataclass
class TenantState:
    """What a tenant's scopes share: the audit and the numbers of rows."""

    scopes: dict[str, ScopeState] = field(default_factory=dict)
    audit: list[AuditEntry] = field(default_factory=list)
    newest_row: int = 0


class MemoryReader(ProposalReader, ReadingReader, LeftoversReader, AgesReader, VectorsReader, IndexReader):
    """Reads of one scope."""

    def __init__(self, tenant: TenantState, scope: Scope, *, now_ms: int) -> None:
        self._tenant = tenant
        self._scope = scope
        self._state = tenant.scopes[scope.scope_id]
        self._applied = self._state.applied
        self._proposals = self._state.proposals
        self._aged = self._state
        self._readings = self._state.readings
        self._indexed = self._state
        super().__init__(self._state.leftovers, now_ms=now_ms)

    def fields(self, *, as_of_ms: int | None = None) -> list[FieldVersion]:
        found = (self._version_at(path, as_of_ms) for path in sorted(self._state.fields))
        return [version for version in found if version is not None and version.value is not None]

    def _version_at(self, path: str, as_of_ms: int | None) -> FieldVersion | None:
        versions = self._state.fields.get(path, [])
        if as_of_ms is None:
            return versions[-1] if versions else None
        valid = [
            version
            for version in versions
            if version.valid_from_ms <= as_of_ms
            and (version.valid_to_ms is None or version.valid_to_ms > as_of_ms)
        ]
        return valid[-1] if valid else None

    def field(self, path: str) -> FieldVersion | None:
        version = self._version_at(path, None)
        return None if version is None or version.value is None else version

    def field_history(self, path: str) -> list[FieldVersion]:
        return list(self._state.fields.get(path, []))

    def memory(self, memory_id: str) -> Memory | None:
        memory = self._state.memories.get(memory_id)
        return None if memory is None else self._present(memory)

    def _present(self, memory: Memory) -> Memory:
        passed = memory.expires_at_ms is not None and memory.expires_at_ms <= self._now_ms
        expired = passed and memory.status == "active"
        return memory.model_copy(update={"status": "expired"}) if expired else memory

    def memories(self, wanted: MemoryFilter) -> list[Memory]:
        found = [
            memory
            for memory in map(self._present, self._state.memories.values())
            if (wanted.kinds is None or memory.kind in wanted.kinds)
            and (wanted.status is None or memory.status == wanted.status)
            and (wanted.session_id is None or memory.source.session_id == wanted.session_id)
            and (wanted.path is None or memory.path == wanted.path)
            and (wanted.after_id is None or memory.id < wanted.after_id)
        ]
        return sorted(found, key=lambda memory: memory.id, reverse=True)[: wanted.limit]

    def memory_with_text(self, normal_text: str) -> Memory | None:
        for memory_id in sorted(self._state.memories):
            memory = self._present(self._state.memories[memory_id])
            if self._state.normal_texts[memory_id] == normal_text and memory.status == "active":
                return memory
        return None

    def episode(self, message_id: str) -> Episode | None:
        return self._state.episodes.get(message_id)

    def episodes(self, session_id: str, *, epoch: int | None, after_seq: int, limit: int) -> list[Episode]:
        of_session = [e for e in self._state.episodes.values() if e.session_id == session_id]
        wanted = max((e.epoch for e in of_session), default=0) if epoch is None else epoch
        found = [e for e in of_session if e.epoch == wanted and e.message.seq > after_seq]
        return sorted(found, key=lambda e: e.message.seq)[:limit]

    def archived_after(self, session_key: str, *, epoch: int, after_seq: int, limit: int) -> list[Episode]:
        found = [
            e
            for e in self._state.episodes.values()
            if e.session_key.partition("~")[0] == session_key
            and e.epoch == epoch
            and e.message.seq > after_seq
        ]
        return sorted(found, key=lambda e: e.message.seq)[:limit]

    def messages_of_clients(self, session_id: str, client_ids: Sequence[str]) -> dict[str, str]:
        found: dict[str, str] = {}
        for message_id, episode in sorted(self._state.episodes.items()):
            client_id = episode.message.body.client_id
            if episode.session_id == session_id and client_id is not None and client_id in client_ids:
                found[client_id] = message_id
        return found

    def audit(
        self,
        *,
        limit: int,
        before_seq: int | None = None,
        path: str | None = None,
        actor: str | None = None,
        since_ms: int | None = None,
    ) -> list[AuditEntry]:
        found = [
            entry
            for entry in reversed(self._tenant.audit)
            if entry.scope_id == self._scope.scope_id
            and (before_seq is None or entry.seq < before_seq)
            and (path is None or entry.path == path)
            and (actor is None or entry.actor == actor)
            and (since_ms is None or entry.at_ms >= since_ms)
        ]
        return found[:limit]

    def _living(self) -> list[tuple[int, Row]]:
        """Return the rows that may be found, in the order of (session, seq), memories last."""
        expired = {m.id for m in map(self._present, self._state.memories.values()) if m.status == "expired"}
        living = [pair for pair in self._state.rows.items() if pair[1].target_id not in expired]
        return sorted(living, key=lambda pair: pair[1].place)

    def scope_rows(self) -> ScopeRows:
        living = self._living()
        records = [row.record for _, row in living]
        sessions = sorted({row.place[:3] for _, row in living})
        speakers = list(dict.fromkeys(record.speaker for record in records))
        mentions = [mention for record in records for mention in record.mentions]
        counts = [0, *(len(record.mentions) for record in records)]
        return ScopeRows(
            row_ids=np.array([row_id for row_id, _ in living], np.int64),
            session=np.array([sessions.index(row.place[:3]) for _, row in living], np.int32),
            seq=np.array([row.place[3] for _, row in living], np.int32),
            length=np.array([len(record.terms) for record in records], np.int32),
            day=np.array([record.day for record in records], np.int32),
            speaker=np.array([speakers.index(record.speaker) for record in records], np.int32),
            ends_with_question=np.array([record.ends_with_question for record in records], np.bool_),
            has_time_expression=np.array([record.has_time_expression for record in records], np.bool_),
            mention_offsets=np.cumsum(counts, dtype=np.int32),
            mention_start=np.array([first for first, _ in mentions], np.int32),
            mention_end=np.array([last for _, last in mentions], np.int32),
            speakers=tuple(speakers),
        )

    def postings(self, terms: Collection[str], *, budget: int | None = None) -> Postings:
        whole = self._postings(terms)
        if budget is None:
            return whole
        kept: dict[str, Posting] = {}
        for term in sorted(whole, key=lambda term: (len(whole[term].positions), term)):
            row_ids = self.scope_rows().row_ids[whole[term].positions]
            newest = np.sort(np.argsort(row_ids)[max(len(row_ids) - budget, 0) :])
            kept[term] = Posting(whole[term].positions[newest], whole[term].frequencies[newest])
            budget -= len(newest)
            if budget <= 0:
                break
        return kept

    def _postings(self, terms: Collection[str]) -> Postings:
        living = [(*row.record.terms, *row.record.date_terms) for _, row in self._living()]
        counts = {term: [words.count(term) for words in living] for term in terms}
        return {
            term: Posting(
                np.array([place for place, count in enumerate(found) if count], np.int32),
                np.array([count for count in found if count], np.int32),
            )
            for term, found in counts.items()
        }

    def rows(self, row_ids: Sequence[int]) -> dict[int, Memory | Episode]:
        found: dict[int, Memory | Episode] = {}
        for row_id in row_ids:
            row = self._state.rows.get(row_id)
            if row is not None and row.target_id in self._state.memories:
                found[row_id] = self._present(self._state.memories[row.target_id])
            elif row is not None:
                found[row_id] = self._state.episodes[row.target_id]
        return found

    def rows_with_character(self, character: str) -> list[int]:
        return sorted(
            row_id for row_id, row in self._living() if any(character in term for term in row.record.terms)
        )

    def forgotten_spans(self, message_ids: Collection[str]) -> dict[str, tuple[str, ...]]:
        return {name: spans for name, spans in self._state.forgotten.items() if name in message_ids}


class MemoryWriter(
    ProposalWriter, ReadingWriter, MemoryReader, LeftoversWriter, AgesWriter, VectorsWriter, IndexWriter
):
    """Writes of one scope."""

    def put_field(self, path: str, value: Any, *, origin: Origin, source: Source, at_ms: int) -> FieldVersion:
        versions = self._state.fields.setdefault(path, [])
        if versions:
            versions[-1] = versions[-1].model_copy(update={"valid_to_ms": at_ms})
        versions.append(
            FieldVersion(
                path=path,
                value=value,
                version=len(versions) + 1,
                valid_from_ms=at_ms,
                valid_to_ms=None,
                recorded_at_ms=self._now_ms,
                origin=origin,
                source=source,
                confirmed_at_ms=at_ms if origin == "user" else None,
            )
        )
        return versions[-1]

    def add_memory(self, memory: Memory, record: RowRecord, *, normal_text: str) -> None:
        if memory.id in self._state.memories:
            raise Conflict(f"There is a memory {memory.id} already.")
        self._state.memories[memory.id] = memory
        self._state.normal_texts[memory.id] = normal_text
        if memory.status == "active":
            self._index_memory(memory.id, record)

    def _index_memory(self, memory_id: str, record: RowRecord) -> None:
        number = self._next_row()
        self._state.rows[number] = Row(memory_id, (1, "", number, 0), record)

    def supersede_memory(self, memory_id: str, *, at_ms: int, replaced_by: str | None = None) -> bool:
        memory = self._state.memories.get(memory_id)
        if memory is None or memory.status != "active":
            return False
        self._unindex(memory_id)
        change = {"status": "superseded", "valid_to_ms": at_ms}
        self._state.memories[memory_id] = memory.model_copy(update=change)
        self._state.ages.replaced_by[memory_id] = replaced_by
        return True

    def delete_memory(self, memory_id: str) -> bool:
        self._unindex(memory_id)
        return self._state.memories.pop(memory_id, None) is not None

    def add_episodes(self, episodes: Sequence[tuple[Episode, RowRecord]]) -> int:
        said = [episode.message for episode, _ in episodes if episode.message.role == "user"]
        self._state.ages.note_days(message.received_at_ms for message in said)
        new = [pair for pair in episodes if pair[0].message.id not in self._state.episodes]
        for episode, record in new:
            self._state.episodes[episode.message.id] = episode
            self._index_episode(episode, record, row_id=self._next_row())
        return len(new)

    def forget_span(self, message_id: str, span: str, *, record: RowRecord | None) -> None:
        known = self._state.forgotten.get(message_id, ())
        self._state.forgotten[message_id] = known if span in known else (*known, span)
        episode = self._state.episodes.get(message_id)
        before = self._unindex(message_id)
        if episode is not None and record is not None:
            self._index_episode(episode, record, row_id=before or self._next_row())

    def delete_session(self, session_id: str, *, limit: int | None = None) -> int:
        gone = [name for name, e in self._state.episodes.items() if e.session_id == session_id][:limit]
        self.drop_updates_of(session_id)
        keys = {self._state.episodes[name].session_key.partition("~")[0] for name in gone}
        for place in [place for place in self._state.readings.extractions if place[0] in keys]:
            if limit is None or len(gone) < limit:
                del self._state.readings.extractions[place]
        for message_id in gone:
            self._unindex(message_id)
            del self._state.episodes[message_id]
            self.drop_applied(applied_keys(message_id))
        return len(gone)

    def count_accesses(self, counts: Mapping[int, int], *, at_ms: int) -> None:
        for row_id, found in self.rows(list(counts)).items():
            count = found.access_count + counts[row_id]
            change = {"access_count": count, "last_accessed_at_ms": at_ms}
            target_id = self._state.rows[row_id].target_id
            if isinstance(found, Memory):
                stored = self._state.memories[target_id]
                self._state.memories[target_id] = stored.model_copy(update=change)
            else:
                self._state.episodes[target_id] = found.model_copy(update=change)

    def add_audit(
        self, action: str, *, path: str | None, details: Mapping[str, Any], actor: str, request_id: str
    ) -> None:
        entry = AuditEntry(
            seq=len(self._tenant.audit) + 1,
            at_ms=self._now_ms,
            action=action,
            path=path,
            scope_id=self._scope.scope_id,
            actor=actor,
            request_id=request_id,
            details=dict(details),
        )
        self._tenant.audit.append(entry)

    def _next_row(self) -> int:
        self._tenant.newest_row += 1
        return self._tenant.newest_row

    def _index_episode(self, episode: Episode, record: RowRecord, *, row_id: int) -> None:
        place = (0, episode.session_id, episode.epoch, episode.message.seq)
        self._state.rows[row_id] = Row(episode.message.id, place, record)

    def _unindex(self, target_id: str) -> int | None:
        for row_id, row in self._state.rows.items():
            if row.target_id == target_id:
                del self._state.rows[row_id]
                self._state.vectors.drop_row(row_id)
                return row_id
        return None


class MemoryLtm:
    """The fake of `LongTermMemory`; `ended` holds the ids of scopes that have ended."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.tenants: dict[str, TenantState] = {}
        self.ended: set[str] = set()

    async def read(self, scope: Scope, work: Callable[[LtmReader], T]) -> T:
        return work(MemoryReader(self._tenant(scope), scope, now_ms=self._clock.now_ms()))

    async def write(self, scope: Scope, work: Callable[[LtmWriter], T], *, durable: bool = False) -> T:
        del durable
        tenant = self._tenant(scope)
        before = copy.deepcopy(tenant)
        try:
            return work(MemoryWriter(tenant, scope, now_ms=self._clock.now_ms()))
        except BaseException:
            self.tenants[scope.tenant_id] = before
            raise

    def _tenant(self, scope: Scope) -> TenantState:
        if scope.scope_id in self.ended:
            raise Missing("This scope has ended.", code="scope_ended")
        tenant = self.tenants.setdefault(scope.tenant_id, TenantState())
        tenant.scopes.setdefault(scope.scope_id, ScopeState())
        return tenant
