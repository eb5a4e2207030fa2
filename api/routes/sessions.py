"""Sessions: what short-term memory holds, bring-your-own-model messages, the prompt a turn would send."""

from __future__ import annotations

from datetime import UTC
from functools import partial
from typing import Annotated, Any
from zoneinfo import ZoneInfo

from fastapi import APIRouter, Depends, Query, Request, Response

from api.auth import Access, ReadAccess, ServicesDep, reading, writing
from api.idempotency import answer_claim, answer_once, claim_of
from api.ids import SessionId
from api.metrics import count_outcomes
from api.schemas import ContextBody, MessagesBody, SessionPatch
from api.views import (
    from_cursor,
    show_message,
    show_page,
    show_pending,
    show_session,
    show_session_line,
    to_cursor,
)
from shared.aside import run_aside
from shared.errors import InvalidInput
from shared.ids import new_id
from shared.model.job import JobName, JobOrder
from shared.model.scope import Permission, Scope
from shared.services import Services
from shared.turn.append import append_messages, read_new_messages
from shared.turn.history import delete_session, read_history
from shared.turn.preview import preview_turn
from shared.turn.request import AppendRequest, check_system_text
from shared.turn.session_notes import patch_session_notes, read_session_standing

router = APIRouter(prefix="/v1/sessions", tags=["sessions"])
ChatRead = Annotated[ReadAccess, Depends(reading(Permission.CHAT))]
ChatWrite = Annotated[Access, Depends(writing(Permission.CHAT))]
Limit = Annotated[int, Query(ge=1, le=200)]
Cursor = Annotated[str | None, Query(max_length=200)]


@router.get("")
async def list_sessions(
    access: ChatRead, services: ServicesDep, *, limit: Limit = 50, cursor: Cursor = None
) -> dict[str, Any]:
    """List live sessions, the last used first."""
    place = from_cursor(cursor)
    if place is not None and not place.isdigit():
        raise InvalidInput("cursor is not one that this API gave; start again without it.", field="cursor")
    if access.scope is None:
        return show_page([], next_cursor=None)
    before_ms = int(place) if place else None
    sessions = await services.stm.list_sessions(access.scope, limit=limit + 1, before_ms=before_ms)
    page = sessions[:limit]
    following = to_cursor(str(page[-1].last_at_ms)) if len(sessions) > limit else None
    return show_page([show_session_line(session) for session in page], next_cursor=following)


@router.get("/{session_id}")
async def get_session(session_id: SessionId, access: ChatRead, *, services: ServicesDep) -> dict[str, Any]:
    """Return a session's state and window."""
    return await _show(services, access.known_scope(), session_id=session_id)


async def _show(services: Services, scope: Scope, *, session_id: str) -> dict[str, Any]:
    tokens = services.settings.prompt_tokens
    session = await services.stm.read_session(scope, session_id, window_tokens=tokens)
    rules = await services.rules_of(scope.tenant_id)
    standing = await read_session_standing(
        scope, session, now=services.clock.now(), schema=rules.schema, ltm=services.ltm
    )
    return show_session(session, standing)


@router.patch("/{session_id}")
async def patch_session(
    session_id: SessionId, body: SessionPatch, *, access: ChatWrite, services: ServicesDep
) -> dict[str, Any]:
    """Change a session's system text, task card, bans, time zone or life; names that are not sent stay."""
    if body.system is not None:
        check_system_text(body.system, prompt_tokens=services.settings.prompt_tokens)
    await patch_session_notes(
        access.scope,
        session_id,
        changes=body.model_dump(exclude_unset=True),
        now=services.clock.now(),
        stm=services.stm,
        ltm=services.ltm,
    )
    return await _show(services, access.scope, session_id=session_id)


@router.delete("/{session_id}")
async def remove_session(session_id: SessionId, access: ChatRead, *, services: ServicesDep) -> dict[str, Any]:
    """Delete this conversation: its messages, its episodes, its part of the tail."""
    caller = access.caller
    removed = await delete_session(
        access.known_scope(),
        session_id,
        actor=caller.key_id,
        request_id=caller.request_id,
        stm=services.stm,
        ltm=services.ltm,
    )
    return {"session_id": session_id, "deleted": removed}


