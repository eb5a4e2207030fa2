"""Operating the service: jobs, lag, keys, audit, the test clock."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, Response

from api.auth import AdminDep, CallerDep, ServicesDep, reading, require_permission
from api.idempotency import answer_operator_once
from api.jobs import run_and_wait, session_ids_of
from api.paging import PageDep
from api.schemas import AuditQuery, ClockBody, JobRunBody, KeyBody
from api.views import (
    from_cursor,
    show_audit,
    show_job,
    show_key,
    show_moment,
    show_page,
    show_time,
    to_cursor,
)
from shared.errors import Conflict, Forbidden, InvalidInput, Missing
from shared.ids import new_id
from shared.model.job import LAG_REPORT, JobOptions, JobOrder, JobRecord, JobStatus
from shared.model.memory import AuditEntry, AuditFilter
from shared.model.moment import to_ms
from shared.model.scope import Caller, Permission
from shared.services import Services
from shared.stm.order import order_of, work_of

router = APIRouter(prefix="/v1", tags=["operations"])
_reads_audit = reading(Permission.MEMORY_READ)
Limit = Annotated[int, Query(ge=1, le=200)]
Cursor = Annotated[str | None, Query(max_length=200)]


@router.get("/jobs")
async def list_jobs(
    caller: AdminDep,
    services: ServicesDep,
    *,
    status: JobStatus | None = None,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> dict[str, Any]:
    """List jobs, newest first, as the ledger of 7 days tells them."""
    found = await services.ledger.jobs(
        caller.tenant_id, status=status, limit=limit + 1, after_id=from_cursor(cursor, prefix="job_")
    )
    page = found[:limit]
    following = to_cursor(page[-1].id) if len(found) > limit else None
    names = await session_ids_of(services, page)
    return show_page([show_job(job, names) for job in page], next_cursor=following)


async def _find_job(services: Services, caller: Caller, *, job_id: str) -> JobRecord:
    job = await services.ledger.job(job_id)
    if job is None or job.tenant_id not in {"", caller.tenant_id}:
        raise Missing("There is no such job.")
    return job


@router.get("/jobs/{job_id}")
async def get_job(job_id: str, caller: CallerDep, *, services: ServicesDep) -> dict[str, Any]:
    """Return a job: any for an admin, those of its own user for a key that may chat."""
    job = await _find_job(services, caller, job_id=job_id)
    if Permission.ADMIN not in caller.permissions:
        require_permission(caller, Permission.CHAT)
        scope = None
        if caller.user_id:
            scope = await services.directory.find_scope(caller.tenant_id, "user", outside_id=caller.user_id)
        if scope is None or scope.scope_id != job.scope_id:
            raise Missing("There is no such job.")
    return show_job(job, await session_ids_of(services, [job]))


@router.post("/jobs/run")
async def run_job(
    request: Request, response: Response, *, body: JobRunBody, caller: AdminDep, services: ServicesDep
) -> dict[str, Any]:
    """Run a job for all that is due; waits up to 10 s for its result."""

    async def write() -> dict[str, Any]:
        return await _run_job(services, body, caller=caller)

    return await answer_operator_once(request, caller, response=response, write=write, services=services)


async def _run_job(services: Services, body: JobRunBody, *, caller: Caller) -> dict[str, Any]:
    options = JobOptions(dry_run=body.dry_run)
    if body.job == "snapshot":
        options = JobOptions(snapshot_id=new_id("snap", now_ms=services.clock.now_ms()))
    order = JobOrder(id=new_id("job"), job=body.job, request_id=caller.request_id, options=options)
    job = await run_and_wait(services, order)
    if job is None:
        return {"job_id": order.id}
    return {"job_id": order.id, "status": job.status, "result": job.result, "reason": job.reason}


@router.post("/jobs/{job_id}/retry", status_code=202)
async def retry_job(
    job_id: str, request: Request, *, response: Response, caller: AdminDep, services: ServicesDep
) -> dict[str, Any]:
    """Queue a dead job again."""

    async def write() -> dict[str, Any]:
        return await _retry_job(services, job_id, caller=caller)

    return await answer_operator_once(request, caller, response=response, write=write, services=services)


async def _retry_job(services: Services, job_id: str, *, caller: Caller) -> dict[str, Any]:
    job = await _find_job(services, caller, job_id=job_id)
    if job.status != "dead":
        raise Conflict(f"This job is {job.status}; only a dead job can be queued again.", code="job_not_dead")
    work = work_of(job)
    if work is not None:
        await services.due.mark_due(work)
    await services.order([order_of(job).model_copy(update={"request_id": caller.request_id})])
    return {"job_id": job.id}


@router.get("/lag")
async def get_lag(_caller: AdminDep, services: ServicesDep) -> dict[str, Any]:
    """Return what the last reconcile found, and when it looked.

    `invariant.ok`: it has looked, and no waiting message was `nowhere` (without a mark that brings its job).
    """
    report = await services.due.read_report(LAG_REPORT) or {}
    now_ms = services.clock.now_ms()
    extract = _lag_of(report, stage="extract", now_ms=now_ms)
    return {
        **{stage: _lag_of(report, stage=stage, now_ms=now_ms) for stage in ("archive", "score")},
        "extract": {**extract, "awaiting_model": report.get("extract_awaiting_model", 0)},
        "dead": {"count": report.get("dead", 0)},
        "invariant": {
            "ok": report.get("nowhere") == 0,
            "nowhere": report.get("nowhere", 0),
            "checked_at": show_time(report.get("checked_at_ms")),
        },
    }


def _lag_of(report: dict[str, Any], *, stage: str, now_ms: int) -> dict[str, Any]:
    oldest_ms = report.get(f"{stage}_oldest_ms")
    return {
        "count": report.get(f"{stage}_count", 0),
        "oldest_seconds": max(now_ms - oldest_ms, 0) / 1000 if oldest_ms else 0,
    }


@router.get("/keys")
async def list_keys(caller: AdminDep, services: ServicesDep, *, page: PageDep) -> dict[str, Any]:
    """List the tenant's keys, without their secrets."""
    keys = await services.directory.list_keys(caller.tenant_id)
    return page.show(keys, name_of=lambda key: key.id, show=show_key)


