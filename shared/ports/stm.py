"""Short-term memory and what is due: sessions, the tail, claims, leases; one Redis call each."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal, Protocol

from shared.model.base import Value
from shared.model.job import ArchiveDebt, DueWork, JobName, JobOrder
from shared.model.message import (
    DeletedSessions,
    Message,
    NewMessage,
    Session,
    SessionNotes,
    TailMessage,
)
from shared.model.scope import Scope
from shared.model.session_state import SessionSummary


class Claim(Value):
    """An idempotency key of one route, and the hash of the body it came with.

    `holder` names the one try that may settle it; `session_id` the session that its reply tells of, if any.
    """

    key: str
    body_hash: str
    holder: str = ""
    session_id: str | None = None


class TurnStart(Value):
    """Round trip one of a turn. `replayed` is the stored reply of a finished claim, else None.

    `session.window` ends with `message` and starts where `window_tokens` were full; `resumed` says
    that the user's message stood already (an earlier try of the same claim stored it). `is_archive_due`
    goes on into `TurnEnd`, so that the dispatcher hears of it without a call of its own.
    """

    session: Session
    message: Message
    fence: int
    tail: tuple[TailMessage, ...] = ()
    resumed: bool = False
    replayed: str | None = None
    is_archive_due: bool = False


class TurnEnd(Value):
    """Round trip two of a turn: everything that it leaves behind, in one call.

    `claim_state`: `done` keeps `result_json` for 24 hours, `interrupted` lets a retry run the model
    again for the same message, `free` lets the next try go on as if it were the first. `notes_version` is
    that of the notes which `notes` were made from; None replaces them whatever they are.
    """

    session_id: str
    fence: int
    reply: NewMessage | None
    claim: Claim | None = None
    claim_state: Literal["done", "interrupted", "free"] = "done"
    result_json: str | None = None
    notes: SessionNotes | None = None
    notes_version: int | None = None
    accessed_row_ids: tuple[int, ...] = ()
    is_archive_due: bool = False


class Appended(Value):
    """What an append did: one id for each message given, in order; `new` are those not seen before.

    `before` is the session's last message before the first that is new, where that one is a user's.
    """

    message_ids: tuple[str, ...]
    new: tuple[Message, ...]
    session: Session
    before: Message | None = None


class ShortTermMemory(Protocol):
    """Sessions, the tail of unarchived user messages, idempotency claims: one Redis call each.

    All methods raise `Unavailable` (code `stm_unavailable`) when the store does not answer, and
    `Missing` (code `scope_ended`) when the scope's generation has moved on.
    """

    async def begin_turn(
        self, scope: Scope, session_id: str, *, message: NewMessage, claim: Claim | None, window_tokens: int
    ) -> TurnStart:
        """Claim, take the lease (waiting in order), append the user's message, read state and tail.

        Raises:
            Conflict: `session_busy` after the longest wait, `idempotency_running` while the claim runs,
                `reply_forgotten` where what its reply told of was forgotten since.
            KeyReused: the claim came with another body.
        """

    async def renew_lease(self, scope: Scope, session_id: str, *, fence: int) -> bool:
        """Extend the lease; False once another holds it."""

    async def finish_turn(self, scope: Scope, end: TurnEnd) -> Message | None:
        """Append the reply, settle the claim, note what is due, count accesses, free the lease.

        Raises `Conflict`: `lease_lost` where another turn took the session meanwhile, `notes_moved` where
        the notes are of another version than `notes_version`; then nothing was done.
        """

    async def append_messages(
        self,
        scope: Scope,
        session_id: str,
        *,
        messages: Sequence[NewMessage],
        notes: SessionNotes | None = None,
        notes_version: int | None = None,
        claim: Claim | None = None,
    ) -> Appended:
        """Append messages; one whose `client_id` the session has seen appends nothing.

        What an earlier try of the same `claim` has appended is answered as it was then: it is appended once.
        Raises `Conflict`: `notes_moved` as `finish_turn`, `idempotency_running` where another has the claim.
        """

    async def read_session(self, scope: Scope, session_id: str, *, window_tokens: int) -> Session:
        """Return the session with its window. Raises `Missing` (expired counts as missing)."""

    async def find_session(
        self, scope: Scope, session_id: str, *, window_tokens: int
    ) -> tuple[Session | None, tuple[TailMessage, ...]]:
        """Return the session, or None, and the user's tail, in one round trip."""

    async def list_sessions(self, scope: Scope, *, limit: int, before_ms: int | None) -> list[Session]:
        """Return live sessions without windows, the last used first, older than `before_ms`."""

    async def read_messages(
        self, scope: Scope, session_id: str, *, after_seq: int, limit: int
    ) -> list[Message]:
        """Return messages still in short-term memory, oldest first."""

    async def put_notes(
        self,
        scope: Scope,
        session_id: str,
        *,
        notes: SessionNotes,
        notes_version: int | None = None,
        epoch: int | None = None,
    ) -> Session:
        """Replace a session's notes (a PATCH); makes the session if there is none; sets its expiry anew.

        Raises `Conflict` (`notes_moved`) as `finish_turn`, and where the session of `epoch` is gone. One that
        is not there has version 0.
        """

    async def read_open(
        self, scope: Scope, session_key: str, *, limit: int
    ) -> tuple[Session | None, list[Message]]:
        """Return a session by its key with the messages that no summary holds and Redis still does."""

    async def store_summary(
        self, scope: Scope, session: Session, *, summary: SessionSummary, window_tokens: int
    ) -> bool:
        """Compare-and-set `compacted_to` and the summary, and drop what is archived and out of the window.

        False, and nothing done, where the session was summarised since `session` was read.
        """

    async def rewrite_session(
        self,
        scope: Scope,
        session: Session,
        *,
        messages: Sequence[Message],
        summary: SessionSummary | None,
    ) -> int:
        """Put messages in the place of those of their ids that are still held; returns how many.

        They keep their tokens. A summary (None leaves it) takes the place of the one that `session` was read
        with, unless the session was summarised since.
        """

    async def delete_session(self, scope: Scope, session_id: str) -> DeletedSessions:
        """Delete the session's keys and its part of the tail; no later session gets one of its epochs.

        The replies to idempotency keys that tell of it go too, and are not told again.
        """

    async def read_tail(self, scope: Scope) -> tuple[TailMessage, ...]:
        """Return the unarchived user messages of all sessions, oldest first (at most 200)."""

    async def forget_in_tail(self, scope: Scope, message_ids: Collection[str]) -> int:
        """Take messages out of the tail, so that recall no longer offers them.

        Replies to idempotency keys that tell of these messages, or memories, are not told again.
        """

    async def claim_request(self, scope: Scope, claim: Claim) -> str | None:
        """Claim any other POST: None to go on, or the stored reply. Raises as `begin_turn`."""

    async def settle_request(
        self, scope: Scope, claim: Claim, *, result_json: str | None, told_ids: Collection[str] = ()
    ) -> None:
        """Keep the reply of a claimed POST for 24 hours, or free the claim when None.

        `told_ids` are those of memories that the reply tells. Nothing is done where another try has taken the
        claim over, or where what it tells was deleted meanwhile.
        """

    async def read_unarchived(
        self, scope: Scope, session_key: str, *, limit: int
    ) -> tuple[Session | None, list[Message]]:
        """Return a session by its key with its next unarchived messages, oldest first.

        Of long ones fewer than `limit`, some 200,000 bytes together, but at least one. Left out are those of
        them that do not open with the key that opens the session.
        """

    async def mark_archived(
        self, scope: Scope, session_key: str, *, epoch: int, to_seq: int, window_tokens: int
    ) -> None:
        """Compare-and-set `archived_to` and trim the tail.

        Also drop what is archived and out of the window, set the common expiry once nothing is
        unarchived, and delete a session that has expired.
        """

    async def mark_extracted(self, scope: Scope, session_key: str, *, epoch: int, to_seq: int) -> None:
        """Move `extracted_to` of one epoch on, where the session still lives."""

    async def take_accesses(self, scope: Scope) -> tuple[str, Mapping[int, int]] | None:
        """Set the buffer of access counts aside and return its id and counts; None when empty.

        The same buffer is returned again until `drop_accesses` is called with its id.
        """

    async def drop_accesses(self, scope: Scope, buffer_id: str) -> None:
        """Delete a buffer whose counts are written."""

    async def forget_sessions(self, scope: Scope) -> DeletedSessions:
        """Delete all sessions of a scope and its tail, as `delete_session` does, and every kept reply."""

    async def end_scope(self, scope: Scope) -> None:
        """Turn away every call for this scope from now on (`scope_ended`)."""

    async def erase_scope(self, scope: Scope) -> tuple[int, int]:
        """Delete all that is kept of a scope that has ended; return how many keys, and how many caches.

        What is due of it stays until `DueStore.drop_scope`. No file of the store holds it afterwards.
        """


