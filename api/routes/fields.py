"""Structured state: the user's fields at whitelisted paths, with their history."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response
from starlette.convertors import PathConvertor, register_url_convertor

from api.auth import Access, ReadAccess, ServicesDep, reading, require_permission, writing
from api.idempotency import answer_once, claim_of
from api.metrics import count_pending
from api.paging import PageDep
from api.schemas import FieldBody, ItemBody
from api.texts import Moment
from api.views import show_field, show_page, show_pending
from shared.errors import Conflict, InvalidInput, Missing
from shared.ltm.authority import check_authority
from shared.ltm.deleted_sources import name_deleted
from shared.ltm.edit import MaskField, Why
from shared.ltm.field_edit import change_items, delete_field
from shared.ltm.field_undo import undo_field
from shared.ltm.field_values import in_zone, normalise_value
from shared.ltm.schema import SchemaPath
from shared.ltm.set_field import FieldChange, change_field
from shared.ltm.tombstones import normal_value
from shared.model.memory import FieldVersion, Origin
from shared.model.moment import to_ms
from shared.model.scope import Caller, Permission, Scope
from shared.ports.ltm import LtmWriter
from shared.services import Services


class _AnyText(PathConvertor):
    """A part of an address that may hold anything: slashes as `path` does, and line breaks too."""

    regex = r"[\s\S]*"


register_url_convertor("any_text", _AnyText())
_KEY_LIVES_MS = 86_400_000
router = APIRouter(prefix="/v1/fields", tags=["structured state"])
FieldRead = Annotated[ReadAccess, Depends(reading(Permission.MEMORY_READ))]
FieldWrite = Annotated[Access, Depends(writing(Permission.MEMORY_WRITE))]
FieldChanger = Annotated[ReadAccess, Depends(reading(Permission.MEMORY_WRITE))]


@router.get("")
async def list_fields(
    access: FieldRead,
    services: ServicesDep,
    *,
    page: PageDep,
    as_of: Annotated[Moment | None, Query()] = None,
) -> dict[str, Any]:
    """List the current fields, or those that were valid at a time."""
    if access.scope is None:
        return show_page([], next_cursor=None)
    as_of_ms = _bounded_ms(as_of)
    fields = await services.ltm.read(
        access.scope, lambda reader: name_deleted(reader, reader.fields(as_of_ms=as_of_ms))
    )
    return page.show(fields, name_of=lambda field: field.path, show=show_field)


def _bounded_ms(moment: datetime | None) -> int | None:
    return None if moment is None else to_ms(moment)


@router.get("/{path}")
async def get_field(path: str, access: FieldRead, *, services: ServicesDep) -> dict[str, Any]:
    """Return a field's current version."""
    known, _ = await _find_path(services, access.caller, path=path)
    scope = access.known_scope()
    field = await services.ltm.read(scope, lambda reader: reader.field(known.path))
    if field is None:
        raise Missing(f"{known.path} has no value.")
    (shown,) = await services.ltm.read(scope, lambda reader: name_deleted(reader, [field]))
    return show_field(shown)


async def _find_path(services: Services, caller: Caller, *, path: str) -> tuple[SchemaPath, MaskField]:
    """Return a path of the tenant's schema, and what masks its values in the audit."""
    rules = await services.rules_of(caller.tenant_id)
    return rules.schema.find(path), rules.mask


@router.put("/{path}")
async def put_field(
    path: str, body: FieldBody, *, access: FieldWrite, services: ServicesDep, response: Response
) -> dict[str, Any]:
    """Set a field; `if_version` guards against a change that came between. One that loses answers 202."""
    known, mask = await _find_path(services, access.caller, path=path)
    if body.value is None:
        raise InvalidInput("value may not be null.", field="value")
    if body.origin == "user":
        require_permission(access.caller, Permission.PENDING_RESOLVE)
    value = normalise_value(known, _masked(services, body.value), today=services.clock.now().date())
    value = in_zone(value, known, zone=UTC)
    change = FieldChange(
        path=known.path,
        value=value,
        if_version=body.if_version,
        must_wait=_must_wait(access.caller),
        may_return=Permission.PENDING_RESOLVE in access.caller.permissions,
        keep_days=services.turn_rules.pending_days,
    )
    why = _why(services, access.caller, origin=body.origin, action=body.metadata.action)
    done = await change_field(access.scope, change, why=why, mask=mask, ltm=services.ltm)
    return _show_change(done, response=response)


def _show_change(done: Any, *, response: Response) -> dict[str, Any]:
    if isinstance(done, FieldVersion):
        return show_field(done)
    response.status_code = 202
    count_pending("created")
    return show_pending(done)


def _masked(services: Services, value: Any) -> Any:
    return services.turn_rules.mask_text(value) if isinstance(value, str) else value


def _must_wait(caller: Caller) -> bool:
    """True for an agent's key: what it writes is a proposal."""
    allowed = {Permission.PENDING_RESOLVE, Permission.FIELDS_AUTHORITATIVE}
    return allowed.isdisjoint(caller.permissions)


def _why(
    services: Services, caller: Caller, *, origin: Origin | None = None, action: str | None = None
) -> Why:
    return Why(
        actor=caller.key_id,
        request_id=caller.request_id,
        origin=origin or ("system" if Permission.FIELDS_AUTHORITATIVE in caller.permissions else "api"),
        at=services.clock.now(),
        action=action,
    )