@router.post("/keys", status_code=201)
async def create_key(
    request: Request, response: Response, *, body: KeyBody, caller: AdminDep, services: ServicesDep
) -> dict[str, Any]:
    """Make a key; the secret is in this answer and nowhere else.

    Under an `Idempotency-Key` it stands in the reply that is kept for the same caller, sealed, for 24 hours.
    """
    known = {permission.value for permission in Permission}
    unknown = next((name for name in body.permissions if name not in known), None)
    if unknown is not None:
        raise InvalidInput(f"Permissions are: {', '.join(sorted(known))}.", field="permissions")
    wanted = [Permission(name) for name in body.permissions]

    async def write() -> dict[str, Any]:
        key, secret = await services.directory.create_key(
            caller.tenant_id, label=body.label, permissions=wanted
        )
        return {**show_key(key), "key": secret}

    return await answer_operator_once(request, caller, response=response, write=write, services=services)


@router.delete("/keys/{key_id}", status_code=204)
async def revoke_key(key_id: str, caller: AdminDep, *, services: ServicesDep) -> None:
    """Revoke a key; it answers 401 from now on."""
    if not await services.directory.revoke_key(caller.tenant_id, key_id):
        raise Missing("There is no such key.")


@router.get("/audit")
async def list_audit(
    asked: Annotated[AuditQuery, Query()], caller: CallerDep, *, services: ServicesDep
) -> dict[str, Any]:
    """List what happened to this user's memory, newest first; values masked by sensitivity.

    With `scope=tenant`: what happened to the tenant's own tables and store, for an admin.
    """
    place = from_cursor(asked.cursor)
    if place is not None and not place.isdigit():
        raise InvalidInput("cursor is not one that this API gave; start again without it.", field="cursor")
    wanted = AuditFilter(
        limit=asked.limit + 1,
        before_seq=int(place) if place else None,
        path=asked.path,
        actor=asked.actor,
        since_ms=to_ms(asked.since) if asked.since else None,
    )
    found = await _read_audit(wanted, caller=caller, of_tenant=asked.scope == "tenant", services=services)
    page = found[: asked.limit]
    following = to_cursor(str(page[-1].seq)) if len(found) > asked.limit else None
    return show_page([show_audit(entry) for entry in page], next_cursor=following)


async def _read_audit(
    wanted: AuditFilter, *, caller: Caller, of_tenant: bool, services: Services
) -> list[AuditEntry]:
    if of_tenant:
        require_permission(caller, Permission.ADMIN)
        return await services.directory.tenant_audit(caller.tenant_id, wanted)
    access = await _reads_audit(caller, services)
    if access.scope is None:
        return []
    return await services.ltm.read(access.scope, lambda reader: reader.audit(**wanted.model_dump()))


@router.get("/audit/verify")
async def verify_audit(caller: AdminDep, services: ServicesDep) -> dict[str, Any]:
    """Return whether the tenant's audit chain is whole."""
    ok, entries, detail = await services.directory.verify_audit(caller.tenant_id)
    return {"ok": ok, "entries": entries, "detail": detail}


@router.post("/test/clock")
async def set_clock(
    body: ClockBody, _caller: AdminDep, *, services: ServicesDep, response: Response
) -> dict[str, Any]:
    """Move the service's clock; only with BILAYER_TEST_CLOCK=1, never in production."""
    if not services.settings.test_clock:
        raise Forbidden("The test clock is off; set BILAYER_TEST_CLOCK=1 outside of production.")
    await services.move_clock(to_ms(body.now))
    response.headers["Cache-Control"] = "no-store"
    return {"now": show_moment(services.clock.now())}
