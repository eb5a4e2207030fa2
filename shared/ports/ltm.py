"""Long-term memory: reads and writes of one scope, each on one view or in one transaction."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, Protocol, TypeVar

from shared.model.base import Value
from shared.model.extraction import Extraction, ExtractionStep, Habit
from shared.model.memory import (
    AuditEntry,
    Episode,
    FieldVersion,
    Memory,
    MemoryKind,
    MemoryStatus,
    Origin,
    Source,
)
from shared.model.message import Message, SessionEpoch
from shared.model.pending import PendingStatus, PendingUpdate, Tombstone
from shared.model.recall import Postings, RowRecord, ScopeRows
from shared.model.scope import Scope
from shared.model.session_state import BannedTopic, Digest
from shared.ports.life import LifeReader, LifeWriter
from shared.ports.reindex import IndexReader, IndexWriter
from shared.ports.vectors import VectorReader, VectorWriter

T = TypeVar("T")


class MemoryFilter(Value):
    """Which memories to list; None means any. `after_id` continues a listing (newest first)."""

    kinds: tuple[MemoryKind, ...] | None = None
    status: MemoryStatus | None = "active"
    session_id: str | None = None
    path: str | None = None
    limit: int = 50
    after_id: str | None = None


class PendingFilter(Value):
    """Which pending updates to list; None means any. `after_id` continues a listing (newest first)."""

    status: PendingStatus | None = "open"
    path: str | None = None
    session_id: str | None = None
    limit: int = 50
    after_id: str | None = None


class LtmReader(LifeReader, VectorReader, IndexReader, Protocol):
    """Reads of one scope, on one consistent view."""

    def fields(self, *, as_of_ms: int | None = None) -> list[FieldVersion]:
        """Return the current fields (removed ones left out), or those valid at a time, by path."""

    def field(self, path: str) -> FieldVersion | None:
        """Return the current version of a field; None when it has none or was removed."""

    def field_history(self, path: str) -> list[FieldVersion]:
        """Return all versions, oldest first, removals included."""

    def memory(self, memory_id: str) -> Memory | None: ...

    def memories(self, wanted: MemoryFilter) -> list[Memory]: ...

    def memory_with_text(self, normal_text: str) -> Memory | None:
        """Return the active memory whose normal form is this one."""

    def episode(self, message_id: str) -> Episode | None: ...

    def episodes(self, session_id: str, *, epoch: int | None, after_seq: int, limit: int) -> list[Episode]:
        """Return archived messages of a session in order; of its newest epoch when None."""

    def archived_after(self, session_key: str, *, epoch: int, after_seq: int, limit: int) -> list[Episode]:
        """Return archived messages of one epoch of a session, by its key, in order."""

    def extractions(self, session_key: str) -> list[Extraction]:
        """Return how far each epoch of a session was read for proposals, oldest first."""

    def is_deleted(self, session_key: str, epoch: int) -> bool:
        """Return whether this epoch of a session was deleted: nothing that was read of it may be written."""

    def habit(self, name: str) -> Habit:
        """Return how often the user made a choice; a count of 0 where never."""

    def messages_of_clients(self, session_id: str, client_ids: Sequence[str]) -> dict[str, str]:
        """Return our ids of archived messages by the client's ids."""

    def applied(self, key: str) -> Any | None:
        """Return what `mark_applied` kept for this key."""

    def audit(
        self,
        *,
        limit: int,
        before_seq: int | None = None,
        path: str | None = None,
        actor: str | None = None,
        since_ms: int | None = None,
    ) -> list[AuditEntry]:
        """Return the scope's audit lines, newest first; a filter that is None lets all through."""

    def pending_update(self, update_id: str) -> PendingUpdate | None: ...

    def pending_updates(self, wanted: PendingFilter) -> list[PendingUpdate]: ...

    def open_update_like(self, key: str) -> PendingUpdate | None:
        """Return the open update that was added under this key."""

    def tombstones(self, keys: Sequence[str] | None = None) -> list[Tombstone]:
        """Return the tombstones on any of these keys, oldest first; all of them for None."""

    def scope_rows(self) -> ScopeRows:
        """Return what the index knows of all searchable rows of the scope."""

    def postings(self, terms: Collection[str], *, budget: int | None = None) -> Postings:
        """Return the postings of the terms, positions into `scope_rows()` of this same view.

        With a `budget` at most that many postings are read: rarest terms first, then newest rows.
        """

    def rows(self, row_ids: Sequence[int]) -> dict[int, Memory | Episode]:
        """Return rows by the ids that `scope_rows` names."""

    def rows_with_character(self, character: str) -> list[int]:
        """Return ids of rows whose words hold this single Han character (found without the index)."""

    def forgotten_spans(self, message_ids: Collection[str]) -> dict[str, tuple[str, ...]]:
        """Return the spans of messages that must not be indexed."""

    def deleted_sessions(self, session_ids: Collection[str]) -> dict[str, int]:
        """Return when each of these sessions was deleted last (ms), for those that were."""

    def topics(self) -> list[BannedTopic]:
        """Return the topics that the user has banned for good, oldest first."""

    def digest(self, session_key: str) -> Digest | None:
        """Return what one session left to the next."""

    def newest_digest(self, *, without_key: str, since_ms: int) -> Digest | None:
        """Return the newest digest since a moment of any session but one."""


