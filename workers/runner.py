"""Running one job: services opened after the fork, the ledger told, failures sorted by one table.

What happens to a failed job:

    Missing                     its target is gone: finished, with the reason
    Unavailable, Conflict       later: retried with back-off, at most 5 times in a row
    Rejected, anything else     retried likewise; the 5th failure dead-letters it

The queue learns a bare code and no traceback: a traceback may hold what users wrote.
"""

from __future__ import annotations

import asyncio
import time
from typing import Any

import structlog

from shared.errors import BilayerError, Missing
from shared.log import configure_logs, get_logger
from shared.model.job import JobOrder, JobRecord
from shared.services import Services, open_services
from shared.settings import load_settings
from shared.stm.order import record_of, work_of
from workers.jobs import JOBS
from workers.lost_jobs import MAX_ATTEMPTS, back_off_seconds


class JobFailed(Exception):
    """All that the queue is told of a failure: its code."""


def run_job(**payload: Any) -> None:
    """Run the job that the payload orders. Raises `JobFailed` with a bare code."""
    order = JobOrder(**payload)
    code = asyncio.run(_run(order))
    if code is not None:
        raise JobFailed(code) from None


async def _run(order: JobOrder) -> str | None:
    settings = load_settings()
    configure_logs(settings.log_level)
    structlog.contextvars.bind_contextvars(job=order.job, job_id=order.id, request_id=order.request_id)
    services = await open_services(settings)
    try:
        await services.refresh_clock()
        return await run_order(services, order)
    finally:
        await services.close()


async def run_order(services: Services, order: JobOrder) -> str | None:
    """Run an order and keep the ledger; returns the code of a failure, None when it went well."""
    known = await services.ledger.job(order.id) or record_of(order, now_ms=services.clock.now_ms())
    record = known.model_copy(
        update={
            "status": "running",
            "attempts": known.attempts + 1,
            "started_at_ms": services.clock.now_ms(),
            "finished_at_ms": None,
        }
    )
    await services.ledger.record([record])
    started = time.perf_counter()
    try:
        result = await JOBS[order.job](services, order)
    except Missing as error:
        await _close(services, record, status="finished", reason=error.code)
        code = None
    except Exception as error:  # noqa: BLE001 - the edge: whatever failed is told by its code only
        code = error.code if isinstance(error, BilayerError) else type(error).__name__
        await _fail(services, record, order=order, code=code)
    else:
        await _close(services, record, status="finished", result=result)
        code = None
    outcome = "finished" if code is None else "failed"
    await services.due.add_counts(
        {f"jobs_total:{order.job}:{outcome}": 1.0, f"job_seconds:{order.job}": time.perf_counter() - started}
    )
    return code


async def _fail(services: Services, record: JobRecord, *, order: JobOrder, code: str) -> None:
    work = work_of(order)
    if work is None:
        await _close(services, record, status="dead", reason=code)
        return
    failures = await services.due.postpone_due(work, delay_seconds=back_off_seconds(record.attempts))
    if failures >= MAX_ATTEMPTS:
        await services.due.bury_due(work)
        await _close(services, record, status="dead", reason=code)
    else:
        await _close(services, record, status="retrying", reason=code)
    get_logger().warning("job_failed", code=code, failures=failures)


async def _close(
    services: Services,
    record: JobRecord,
    *,
    status: str,
    reason: str | None = None,
    result: dict[str, Any] | None = None,
) -> None:
    change = {"status": status, "reason": reason, "result": result, "finished_at_ms": services.clock.now_ms()}
    await services.ledger.record([record.model_copy(update=change)])
