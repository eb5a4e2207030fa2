"""`POST /v1/sessions/{id}/turns`: one chat turn, whole or streamed."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Depends, Request
from starlette.responses import Response, StreamingResponse

from api.auth import Access, ServicesDep, writing
from api.errors import problem_of, unforeseen
from api.idempotency import claim_of
from api.ids import SessionId
from api.metrics import count_outcomes, count_turn, count_unrecalled, time_stage
from api.responses import SafeJSONResponse
from api.schemas import MAX_TURN_CHARS, TurnBody
from api.sse import format_event
from api.views import show_pending
from shared.errors import BilayerError, TooLarge
from shared.ids import new_id, new_row_id
from shared.log import get_logger
from shared.model.scope import Permission
from shared.model.turn import Delta, Notice, TurnEvent, TurnResult
from shared.services import Services
from shared.turn.request import TurnRequest, check_system_text
from shared.turn.take import take_turn

router = APIRouter(prefix="/v1/sessions", tags=["chat"])
ChatAccess = Annotated[Access, Depends(writing(Permission.CHAT))]


@router.post("/{session_id}/turns")
async def post_turn(
    request: Request, session_id: SessionId, *, body: TurnBody, access: ChatAccess, services: ServicesDep
) -> Response:
    """Take one chat turn."""
    tokens = services.settings.prompt_tokens
    turn = await _turn_request(request, session_id, body=body, access=access, prompt_tokens=tokens)
    if body.stream:
        events = _stream(services, access, turn=turn)
        return StreamingResponse(
            events, media_type="text/event-stream", headers={"Cache-Control": "no-store"}
        )
    with time_stage("turn"), count_turn() as outcome:
        result = await _take(services, access, turn=turn, events=asyncio.Queue())
        outcome.is_degraded = result.degraded
    return SafeJSONResponse(show_turn(result))


async def _turn_request(
    request: Request, session_id: str, *, body: TurnBody, access: Access, prompt_tokens: int
) -> TurnRequest:
    if len(body.message) > MAX_TURN_CHARS:
        raise TooLarge(
            f"message has {len(body.message)} characters; a turn takes {MAX_TURN_CHARS}. "
            "Send a long text with POST /v1/sessions/{id}/messages.",
            code="message_too_long",
            field="message",
        )
    if body.system is not None:
        check_system_text(body.system, prompt_tokens=prompt_tokens)
    return TurnRequest(
        turn_id=new_id("turn"),
        message_id=new_row_id("msg"),
        reply_id=new_row_id("msg"),
        session_id=session_id,
        message=body.message,
        actor=access.caller.key_id,
        request_id=access.caller.request_id,
        system=body.system,
        timezone=body.timezone,
        claim=await claim_of(request, session_id=session_id),
        action=body.action,
        may_resolve=Permission.PENDING_RESOLVE in access.caller.permissions,
    )


async def _take(
    services: Services, access: Access, *, turn: TurnRequest, events: asyncio.Queue[TurnEvent | Exception]
) -> TurnResult:
    result = await take_turn(
        access.scope,
        turn,
        rules=await services.rules_of(access.scope.tenant_id),
        emit=events.put_nowait,
        now=services.clock.now,
        stm=services.stm,
        ltm=services.ltm,
        model=services.model,
        embedder=services.embedder,
    )
    count_outcomes(result.commands, created=len(result.pending))
    count_unrecalled(result.notices)
    return result


async def _stream(services: Services, access: Access, *, turn: TurnRequest) -> AsyncIterator[bytes]:
    """Yield the turn's events; a client that leaves cancels the turn, which settles in its own task."""
    events: asyncio.Queue[TurnEvent | Exception] = asyncio.Queue()
    taking = asyncio.create_task(_take_and_tell(services, access, turn=turn, events=events))
    services.background.add(taking)
    taking.add_done_callback(services.background.discard)
    taking.add_done_callback(lambda task: _tell_unforeseen(task, events))
    try:
        while True:
            event = await events.get()
            if isinstance(event, Exception):
                yield format_event(
                    "error", problem_of(event) if isinstance(event, BilayerError) else unforeseen()
                )
                return
            yield _format(event)
            if isinstance(event, TurnResult):
                return
    finally:
        taking.cancel()


async def _take_and_tell(
    services: Services, access: Access, *, turn: TurnRequest, events: asyncio.Queue[TurnEvent | Exception]
) -> None:
    with time_stage("turn"), count_turn() as outcome:
        try:
            result = await _take(services, access, turn=turn, events=events)
            outcome.is_degraded = result.degraded
        except BilayerError as error:
            events.put_nowait(error)
            outcome.is_failed = True
        except asyncio.CancelledError:
            outcome.is_interrupted = True
            raise


def _tell_unforeseen(taking: asyncio.Task[None], events: asyncio.Queue[TurnEvent | Exception]) -> None:
    """Have whoever reads the events told of an error that nobody foresaw: they would wait for ever."""
    error = None if taking.cancelled() else taking.exception()
    if isinstance(error, Exception):
        get_logger().error("unexpected_error", kind=type(error).__name__)
        events.put_nowait(error)


def _format(event: TurnEvent) -> bytes:
    if isinstance(event, TurnResult):
        return format_event("done", show_turn(event))
    if isinstance(event, Delta):
        return format_event("delta", {"content": event.content})
    if isinstance(event, Notice):
        return format_event("notice", event.model_dump())
    return format_event("recalled", {"items": [row.model_dump() for row in event]})


def show_turn(result: TurnResult) -> dict[str, Any]:
    """Return a turn's answer on the wire."""
    return {
        **result.model_dump(mode="json", exclude={"pending"}),
        "pending": [show_pending(update) for update in result.pending],
    }
