"""`Idempotency-Key` on POSTs that write: the same key answers the first reply for 24 hours."""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import Request, Response

from api.auth import Access
from shared.errors import InvalidInput
from shared.model.scope import Caller
from shared.ports.stm import Claim, ShortTermMemory
from shared.services import Services

_MAX_KEY_CHARS = 255


async def claim_of(request: Request, *, session_id: str | None = None) -> Claim | None:
    """Return the claim that a request makes: its key on this route, and the hash of its body.

    `session_id` is the session that the reply tells of, if any.
    """
    key = request.headers.get("idempotency-key")
    if key is None:
        return None
    if not 1 <= len(key) <= _MAX_KEY_CHARS:
        raise InvalidInput(
            f"Idempotency-Key takes 1 to {_MAX_KEY_CHARS} characters.", field="Idempotency-Key"
        )
    body = await request.body()
    try:
        # `stream` asks for a form of the answer, not for another thing: it is no part of the body's hash.
        parsed = json.loads(body)
        parsed.pop("stream", None)
        body = json.dumps(parsed, sort_keys=True).encode()
    except (ValueError, AttributeError):
        pass
    return Claim(
        key=f"{request.url.path} {key}",
        body_hash=hashlib.sha256(body).hexdigest(),
        holder=secrets.token_hex(8),
        session_id=session_id,
    )


async def answer_once(
    request: Request,
    access: Access,
    *,
    response: Response,
    write: Callable[[], Awaitable[dict[str, Any]]],
    stm: ShortTermMemory,
) -> dict[str, Any]:
    """Return what `write` answers, or what it answered when this key came first, with the status it had."""
    claim = await claim_of(request)
    if claim is None:
        return await write()
    return await answer_claim(claim, access, response=response, write=write, stm=stm)


async def answer_operator_once(
    request: Request,
    caller: Caller,
    *,
    response: Response,
    write: Callable[[], Awaitable[dict[str, Any]]],
    services: Services,
) -> dict[str, Any]:
    """Return as `answer_once` what a route of the whole tenant answers.

    The reply is kept sealed for the caller's own key, in a scope `agent` of its id, made for it.
    """
    claim = await claim_of(request)
    if claim is None:
        return await write()
    scope = await services.directory.ensure_scope(caller.tenant_id, "agent", outside_id=caller.key_id)
    return await answer_claim(claim, Access(caller, scope), response=response, write=write, stm=services.stm)


async def answer_claim(
    claim: Claim,
    access: Access,
    *,
    response: Response,
    write: Callable[[], Awaitable[dict[str, Any]]],
    stm: ShortTermMemory,
) -> dict[str, Any]:
    """Return what `write` answers under a claim, or what it answered when this key came first."""
    stored = await stm.claim_request(access.scope, claim)
    if stored is not None:
        kept = json.loads(stored)
        response.status_code = kept["status"]
        answer: dict[str, Any] = kept["answer"]
        return answer
    result: str | None = None
    told_ids: list[str] = []
    try:
        answer = await write()
        result = json.dumps({"status": response.status_code, "answer": answer}, ensure_ascii=False)
        told_ids = [answer["id"]] if isinstance(answer.get("id"), str) else []
    finally:
        await stm.settle_request(access.scope, claim, result_json=result, told_ids=told_ids)
    return answer