def _origin_of(caller: Caller) -> Origin:
    """Return in whose name a key takes something back: a business system in its own, others in the user's."""
    return "system" if Permission.FIELDS_AUTHORITATIVE in caller.permissions else "user"


@router.delete("/{path}", status_code=204)
async def remove_field(path: str, access: FieldChanger, *, services: ServicesDep) -> None:
    """Forget a field: its history stays, its value does not come back by itself."""
    require_permission(access.caller, Permission.PENDING_RESOLVE)
    known, mask = await _find_path(services, access.caller, path=path)
    why = _why(services, access.caller, origin=_origin_of(access.caller))
    await delete_field(access.known_scope(), known, why=why, mask=mask, ltm=services.ltm, stm=services.stm)


@router.get("/{path}/history")
async def list_history(
    path: str, access: FieldRead, *, page: PageDep, services: ServicesDep
) -> dict[str, Any]:
    """List all versions of a field, oldest first."""
    known, _ = await _find_path(services, access.caller, path=path)
    if access.scope is None:
        return show_page([], next_cursor=None)
    versions = await services.ltm.read(
        access.scope, lambda reader: name_deleted(reader, reader.field_history(known.path))
    )
    return page.show(versions, name_of=lambda version: str(version.version), show=show_field)


@router.post("/{path}/undo")
async def undo(
    path: str, request: Request, *, response: Response, access: FieldWrite, services: ServicesDep
) -> dict[str, Any]:
    """Bring back what stood before the last change that is not undone yet, as a new version."""
    require_permission(access.caller, Permission.PENDING_RESOLVE)
    known, mask = await _find_path(services, access.caller, path=path)
    why = _why(services, access.caller, origin=_origin_of(access.caller))

    claim = await claim_of(request)

    def work(writer: LtmWriter) -> FieldVersion:
        # Kept with the undo itself: a front that dies before it has kept its answer undoes no second change.
        key = "" if claim is None else f"{claim.key} {claim.body_hash}"
        done = writer.applied(key) if key else None
        if done is not None and to_ms(why.at) - done["at_ms"] < _KEY_LIVES_MS:
            return _version_of(writer.field_history(known.path), done["version"])
        undo_field(writer, known.path, why=why, mask=mask)
        undone = writer.field_history(known.path)[-1]
        if key:
            writer.mark_applied(key, {"version": undone.version, "at_ms": to_ms(why.at)})
        return undone

    async def write() -> dict[str, Any]:
        return show_field(await services.ltm.write(access.scope, work))

    return await answer_once(request, access, response=response, write=write, stm=services.stm)


@router.post("/{path}/items", status_code=201)
async def post_item(
    path: str,
    request: Request,
    *,
    response: Response,
    body: ItemBody,
    access: FieldWrite,
    services: ServicesDep,
) -> dict[str, Any]:
    """Append an item to a list; one that stands there already changes nothing (200)."""
    known, mask = await _find_list(services, access.caller, path=path)
    if body.origin == "user":
        require_permission(access.caller, Permission.PENDING_RESOLVE)
    change = FieldChange(
        path=known.path,
        value=normalise_value(known, [_masked(services, body.value)], today=services.clock.now().date())[0],
        is_item=True,
        must_wait=_must_wait(access.caller),
        may_return=Permission.PENDING_RESOLVE in access.caller.permissions,
        keep_days=services.turn_rules.pending_days,
    )
    why = _why(services, access.caller, origin=body.origin, action=body.metadata.action)

    async def write() -> dict[str, Any]:
        before = await services.ltm.read(access.scope, lambda reader: reader.field(known.path))
        done = await change_field(access.scope, change, why=why, mask=mask, ltm=services.ltm)
        if isinstance(done, FieldVersion) and before is not None and done.version == before.version:
            response.status_code = 200
        return _show_change(done, response=response)

    return await answer_once(request, access, response=response, write=write, stm=services.stm)


def _version_of(history: Sequence[FieldVersion], version: int) -> FieldVersion:
    for each in history:
        if each.version == version:
            return each
    detail = "What was answered to this key was forgotten since; send a new request under a new key."
    raise Conflict(detail, code="reply_forgotten")


async def _find_list(services: Services, caller: Caller, *, path: str) -> tuple[SchemaPath, MaskField]:
    known, mask = await _find_path(services, caller, path=path)
    if not known.is_list:
        raise InvalidInput(f"{known.path} holds one value, not a list; set it with PUT.", field="path")
    return known, mask


@router.delete("/{path}/items/{value:any_text}", status_code=204)
async def remove_item(path: str, value: str, *, access: FieldChanger, services: ServicesDep) -> None:
    """Take one item out of a list; what is left keeps its authority."""
    require_permission(access.caller, Permission.PENDING_RESOLVE)
    known, mask = await _find_list(services, access.caller, path=path)
    scope: Scope = access.known_scope()
    why = _why(services, access.caller, origin=_origin_of(access.caller))

    def work(writer: LtmWriter) -> None:
        standing = writer.field(known.path)
        if standing is None or normal_value(value) not in map(normal_value, standing.value):
            raise Missing("The list has no such item.")
        check_authority(known.path, why.origin, standing=standing)
        kept = why.model_copy(update={"origin": standing.origin})
        change_items(writer, known.path, drop=[value], why=kept, mask=mask)

    await services.ltm.write(scope, work)
