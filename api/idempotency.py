"""`Idempotency-Key` on POSTs that write: the same key answers the first reply for 24 hours."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable
from typing import Any

from fastapi import Request

from api.auth import Access
from shared.errors import InvalidInput
from shared.ports.stm import Claim, ShortTermMemory

_MAX_KEY_CHARS = 255


async def claim_of(request: Request) -> Claim | None:
    """Return the claim that a request makes: its key on this route, and the hash of its body."""
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
    return Claim(key=f"{request.url.path} {key}", body_hash=hashlib.sha256(body).hexdigest())


async def answer_once(
    request: Request, access: Access, *, write: Callable[[], Awaitable[dict[str, Any]]], stm: ShortTermMemory
) -> dict[str, Any]:
    """Return what `write` answers, or what it answered when this key came first."""
    claim = await claim_of(request)
    if claim is None:
        return await write()
    stored = await stm.claim_request(access.scope, claim)
    if stored is not None:
        answer: dict[str, Any] = json.loads(stored)
        return answer
    result: str | None = None
    try:
        answer = await write()
        result = json.dumps(answer, ensure_ascii=False)
    finally:
        await stm.settle_request(access.scope, claim, result_json=result)
    return answer
