"""What runs when: due work every half second, periodic jobs once in their time slot.

Any number of schedulers may run; one at a time holds the lock and acts. A periodic job carries its slot
in its id, so that a change of holder in the middle of a slot cannot run it twice.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

from shared.errors import BilayerError
from shared.ids import new_id
from shared.log import get_logger
from shared.model.job import BIRTH_REPORT, SCHEDULER_REPORT, DueWork, JobName, JobOrder, JobRecord
from shared.services import Services

TICK_SECONDS = 0.5
_LOCK = "scheduler"
_LOCK_SECONDS = 5.0
_LEASE_SECONDS = 20.0
_BATCH = 500
_AGAIN_MS = 300_000


@dataclass(frozen=True, slots=True)
class Periodic:
    """A job that runs once in each slot of the service's clock: so long, begun so long after midnight UTC.

    One that `waits` leaves out the slot in which the store was born.
    """

    job: JobName
    every_seconds: int
    at_seconds: int = 0
    waits: bool = True


PERIODIC: tuple[Periodic, ...] = (
    Periodic("reconcile", 60, waits=False),
    Periodic("score", 300),
    Periodic("embed", 60),
    Periodic("reindex", 300),
    Periodic("sweep", 3_600),
    Periodic("snapshot", 86_400, at_seconds=3 * 3_600),
)


def slot_of(periodic: Periodic, now_ms: int) -> int:
    """Return the number of the slot that holds this moment."""
    return (now_ms // 1000 - periodic.at_seconds) // periodic.every_seconds


def slot_order(periodic: Periodic, now_ms: int) -> JobOrder:
    """Return the order of the slot that holds this moment."""
    return JobOrder(id=f"job_{periodic.job}_{slot_of(periodic, now_ms)}", job=periodic.job)


def is_owed(known: JobRecord, *, now_ms: int) -> bool:
    """Return whether a slot's job failed, or fell silent, so long ago that it is worth another try."""
    last_ms = known.finished_at_ms or known.started_at_ms or known.queued_at_ms
    return known.status != "finished" and now_ms >= last_ms + _AGAIN_MS


def due_orders(taken: Sequence[tuple[DueWork, str | None]], alive: set[str]) -> list[JobOrder]:
    """Return orders for what is due, but for work whose last job still waits or runs.

    A job that failed, or died, is ordered again under its own id: its record goes on.
    """
    return [
        JobOrder(
            id=last_job_id or new_id("job"),
            job=work.job,
            tenant_id=work.tenant_id,
            scope_id=work.scope_id,
            session_key=work.session_key,
        )
        for work, last_job_id in taken
        if last_job_id not in alive
    ]


async def dispatch_due(services: Services) -> int:
    """Move what is due into the queue; returns how many jobs."""
    taken = await services.due.take_due(limit=_BATCH, lease_seconds=_LEASE_SECONDS)
    if not taken:
        return 0
    last_ids = [job_id for _, job_id in taken if job_id is not None]
    alive = await services.queue.alive(last_ids) if last_ids else set()
    orders = due_orders(taken, alive)
    if orders:
        await services.order(orders)
    return len(orders)


async def order_periodic(services: Services) -> None:
    """Queue the periodic jobs of slots that nobody has queued yet, or whose job came to nothing.

    In the slot in which a store is born there is nothing yet to sweep, weigh or copy.
    """
    now_ms = services.clock.now_ms()
    born = await services.due.read_report(BIRTH_REPORT)
    if born is None:
        born = {"at_ms": now_ms}
        await services.due.write_report(BIRTH_REPORT, born)
    for periodic in PERIODIC:
        if periodic.job == "embed" and not services.embedder.model:
            continue
        if periodic.waits and slot_of(periodic, born["at_ms"]) == slot_of(periodic, now_ms):
            continue
        order = slot_order(periodic, now_ms)
        known = await services.ledger.job(order.id)
        if known is not None and not is_owed(known, now_ms=now_ms):
            continue
        if known is None or order.id not in await services.queue.alive([order.id]):
            await services.order([order])


async def run_scheduler(services: Services, stop: asyncio.Event) -> None:
    """Tick until `stop` is set; a store that does not answer is tried again at the next tick."""
    owner = new_id("sch")
    while not stop.is_set():
        try:
            await tick(services, owner)
        except BilayerError as error:
            get_logger().warning("tick_failed", code=error.code)
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(stop.wait(), TICK_SECONDS)


async def tick(services: Services, owner: str) -> bool:
    """Do what is due, if this scheduler holds the lock; returns whether it does."""
    await services.refresh_clock()
    if not await services.due.hold(_LOCK, owner, seconds=_LOCK_SECONDS):
        return False
    while await dispatch_due(services) == _BATCH:
        pass
    await order_periodic(services)
    await services.due.write_report(SCHEDULER_REPORT, {"at_ms": services.clock.now_ms()})
    return True
