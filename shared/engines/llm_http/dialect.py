"""How an upstream wants to be asked: the request's body, and what to leave out once it says no.

Upstreams differ in two things. Some refuse `stream_options`; newer models take the longest answer as
`max_completion_tokens` and refuse `max_tokens`. A refusal costs no tokens, so asking once more is
safe, and what worked is remembered by the client.
"""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Literal

from shared.model.base import Value
from shared.ports.llm import ChatRequest

_NEW_LIMIT_NAME = "max_completion_tokens"
_REFUSALS = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY})


class Dialect(Value):
    """What of the protocol the upstream understands; the default is tried first."""

    wants_usage: bool = True
    limit_name: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"


def request_body(request: ChatRequest, *, model: str, dialect: Dialect) -> bytes:
    """Return the JSON body in UTF-8; half a surrogate pair, which no upstream reads, becomes `?`."""
    body: dict[str, object] = {
        "model": model,
        "messages": request.messages,
        dialect.limit_name: request.max_tokens,
        "stream": True,
    }
    if dialect.wants_usage:
        body["stream_options"] = {"include_usage": True}
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def plainer_dialect(dialect: Dialect, *, status: int, refusal: str) -> Dialect | None:
    """Return the dialect to try after a refusal, or None where the dialect is not to blame.

    `refusal` is the body of the answer: it names the parameter where the limit's name is refused.
    """
    if status not in _REFUSALS:
        return None
    if _NEW_LIMIT_NAME in refusal and dialect.limit_name != _NEW_LIMIT_NAME:
        return dialect.model_copy(update={"limit_name": _NEW_LIMIT_NAME})
    if dialect.wants_usage:
        return dialect.model_copy(update={"wants_usage": False})
    return None
