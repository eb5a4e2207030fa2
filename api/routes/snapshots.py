"""Snapshots of the whole store: making, listing, checking and restoring them."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter, Request, Response

from api.auth import AdminDep, ServicesDep
from api.idempotency import answer_operator_once
from api.jobs import run_and_wait
from api.paging import PageDep
from api.schemas import RestoreBody, SnapshotBody
from api.views import show_snapshot
from shared.errors import Conflict, Missing, Unavailable
from shared.ids import new_id
from shared.model.job import JobOptions, JobOrder, JobRecord
from shared.model.scope import Caller
from shared.model.snapshot import Snapshot
from shared.services import Services

router = APIRouter(prefix="/v1/snapshots", tags=["operations"])
_STATE_MOVED = {
    "snapshot_damaged": "The snapshot is damaged; choose another.",
    "snapshot_foreign": "The snapshot is of another store, environment or version; nothing was changed.",
    "unreadable": "A stored value does not open with its user's key; nothing was changed. Choose another.",
}


@router.get("")
async def list_snapshots(_caller: AdminDep, services: ServicesDep, *, page: PageDep) -> dict[str, Any]:
    """List the snapshots, newest first."""
    return page.show(await services.snapshots.list(), name_of=lambda each: each.id, show=show_snapshot)


@router.post("", status_code=201)
async def create_snapshot(
    request: Request,
    caller: AdminDep,
    *,
    services: ServicesDep,
    response: Response,
    body: SnapshotBody | None = None,
) -> dict[str, Any]:
    """Make a snapshot of everything, while all goes on; 202 where that takes longer than 10 s."""

    async def write() -> dict[str, Any]:
        return await _create(services, response, caller=caller, tag=body.tag if body else "")

    return await answer_operator_once(request, caller, response=response, write=write, services=services)


async def _create(services: Services, response: Response, *, caller: Caller, tag: str) -> dict[str, Any]:
    snapshot_id = new_id("snap", now_ms=services.clock.now_ms())
    order = JobOrder(
        id=new_id("job"),
        job="snapshot",
        request_id=caller.request_id,
        options=JobOptions(snapshot_id=snapshot_id, tag=tag),
    )
    job = await run_and_wait(services, order)
    if job is None:
        response.status_code = 202
        return {"job_id": order.id, "id": snapshot_id}
    _check_done(job)
    return show_snapshot(await _find(services, snapshot_id))


@router.get("/{snapshot_id}/verify")
async def verify_snapshot(snapshot_id: str, _caller: AdminDep, *, services: ServicesDep) -> dict[str, Any]:
    """Read a snapshot's files again and say whether they are what its manifest says."""
    seen = await services.snapshots.verify(snapshot_id)
    return {"id": snapshot_id, **seen.model_dump()}


@router.post("/{snapshot_id}/restore")
async def restore_snapshot(
    snapshot_id: str,
    request: Request,
    *,
    caller: AdminDep,
    services: ServicesDep,
    response: Response,
    _body: RestoreBody | None = None,
) -> dict[str, Any]:
    """Restore the whole store, after a snapshot of what stands now; 202 where that takes over 10 s."""

    async def write() -> dict[str, Any]:
        return await _restore(services, response, caller=caller, snapshot_id=snapshot_id)

    return await answer_operator_once(request, caller, response=response, write=write, services=services)


async def _restore(
    services: Services, response: Response, *, caller: Caller, snapshot_id: str
) -> dict[str, Any]:
    await _find(services, snapshot_id)
    order = JobOrder(
        id=new_id("job"),
        job="restore",
        request_id=caller.request_id,
        options=JobOptions(snapshot_id=snapshot_id),
    )
    job = await run_and_wait(services, order)
    if job is None:
        response.status_code = 202
        return {"job_id": order.id, "id": snapshot_id}
    _check_done(job)
    return {"job_id": order.id, **(job.result or {})}


async def _find(services: Services, snapshot_id: str) -> Snapshot:
    for each in await services.snapshots.list():
        if each.id == snapshot_id:
            return each
    raise Missing("There is no such snapshot.")


def _check_done(job: JobRecord) -> None:
    """Raise what a dead job tells."""
    if job.status != "dead":
        return
    reason = job.reason or "unknown"
    if reason in _STATE_MOVED:
        raise Conflict(_STATE_MOVED[reason], code=reason)
    raise Unavailable(f"The job {job.id} failed ({reason}); nothing was changed.")