@router.get("/{session_id}/messages")
async def list_messages(
    session_id: SessionId,
    access: ChatRead,
    *,
    services: ServicesDep,
    limit: Limit = 50,
    cursor: Cursor = None,
) -> dict[str, Any]:
    """List all messages, oldest first, also those that only long-term memory still holds."""
    place = from_cursor(cursor) or "0"
    if not place.isdigit():
        raise InvalidInput("cursor is not one that this API gave; start again without it.", field="cursor")
    messages = await read_history(
        access.known_scope(),
        session_id,
        after_seq=int(place),
        limit=limit + 1,
        stm=services.stm,
        ltm=services.ltm,
    )
    page = messages[:limit]
    following = to_cursor(str(page[-1].seq)) if len(messages) > limit else None
    return show_page([show_message(message) for message in page], next_cursor=following)


@router.post("/{session_id}/messages", status_code=201)
async def post_messages(
    request: Request,
    session_id: SessionId,
    *,
    response: Response,
    body: MessagesBody,
    access: ChatWrite,
    services: ServicesDep,
) -> dict[str, Any]:
    """Append messages of a front that runs its own model; commands apply to user messages.

    200 where all of them stood there already.
    """
    read = partial(
        read_new_messages,
        [message.given() for message in body.messages],
        now_ms=services.clock.now_ms(),
        mask=services.turn_rules.mask_text,
        echo=services.turn_rules.echo_reasoning,
    )
    messages = await run_aside(read, chars=len(await request.body()))

    claim = await claim_of(request, session_id=session_id)

    async def write() -> dict[str, Any]:
        answer = await append_messages(
            access.scope,
            AppendRequest(
                session_id=session_id,
                messages=messages,
                timezone=body.timezone,
                actor=access.caller.key_id,
                request_id=access.caller.request_id,
                may_resolve=Permission.PENDING_RESOLVE in access.caller.permissions,
                claim=claim,
            ),
            rules=await services.rules_of(access.scope.tenant_id),
            now=services.clock.now(),
            stm=services.stm,
            ltm=services.ltm,
        )
        count_outcomes(answer.commands, created=len(answer.pending))
        response.status_code = 201 if answer.is_new else 200
        return {
            **answer.model_dump(mode="json", exclude={"pending", "is_new"}),
            "pending": [show_pending(update) for update in answer.pending],
        }

    if claim is None:
        return await write()
    return await answer_claim(claim, access, response=response, write=write, stm=services.stm)


@router.post("/{session_id}/context")
async def get_context(
    session_id: SessionId, body: ContextBody, *, access: ChatRead, services: ServicesDep
) -> dict[str, Any]:
    """Return what a turn would send; changes nothing."""
    now = services.clock.now()
    preview = await preview_turn(
        access.scope,
        session_id,
        message=body.message,
        now=now.astimezone(ZoneInfo(body.timezone) if body.timezone else UTC),
        token_budget=body.token_budget,
        rules=await services.rules_of(access.caller.tenant_id),
        stm=services.stm,
        ltm=services.ltm,
        embedder=services.embedder,
    )
    return {
        "messages": list(preview.prompt.messages),
        "recalled": [row.model_dump(mode="json") for row in preview.recalled],
        "notices": [notice.model_dump(mode="json") for notice in preview.notices],
        "asks_pending": list(preview.asks_pending),
        "tokens": {"prompt": preview.prompt.tokens, "memory": preview.prompt.memory_tokens},
    }


@router.post("/{session_id}/flush", status_code=202)
async def flush_session(
    request: Request, session_id: SessionId, *, response: Response, access: ChatWrite, services: ServicesDep
) -> dict[str, Any]:
    """Archive this session's messages and extract them now."""

    async def write() -> dict[str, Any]:
        session = await services.stm.read_session(access.scope, session_id, window_tokens=0)
        jobs: tuple[JobName, ...] = ("archive", "extract")
        orders = [
            JobOrder(
                id=new_id("job"),
                job=job,
                tenant_id=access.scope.tenant_id,
                scope_id=access.scope.scope_id,
                session_key=session.key,
                request_id=access.caller.request_id,
            )
            for job in jobs
        ]
        await services.order(orders)
        return {"job_ids": [order.id for order in orders]}

    return await answer_once(request, access, response=response, write=write, stm=services.stm)
