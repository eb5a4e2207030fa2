"""Structured state: the user's fields at whitelisted paths, with their history."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query
from pydantic import AwareDatetime

from api.auth import Access, ReadAccess, ServicesDep, reading, require_permission, writing
from api.schemas import FieldBody
from api.views import show_field, show_page
from shared.errors import InvalidInput, Missing
from shared.ltm.edit import Why, set_field
from shared.ltm.field_values import normalise_value
from shared.model.moment import to_ms
from shared.model.scope import Permission

router = APIRouter(prefix="/v1/fields", tags=["structured state"])
FieldRead = Annotated[ReadAccess, Depends(reading(Permission.MEMORY_READ))]
FieldWrite = Annotated[Access, Depends(writing(Permission.MEMORY_WRITE))]


@router.get("")
async def list_fields(
    access: FieldRead, services: ServicesDep, *, as_of: Annotated[AwareDatetime | None, Query()] = None
) -> dict[str, Any]:
    """List the current fields, or those that were valid at a time."""
    if access.scope is None:
        return show_page([], next_cursor=None)
    as_of_ms = _bounded_ms(as_of)
    fields = await services.ltm.read(access.scope, lambda reader: reader.fields(as_of_ms=as_of_ms))
    return show_page([show_field(field) for field in fields], next_cursor=None)


def _bounded_ms(moment: datetime | None) -> int | None:
    return None if moment is None else to_ms(moment)


@router.get("/{path}")
async def get_field(path: str, access: FieldRead, *, services: ServicesDep) -> dict[str, Any]:
    """Return a field's current version."""
    known = services.schema.find(path)
    scope = access.known_scope()
    field = await services.ltm.read(scope, lambda reader: reader.field(known.path))
    if field is None:
        raise Missing(f"{known.path} has no value.")
    return show_field(field)


@router.put("/{path}")
async def put_field(
    path: str, body: FieldBody, *, access: FieldWrite, services: ServicesDep
) -> dict[str, Any]:
    """Set a field; `if_version` guards against a change that came between."""
    require_permission(access.caller, Permission.PENDING_RESOLVE)
    known = services.schema.find(path)
    if body.value is None:
        raise InvalidInput("value may not be null.", field="value")
    now = services.clock.now()
    value = normalise_value(known, body.value, today=now.date())
    is_system = Permission.FIELDS_AUTHORITATIVE in access.caller.permissions
    why = Why(
        actor=access.caller.key_id,
        request_id=access.caller.request_id,
        origin="system" if is_system else "api",
        at=now,
    )
    field = await set_field(
        access.scope,
        known.path,
        value=value,
        if_version=body.if_version,
        why=why,
        mask=services.turn_rules.mask,
        ltm=services.ltm,
    )
    return show_field(field)


@router.get("/{path}/history")
async def list_history(path: str, access: FieldRead, *, services: ServicesDep) -> dict[str, Any]:
    """List all versions of a field, oldest first."""
    known = services.schema.find(path)
    if access.scope is None:
        return show_page([], next_cursor=None)
    versions = await services.ltm.read(access.scope, lambda reader: reader.field_history(known.path))
    return show_page([show_field(version) for version in versions], next_cursor=None)
