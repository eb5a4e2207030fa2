"""Jobs: what waits in a due set, what a queue carries (ids and numbers only), what the ledger tells."""

from __future__ import annotations

from typing import Any, Literal

from shared.model.base import Value

LAG_REPORT = "lag"
SCHEDULER_REPORT = "scheduler"
BIRTH_REPORT = "birth"
MODEL_REPORT = "model"

RunnableJob = Literal[
    "archive",
    "extract",
    "compact",
    "touch",
    "score",
    "embed",
    "sweep",
    "erase",
    "snapshot",
    "reconcile",
    "reindex",
]
"""Jobs that an operator may run for all that is due; a restore names what it restores, and has a route."""

JobName = Literal[RunnableJob, "restore"]
MODEL_JOBS: frozenset[JobName] = frozenset({"extract", "compact"})
"""Jobs that ask the chat model, where there is one."""

JobStatus = Literal["queued", "running", "retrying", "finished", "dead"]


class JobOptions(Value):
    """What a job is asked beside its target: a snapshot and the tag of a new one; to change nothing."""

    snapshot_id: str = ""
    tag: str = ""
    dry_run: bool = False


class JobOrder(Value):
    """A job to run. `id` is stable for the same work, so that ordering it twice runs it once."""

    id: str
    job: JobName
    tenant_id: str = ""
    scope_id: str = ""
    session_key: str = ""
    request_id: str = ""
    options: JobOptions = JobOptions()


class JobRecord(Value):
    """A job as the API tells of it; times are Unix milliseconds."""

    id: str
    job: JobName
    status: JobStatus
    attempts: int = 0
    queued_at_ms: int
    started_at_ms: int | None = None
    finished_at_ms: int | None = None
    reason: str | None = None
    tenant_id: str = ""
    scope_id: str = ""
    session_key: str = ""
    request_id: str = ""
    options: JobOptions = JobOptions()
    result: dict[str, Any] | None = None


class DueWork(Value):
    """Work that a due set names: `archive`, `extract` or `compact` of a session, else of the scope itself."""

    tenant_id: str
    scope_id: str
    job: JobName
    session_key: str = ""


class ArchiveDebt(Value):
    """What is not yet archived: how many messages, when the oldest came, and how many had no mark."""

    count: int
    oldest_ms: int | None
    nowhere: int = 0
