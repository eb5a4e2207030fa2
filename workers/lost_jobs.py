"""Jobs that the ledger calls waiting or running although they do neither: each is brought to an end.

A due mark brings lost work back, but it knows only the last job that was ordered for its work, and goes
before the ledger hears of the end; work without a scope has none. So a killed worker leaves records that no
mark speaks for. Their jobs run again: all but a restore may run twice, and find nothing left to do.
"""

from __future__ import annotations

from shared.model.job import JobRecord
from shared.services import Services
from shared.stm.order import order_of, work_of

MAX_ATTEMPTS = 5
_BACK_OFF_SECONDS = 5.0
_MAX_BACK_OFF_SECONDS = 600.0
_LOST_MS = 60_000
_PAGE = 500
_REASON = "worker_lost"


def back_off_seconds(attempts: int) -> float:
    """Return how long a job waits that has failed after so many attempts."""
    return min(_BACK_OFF_SECONDS * 2.0**attempts, _MAX_BACK_OFF_SECONDS)


def is_overdue(record: JobRecord, *, now_ms: int) -> bool:
    """Return whether a job that has not ended, and is not in the queue, has been silent for too long."""
    waits_ms = int(back_off_seconds(record.attempts) * 1000) if record.status == "retrying" else 0
    last_ms = record.finished_at_ms or record.started_at_ms or record.queued_at_ms
    return now_ms >= last_ms + waits_ms + _LOST_MS


async def end_lost_jobs(services: Services) -> int:
    """Order jobs again that are in no queue and run nowhere, under their own ids; returns how many were lost.

    A restore that had begun is dead instead: run twice it would undo what was written in between. So is a
    job that takes its worker along each time; its mark goes, so that nothing orders it again by itself.
    """
    lost, now_ms = 0, services.clock.now_ms()
    after_id = ""
    while page := await services.ledger.open_jobs(
        before_ms=now_ms - _LOST_MS, limit=_PAGE, after_id=after_id
    ):
        after_id = page[-1].id
        found = await _lost_of(services, [each for each in page if is_overdue(each, now_ms=now_ms)])
        change = {"status": "dead", "reason": _REASON, "finished_at_ms": now_ms}
        dead = [record.model_copy(update=change) for record in found if _is_hopeless(record)]
        for record in dead:
            if (work := work_of(record)) is not None:
                await services.due.bury_due(work, job_id=record.id)
        await services.ledger.record(dead)
        await services.order([order_of(record) for record in found if not _is_hopeless(record)])
        lost += len(found)
    return lost


async def _lost_of(services: Services, overdue: list[JobRecord]) -> list[JobRecord]:
    """Return those that the queue does not know, and that have not ended while it was asked."""
    alive = await services.queue.alive([record.id for record in overdue])
    return [
        record
        for record in overdue
        if record.id not in alive and await services.ledger.job(record.id) == record
    ]


def _is_hopeless(record: JobRecord) -> bool:
    if record.job == "restore":
        return record.attempts >= 1
    return record.status == "running" and record.attempts >= MAX_ATTEMPTS