class LtmWriter(LtmReader, LifeWriter, VectorWriter, IndexWriter, Protocol):
    """Writes of one scope, inside one transaction."""

    def put_field(self, path: str, value: Any, *, origin: Origin, source: Source, at_ms: int) -> FieldVersion:
        """Write the next version of a field (None removes it); versions are gapless.

        What the user said (`origin` user) counts as confirmed at that moment.
        """

    def add_memory(self, memory: Memory, record: RowRecord, *, normal_text: str) -> None: ...

    def supersede_memory(self, memory_id: str, *, at_ms: int, replaced_by: str | None = None) -> bool:
        """End an active memory at a time: it leaves the index and stays as history.

        `replaced_by` is the id of the memory that takes its place, None where that is none.
        """

    def add_update(self, update: PendingUpdate, *, key: str, most_open: int) -> None:
        """Keep a pending update under a key; the oldest open ones beyond `most_open` expire."""

    def close_update(self, update_id: str, *, status: PendingStatus) -> bool:
        """End an open pending update; False where it is open no longer."""

    def note_stored(self, update_id: str, *, value: Any) -> None:
        """Keep what the user confirmed in place of what was proposed."""

    def add_tombstone(self, tombstone: Tombstone, *, keys: Sequence[str]) -> None: ...

    def note_restated(self, tombstone_id: str) -> None:
        """Note that a rejected value was proposed once more."""

    def lift_tombstones(self, keys: Sequence[str]) -> int:
        """Remove the tombstones on any of these keys; returns how many."""

    def delete_memory(self, memory_id: str) -> bool:
        """Remove the row and every trace of its terms in the index."""

    def add_episodes(self, episodes: Sequence[tuple[Episode, RowRecord]]) -> int:
        """Archive messages; one that is there already is left alone. Returns how many were new."""

    def note_archived(self, step: ExtractionStep) -> None:
        """Note that the messages of a step were archived and wait to be extracted."""

    def note_ruled(self, extraction: Extraction, *, to_seq: int) -> None:
        """Note up to which message rules have read."""

    def note_extracted(self, step: ExtractionStep) -> bool:
        """Note that a range was extracted; False where it does not begin where the last one ended.

        `oldest_at_ms` is when the first message after it came.
        """

    def note_asked(self, extraction: Extraction, *, awaits_model: bool) -> None:
        """Note that a model is asked now, or (`awaits_model`) that there is none to ask."""

    def put_habit(self, habit: Habit) -> None: ...

    def delete_habits(self) -> None:
        """Forget all choices that the user kept making, with their words."""

    def rewrite_episode(self, message: Message) -> None:
        """Put a message's body in the place of the archived one, where it is archived."""

    def forget_span(self, message_id: str, span: str, *, record: RowRecord | None) -> None:
        """Note that a span of a message is not to be indexed; re-index the episode as `record`."""

    def delete_session(self, session_id: str, *, limit: int | None = None) -> int:
        """Remove a session's episodes of all epochs, at most `limit`; returns how many, 0 at the end.

        Its open pending updates go with them, and what is noted of what its messages did.

        A row takes some 2 ms of the write lock: delete long sessions in slices of 20.
        """

    def note_deleted(self, epochs: Sequence[SessionEpoch]) -> None:
        """Note which epochs of sessions were deleted: no job that still holds their words writes them."""

    def delete_bare_extractions(self) -> None:
        """Forget how far sessions were read of which no episode is left."""

    def note_deleted_session(self, session_id: str | None) -> None:
        """Note that the user has deleted a session now, or all of them (None)."""

    def ban_topic(self, topic: BannedTopic) -> bool:
        """Ban a topic for good; False where it is banned already."""

    def lift_topic(self, topic: str) -> bool:
        """Lift a ban; False where there is none."""

    def put_digest(self, digest: Digest) -> None:
        """Put a session's digest in the place of its former one; drop those older than 14 days."""

    def delete_digest(self, session_id: str) -> bool:
        """Remove a session's digest; False where there is none."""

    def mark_applied(self, key: str, result: Any) -> None:
        """Remember that something was done, with a small JSON result; kept sealed for 7 days."""

    def drop_applied(self, keys: Sequence[str] | None) -> None:
        """Forget what was done under some keys, with its results; all of it for None."""

    def count_accesses(self, counts: Mapping[int, int], *, at_ms: int) -> None: ...

    def add_audit(
        self, action: str, *, path: str | None, details: Mapping[str, Any], actor: str, request_id: str
    ) -> None:
        """Append an entry to the tenant's chain in this transaction; `details` are sealed."""


class LongTermMemory(Protocol):
    """The long-term store. Raises `Unavailable` (code `ltm_unavailable`) when locked or full."""

    async def read(self, scope: Scope, work: Callable[[LtmReader], T]) -> T:
        """Run `work` on one consistent view."""

    async def write(self, scope: Scope, work: Callable[[LtmWriter], T], *, durable: bool = False) -> T:
        """Run `work` in one transaction, rolled back if it raises; `durable` waits for the disk.

        Raises `Missing` (code `scope_ended`) where the scope's key is gone.
        """
