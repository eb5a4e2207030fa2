"""Running a job while the caller waits, for a while."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence

from shared.errors import BilayerError
from shared.model.job import JobOrder, JobRecord
from shared.model.scope import Scope
from shared.services import Services

_RESULT_SECONDS = 10.0
_POLL_SECONDS = 0.05
_DONE = frozenset({"finished", "dead"})


async def session_ids_of(services: Services, jobs: Sequence[JobRecord]) -> dict[str, str]:
    """Return the session ids of jobs, by job id, where the session still lives and can be asked for.

    Jobs bear only the key of their session: an id is what a caller wrote, and is in no payload.
    """
    found: dict[tuple[str, str], str] = {}
    for job in jobs:
        place = (job.scope_id, job.session_key)
        if all(place) and place not in found:
            found[place] = await _session_id(services, job)
    ids = {job.id: found.get((job.scope_id, job.session_key), "") for job in jobs}
    return {job_id: session_id for job_id, session_id in ids.items() if session_id}


async def _session_id(services: Services, job: JobRecord) -> str:
    scope = Scope(tenant_id=job.tenant_id, scope_id=job.scope_id)
    with contextlib.suppress(BilayerError):  # the ledger answers with short-term memory away, too
        session, _ = await services.stm.read_open(scope, job.session_key, limit=1)
        return session.id if session is not None else ""
    return ""


async def run_and_wait(services: Services, order: JobOrder) -> JobRecord | None:
    """Queue a job and return its record once it has ended; None where that takes more than 10 s."""
    await services.order([order])
    for _ in range(int(_RESULT_SECONDS / _POLL_SECONDS)):
        job = await services.ledger.job(order.id)
        if job is not None and job.status in _DONE:
            return job
        await asyncio.sleep(_POLL_SECONDS)
    return None
