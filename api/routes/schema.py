"""The tenant's schema, and what the heartbeat finds now."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Depends

from api.auth import AdminDep, CallerDep, ReadAccess, ServicesDep, reading
from api.ids import SessionIdQuery
from api.schemas import SchemaBody
from shared.ltm.schema import parse_schema, vanished_paths
from shared.model.scope import Permission
from shared.turn.preview import preview_notices

router = APIRouter(prefix="/v1", tags=["structured state"])
HeartbeatRead = Annotated[ReadAccess, Depends(reading(Permission.CHAT))]


@router.get("/schema")
async def get_schema(caller: CallerDep, services: ServicesDep) -> dict[str, Any]:
    """Return the schema in force."""
    rules = await services.rules_of(caller.tenant_id)
    return rules.schema.model_dump(mode="json")


@router.put("/schema")
async def put_schema(body: SchemaBody, caller: AdminDep, *, services: ServicesDep) -> dict[str, Any]:
    """Put the next version; 409 where another came between, or a path that goes still holds values."""
    rules = await services.rules_of(caller.tenant_id)
    schema = parse_schema({"version": body.version + 1, "paths": body.paths})
    stored = (await services.schemas.versions(caller.tenant_id)).schema
    standing = rules.schema.version
    await services.schemas.put_schema(
        caller.tenant_id,
        schema.model_dump(mode="json"),
        read_version=stored if body.version == standing else -1,
        vanished=vanished_paths(rules.schema, schema),
    )
    return schema.model_dump(mode="json")


@router.get("/heartbeat")
async def get_heartbeat(
    access: HeartbeatRead,
    services: ServicesDep,
    *,
    session_id: SessionIdQuery = None,
) -> dict[str, Any]:
    """Return the notices that a turn would get now; tells nothing as told."""
    if access.scope is None:
        return {"notices": []}
    rules = await services.rules_of(access.caller.tenant_id)
    notices = await preview_notices(
        access.scope,
        session_id,
        rules=rules,
        now=services.clock.now(),
        stm=services.stm,
        ltm=services.ltm,
    )
    return {"notices": [notice.model_dump(mode="json") for notice in notices]}
