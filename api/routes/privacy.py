"""A user's own rights over what is kept: erasing all of it, with a receipt."""

from __future__ import annotations

from typing import Any

from fastapi import APIRouter

from api.auth import CallerDep, ServicesDep, check_user_id, require_permission
from api.views import show_erasure
from shared.errors import InvalidInput, Missing
from shared.ids import new_id
from shared.model.job import DueWork, JobOrder
from shared.model.scope import Permission
from shared.privacy.erase import begin_erasure

router = APIRouter(prefix="/v1", tags=["privacy"])


@router.delete("/users/{user_id:path}", status_code=202)
async def erase_user(user_id: str, caller: CallerDep, *, services: ServicesDep) -> dict[str, Any]:
    """Erase a user: from this answer on nothing of them is found; the receipt follows."""
    require_permission(caller, Permission.ERASE)
    if not user_id.strip():
        raise InvalidInput("Name the user to erase; a blank id is nobody.", field="user_id")
    wanted = check_user_id(user_id, field="user_id")
    scope = await services.directory.find_scope(caller.tenant_id, "user", outside_id=wanted)
    if scope is None:
        running = await services.erasures.of_user(caller.tenant_id, wanted)
        if running is None:
            raise Missing("There is no such user.")
        # The first request may have got no further than its note.
        await services.stm.end_scope(running.scope)
        await services.due.ensure_due(
            DueWork(tenant_id=running.tenant_id, scope_id=running.scope_id, job="erase")
        )
        return {"erasure_id": running.id}
    erasure = await begin_erasure(
        scope,
        actor=caller.key_id,
        request_id=caller.request_id,
        erasures=services.erasures,
        stm=services.stm,
    )
    order = JobOrder(
        id=new_id("job"),
        job="erase",
        tenant_id=erasure.tenant_id,
        scope_id=erasure.scope_id,
        request_id=caller.request_id,
    )
    await services.order([order])
    return {"erasure_id": erasure.id}


@router.get("/erasures/{erasure_id}")
async def get_erasure(erasure_id: str, caller: CallerDep, *, services: ServicesDep) -> dict[str, Any]:
    """Return how far an erasure is; its receipt once it is done."""
    require_permission(caller, Permission.ERASE)
    erasure = await services.erasures.find(caller.tenant_id, erasure_id)
    if erasure is None:
        raise Missing("There is no such erasure.")
    return show_erasure(erasure)
