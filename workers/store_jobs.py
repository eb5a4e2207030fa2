"""Jobs over whole stores: erasing a user everywhere, snapshots, and the way back."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from shared.errors import BilayerError, Missing
from shared.ids import new_id
from shared.ltm.snapshot import make_snapshot, restore_snapshot
from shared.model.erasure import Erasure
from shared.model.job import JobOrder
from shared.model.snapshot import DAILY
from shared.privacy.erase import erase_scope
from shared.services import Services

# The day of a daily snapshot begins when it is made.
_DAILY_HOUR = timedelta(hours=3)


async def run_erase(services: Services, order: JobOrder) -> dict[str, Any]:
    """Erase one scope, or every scope whose erasure is not done."""
    if not order.scope_id:
        return await _erase_all(services)
    erasure = await services.erasures.of_scope(order.tenant_id, order.scope_id)
    if erasure is None:
        raise Missing("There is no such erasure.")
    return await _erase(services, erasure)


async def _erase_all(services: Services) -> dict[str, Any]:
    """Erase all that waits; one that fails keeps no other waiting, and is told at the end."""
    unfinished, failures = await services.erasures.unfinished(), list[BilayerError]()
    for waiting in unfinished:
        try:
            await _erase(services, waiting)
        except BilayerError as error:
            failures.append(error)
    if failures:
        raise failures[0]
    return {"ran": len(unfinished)}


async def _erase(services: Services, erasure: Erasure) -> dict[str, Any]:
    if erasure.state != "done":
        erasure = await erase_scope(
            erasure,
            erasures=services.erasures,
            stm=services.stm,
            ledger=services.ledger,
            queue=services.queue,
            snapshots=services.snapshots,
        )
        await services.due.add_counts({"erasures_total": 1.0})
    await services.due.drop_scope(erasure.tenant_id, erasure.scope_id)
    return {"erasure_id": erasure.id, **erasure.stores.model_dump()}


async def run_snapshot(services: Services, order: JobOrder) -> dict[str, Any]:
    """Make the snapshot that was asked for; the day's own where none was named."""
    wanted = order.options
    if not wanted.snapshot_id:
        day = services.clock.now() - _DAILY_HOUR
        wanted = wanted.model_copy(update={"snapshot_id": f"snap_{day:%Y%m%d}_{DAILY}", "tag": DAILY})
    made = await make_snapshot(
        wanted.snapshot_id,
        tag=wanted.tag,
        now_ms=services.clock.now_ms(),
        snapshots=services.snapshots,
    )
    return {"id": made.id, "rows": made.rows, "bytes": made.bytes}


async def run_restore(services: Services, order: JobOrder) -> dict[str, Any]:
    """Restore a snapshot, after one of what stands now."""
    safety_id = new_id("snap", now_ms=services.clock.now_ms())
    report = await restore_snapshot(
        order.options.snapshot_id, safety_id=safety_id, snapshots=services.snapshots
    )
    return report.model_dump()
