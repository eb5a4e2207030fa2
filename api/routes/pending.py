"""Pending updates: proposals that wait for the user, and their end. Agents' keys may only read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, date
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Query, Request, Response

from api.auth import Access, ReadAccess, ServicesDep, reading, require_permission, writing
from api.idempotency import answer_once
from api.metrics import count_pending
from api.schemas import ConfirmBody, PendingQuery, ResolveBody
from api.views import from_cursor, show_page, show_pending, to_cursor
from shared.errors import InvalidInput
from shared.ltm.confirm import resolve_updates
from shared.ltm.edit import Why
from shared.ltm.field_values import in_zone, normalise_value
from shared.ltm.schema_path import SchemaPath
from shared.model.pending import PendingUpdate
from shared.model.scope import Permission
from shared.ports.ltm import PendingFilter
from shared.services import Services

router = APIRouter(prefix="/v1/pending", tags=["structured state"])
PendingRead = Annotated[ReadAccess, Depends(reading(Permission.MEMORY_READ))]
Resolving = Annotated[Access, Depends(writing(Permission.PENDING_RESOLVE))]


@router.get("")
async def list_pending(
    asked: Annotated[PendingQuery, Query()], access: PendingRead, *, services: ServicesDep
) -> dict[str, Any]:
    """List pending updates, newest first."""
    after_id = from_cursor(asked.cursor, prefix="pen_")
    if access.scope is None:
        return show_page([], next_cursor=None)
    wanted = PendingFilter(
        status=None if asked.status == "all" else asked.status, limit=asked.limit + 1, after_id=after_id
    )
    found = await services.ltm.read(access.scope, lambda reader: reader.pending_updates(wanted))
    page = found[: asked.limit]
    following = to_cursor(page[-1].id) if len(found) > asked.limit else None
    return show_page([show_pending(update) for update in page], next_cursor=following)


@router.post("/resolve")
async def resolve_pending(
    request: Request, response: Response, *, body: ResolveBody, access: Resolving, services: ServicesDep
) -> dict[str, Any]:
    """Confirm and reject several, all or none."""
    named = [*body.confirm, *body.reject]
    if not named:
        raise InvalidInput("Name at least one id to confirm or to reject.", field="confirm")
    if len(set(named)) != len(named):
        raise InvalidInput("An id stands twice; each is either confirmed or rejected.", field="reject")

    async def write() -> dict[str, Any]:
        confirm = dict.fromkeys(body.confirm)
        done = await _resolve(services, access, confirm=confirm, reject=body.reject)
        return {"items": [show_pending(update) for update in done]}

    return await answer_once(request, access, response=response, write=write, stm=services.stm)


@router.post("/{update_id}/confirm")
async def confirm_pending(
    update_id: str,
    request: Request,
    *,
    response: Response,
    access: Resolving,
    services: ServicesDep,
    body: ConfirmBody | None = None,
) -> dict[str, Any]:
    """Make a fact of a proposal; `value` edits it first."""
    value = body.value if body is not None else None
    if isinstance(value, str):
        value = services.turn_rules.mask_text(value)

    async def write() -> dict[str, Any]:
        done = await _resolve(services, access, confirm={update_id: value}, reject=[])
        return show_pending(done[0])

    return await answer_once(request, access, response=response, write=write, stm=services.stm)


@router.post("/{update_id}/reject")
async def reject_pending(
    update_id: str, request: Request, *, response: Response, access: Resolving, services: ServicesDep
) -> dict[str, Any]:
    """Reject a proposal: its value does not come back by itself."""

    async def write() -> dict[str, Any]:
        done = await _resolve(services, access, confirm={}, reject=[update_id])
        return show_pending(done[0])

    return await answer_once(request, access, response=response, write=write, stm=services.stm)


def _normal(path: SchemaPath, value: Any, *, today: date) -> Any:
    return in_zone(normalise_value(path, value, today=today), path, zone=UTC)


async def _resolve(
    services: Services, access: Access, *, confirm: Mapping[str, Any], reject: Sequence[str]
) -> list[PendingUpdate]:
    require_permission(access.caller, Permission.PENDING_RESOLVE)
    rules = await services.rules_of(access.caller.tenant_id)
    now = services.clock.now()
    done = await resolve_updates(
        access.scope,
        confirm=confirm,
        reject=reject,
        why=Why(actor=access.caller.key_id, request_id=access.caller.request_id, origin="user", at=now),
        normalise=lambda path, value: _normal(rules.schema.find(path), value, today=now.date()),
        mask=rules.mask,
        ltm=services.ltm,
    )
    count_pending("confirmed", len(confirm))
    count_pending("rejected", len(reject))
    return done
