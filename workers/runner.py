"""Running one job: services opened after the fork, the ledger told, failures sorted by one table.

What happens to a failed job:

    its target is gone          finished, with the reason
    of a scope                  retried with back-off; the 5th failure in a row dead-letters it
    of none (a snapshot)        dead: who asked for it is told, a periodic one has its next slot

A job that runs into its time limit has failed likewise. The queue learns a bare code and no traceback: a
traceback may hold what users wrote.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from typing import Any

import structlog
from rq.timeouts import JobTimeoutException

from shared.engines.rq_queue import time_limit_seconds
from shared.errors import BilayerError, Missing, Unavailable
from shared.log import configure_logs, get_logger
from shared.model.job import JobOrder, JobRecord
from shared.ports.llm import LlmUse
from shared.services import Services, open_services
from shared.settings import load_settings
from shared.stm.order import record_of, work_of
from workers.jobs import JOBS
from workers.lost_jobs import MAX_ATTEMPTS, back_off_seconds
from workers.model_health import counts_of, note_health, rest_of

_TIME_LIMIT = "time_limit"
# What is left of the queue's limit to open the services before a job, and to close them after it.
_WIND_UP_SECONDS = 15


class JobFailed(Exception):
    """All that the queue is told of a failure: its code."""


def run_job(**payload: Any) -> None:
    """Run the job that the payload orders. Raises `JobFailed` with a bare code."""
    try:
        code = asyncio.run(_run(JobOrder(**payload)))
    except Exception as error:  # noqa: BLE001 - the edge: no services, or the queue's alarm
        code = _code_of(error)
    if code is not None:
        raise JobFailed(code)


async def _run(order: JobOrder) -> str | None:
    settings = load_settings()
    configure_logs(settings.log_level)
    structlog.contextvars.bind_contextvars(job=order.job, job_id=order.id, request_id=order.request_id)
    uses: list[LlmUse] = []
    services = await open_services(settings, observe_llm=uses.append)
    try:
        await services.refresh_clock()
        return await run_order(services, order, uses=uses)
    finally:
        await services.close()


async def run_order(services: Services, order: JobOrder, *, uses: Sequence[LlmUse] = ()) -> str | None:
    """Run an order and keep the ledger; returns the code of a failure, None when it went well.

    `uses` grows by each request to the model while the job runs.
    """
    known = await services.ledger.job(order.id) or record_of(order, now_ms=services.clock.now_ms())
    if rest_seconds := await rest_of(services, order):
        await _put_off(services, known, order=order, seconds=rest_seconds)
        return None
    record = known.model_copy(
        update={
            "status": "running",
            "attempts": known.attempts + 1,
            "started_at_ms": services.clock.now_ms(),
            "finished_at_ms": None,
        }
    )
    await services.ledger.record([record])
    started, code = time.perf_counter(), None
    try:
        result = await _do(services, order)
    except Exception as error:  # noqa: BLE001 - the edge: whatever failed is told by its code only
        reason = _code_of(error)
        if _is_gone(error, order):
            await _close(services, record, status="finished", reason=reason)
        else:
            code = reason
            await _fail(services, record, order=order, code=reason)
    except asyncio.CancelledError:  # by the queue's own alarm, where the job has let no other task run
        await _fail(services, record, order=order, code=_TIME_LIMIT)
        raise
    else:
        await _close(services, record, status="finished", result=result)
    outcome = "finished" if code is None else "failed"
    seconds = time.perf_counter() - started
    counts = {f"jobs_total:{order.job}:{outcome}": 1.0, f"job_seconds:{order.job}": seconds}
    await services.due.add_counts({**counts, **counts_of(uses)})
    await note_health(services, uses)
    return code


async def _put_off(services: Services, known: JobRecord, *, order: JobOrder, seconds: float) -> None:
    """Leave a job for later that has not failed: it would only wait for a model that does not answer."""
    await services.due.note_orders([order], lease_seconds=seconds)
    await _close(services, known, status="retrying", reason="llm_unavailable")


def _code_of(error: Exception) -> str:
    if isinstance(error, JobTimeoutException):
        return _TIME_LIMIT
    return error.code if isinstance(error, BilayerError) else type(error).__name__


def _is_gone(error: Exception, order: JobOrder) -> bool:
    """Whether the scope, or what the job was to do with it, is gone; what does not open is still there."""
    return isinstance(error, Missing) and bool(order.scope_id) and error.code != "unreadable"


async def _do(services: Services, order: JobOrder) -> dict[str, Any]:
    """Do the job within its time. Raises `Unavailable` (`time_limit`) before the queue would end it."""
    seconds = time_limit_seconds(order) - _WIND_UP_SECONDS
    try:
        async with asyncio.timeout(seconds) as timer:
            return await JOBS[order.job](services, order)
    except TimeoutError:
        if not timer.expired():
            raise
        raise Unavailable(f"The job was not done in {seconds} s.", code=_TIME_LIMIT) from None


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
