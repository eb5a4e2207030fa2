"""Running a job while the caller waits, for a while."""

from __future__ import annotations

import asyncio

from shared.model.job import JobOrder, JobRecord
from shared.services import Services

_RESULT_SECONDS = 10.0
_POLL_SECONDS = 0.05
_DONE = frozenset({"finished", "dead"})


async def run_and_wait(services: Services, order: JobOrder) -> JobRecord | None:
    """Queue a job and return its record once it has ended; None where that takes more than 10 s."""
    await services.order([order])
    for _ in range(int(_RESULT_SECONDS / _POLL_SECONDS)):
        job = await services.ledger.job(order.id)
        if job is not None and job.status in _DONE:
            return job
        await asyncio.sleep(_POLL_SECONDS)
    return None
