"""What the API tells of jobs: ids, numbers and codes, kept 7 days."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence

import apsw

from shared.engines.sqlite.connections import Readers, Row
from shared.engines.sqlite.write_thread import WriteThread
from shared.model.job import JobRecord, JobStatus
from shared.model.scope import Scope

_COLUMNS = """
id, tenant_id, scope_id, job, status, attempts, queued_at_ms, started_at_ms, finished_at_ms, reason,
session_key, request_id, options, result
"""
WRITE_JOB = f"""
INSERT OR REPLACE INTO jobs ({_COLUMNS})
VALUES (
    :id, :tenant_id, :scope_id, :job, :status, :attempts, :queued_at_ms, :started_at_ms, :finished_at_ms,
    :reason, :session_key, :request_id, :options, :result)
"""
SELECT_JOB = f"SELECT {_COLUMNS} FROM jobs /* all scopes: an id names its job, whoever asks */ WHERE id = :id"
SELECT_PLACE = (
    "SELECT queued_at_ms, id FROM jobs /* all scopes: an id names its job, whoever asks */ WHERE id = :id"
)
# Both tenants are looked up in the index; a job of no tenant belongs to all.
SELECT_JOBS = f"""
SELECT {_COLUMNS} FROM jobs
WHERE tenant_id IN (:tenant_id, '') AND (:status IS NULL OR status = :status)
  AND (:before_ms IS NULL OR (queued_at_ms, id) < (:before_ms, :before_id))
ORDER BY queued_at_ms DESC, id DESC LIMIT :limit
"""
SELECT_OF_SCOPE = """
SELECT id FROM jobs
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND job <> 'erase'
  AND status IN ('queued', 'running', 'retrying')
"""
SELECT_OPEN = f"""
SELECT {_COLUMNS} FROM jobs /* all scopes: a lost job is brought back, whosever it is */
WHERE status IN ('queued', 'running', 'retrying') AND id > :after_id
  AND coalesce(finished_at_ms, started_at_ms, queued_at_ms) <= :before_ms
ORDER BY id LIMIT :limit
"""
COUNT_DEAD = "SELECT count(*) FROM jobs /* all scopes: an operator's count */ WHERE status = 'dead'"
DELETE_OLD = "DELETE FROM jobs /* all scopes: all age alike */ WHERE queued_at_ms < :before_ms"


class SqliteLedger:
    """The ledger of jobs."""

    def __init__(self, readers: Readers, writes: WriteThread) -> None:
        self._readers = readers
        self._writes = writes

    async def record(self, records: Sequence[JobRecord]) -> None:
        """Write or replace records by id."""
        rows = [
            {
                **record.model_dump(),
                "options": record.options.model_dump_json(exclude_defaults=True),
                "result": None if record.result is None else json.dumps(record.result),
            }
            for record in records
        ]

        def transaction(connection: apsw.Connection) -> None:
            connection.executemany(WRITE_JOB, rows)

        await asyncio.wrap_future(self._writes.submit(transaction))

    async def job(self, job_id: str) -> JobRecord | None:
        """Return a job by its id."""
        with self._readers.view() as connection:
            found = connection.execute(SELECT_JOB, {"id": job_id}).fetchone()
        return None if found is None else _job(found)

    async def jobs(
        self, tenant_id: str, *, status: JobStatus | None, limit: int, after_id: str | None
    ) -> list[JobRecord]:
        """Return a tenant's jobs and those of no tenant, newest first, those after `after_id`."""
        with self._readers.view() as connection:
            place: Row | None = (None, None)
            if after_id is not None:
                place = connection.execute(SELECT_PLACE, {"id": after_id}).fetchone()
            if place is None:  # pruned meanwhile, and so is all that was older
                return []
            bindings = {
                "tenant_id": tenant_id,
                "status": status,
                "before_ms": place[0],
                "before_id": place[1],
                "limit": limit,
            }
            return [_job(row) for row in connection.execute(SELECT_JOBS, bindings)]

    async def ids_of_scope(self, scope: Scope) -> list[str]:
        """Return the ids of a scope's jobs that have not ended, its erasure left out."""
        named = {"tenant_id": scope.tenant_id, "scope_id": scope.scope_id}
        with self._readers.view() as connection:
            return [job_id for (job_id,) in connection.execute(SELECT_OF_SCOPE, named)]

    async def open_jobs(self, *, before_ms: int, limit: int, after_id: str) -> list[JobRecord]:
        """Return jobs of all tenants that have not ended, last told of by then, by id after `after_id`."""
        bindings = {"before_ms": before_ms, "limit": limit, "after_id": after_id}
        with self._readers.view() as connection:
            return [_job(row) for row in connection.execute(SELECT_OPEN, bindings)]

    async def count_dead(self) -> int:
        """Return the number of dead jobs of all tenants."""
        with self._readers.view() as connection:
            return int(connection.execute(COUNT_DEAD).get)

    async def prune(self, *, before_ms: int) -> int:
        """Remove jobs that were queued before a time; return how many."""

        def transaction(connection: apsw.Connection) -> int:
            connection.execute(DELETE_OLD, {"before_ms": before_ms})
            return connection.changes()

        return await asyncio.wrap_future(self._writes.submit(transaction))


def _job(row: Row) -> JobRecord:
    names = _COLUMNS.replace("\n", " ").split(", ")
    known = dict(zip((name.strip() for name in names), row, strict=True))
    options, result = json.loads(known.pop("options")), known.pop("result")
    return JobRecord(**known, options=options, result=None if result is None else json.loads(result))