class DueStore(Protocol):
    """What is due, over all scopes; kept beside short-term memory."""

    async def take_due(
        self, *, limit: int, lease_seconds: float, job: JobName | None = None
    ) -> list[tuple[DueWork, str | None]]:
        """Lease what is due, of one job or of all: each with the id of its last order, if any."""

    async def note_orders(self, orders: Sequence[JobOrder], *, lease_seconds: float | None = None) -> None:
        """Remember which job was ordered for each due work, and lease the work (None: as the limits say)."""

    async def settle_due(self, work: DueWork) -> bool:
        """Take a mark away, or set it anew where more came meanwhile (True)."""

    async def postpone_due(self, work: DueWork, *, delay_seconds: float) -> int:
        """Set the mark later after a failure; returns how often that happened in a row."""

    async def bury_due(self, work: DueWork, *, job_id: str = "") -> None:
        """Take the mark of a dead-lettered work away; `mark_due` brings it back.

        With a job's id: only where that job is the last one that was ordered for the work.
        """

    async def mark_due(self, work: DueWork) -> None:
        """Mark work as due now."""

    async def ensure_due(self, work: DueWork) -> None:
        """Mark work as due now, unless it is marked or dead-lettered already."""

    async def drop_scope(self, tenant_id: str, scope_id: str) -> None:
        """Forget what is due of a scope that has ended."""

    async def mark_due_by(self, works: Sequence[DueWork], *, at_ms: int) -> list[DueWork]:
        """Mark works as due at a time at the latest; returns those that are dead-lettered, left as they are.

        Work that has failed keeps its later time.
        """

    async def sum_debts(self, *, every: bool = True) -> ArchiveDebt:
        """Walk all scopes' unarchived sessions; mark again what has no mark, and count it as `nowhere`.

        With `every`: those too that are on no list of such sessions; what has expired is cleared.
        """

    async def read_clock_offset_ms(self) -> int:
        """Return the test clock's offset."""

    async def write_clock_offset_ms(self, offset_ms: int) -> None:
        """Set the test clock's offset."""

    async def hold(self, name: str, owner: str, *, seconds: float) -> bool:
        """Take or renew a named lock with an expiry; False while another owner holds it."""

    async def write_report(self, name: str, report: Mapping[str, Any]) -> None:
        """Keep a small report (numbers, ids) under a name."""

    async def read_report(self, name: str) -> dict[str, Any] | None:
        """Return a kept report."""

    async def add_counts(self, counts: Mapping[str, float]) -> None:
        """Add to the counters that all processes share."""

    async def read_counts(self) -> dict[str, float]:
        """Return the shared counters."""

    async def check(self) -> list[tuple[str, bool, str]]:
        """Return findings (name, ok, what to do): `reachable`, `maxmemory-policy`, `appendonly`."""
