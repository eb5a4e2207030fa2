"""How an upstream wants to be asked: the request's body, and what to leave out once it says no.

Upstreams differ in three things. Some refuse `stream_options`; newer models take the longest answer as
`max_completion_tokens` and refuse `max_tokens`; some know no `response_format`, and get the schema in
the prompt. A refusal costs no tokens, so asking once more is safe, and what worked is remembered.
"""

from __future__ import annotations

import json
from http import HTTPStatus
from typing import Literal

from shared.model.base import Value
from shared.ports.llm import ChatRequest, CompletionRequest

_NEW_LIMIT_NAME = "max_completion_tokens"
_REFUSALS = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY})


class Dialect(Value):
    """What of the protocol the upstream understands; the default is tried first."""

    wants_usage: bool = True
    limit_name: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    takes_schema: bool = True


def request_body(request: ChatRequest | CompletionRequest, *, model: str, dialect: Dialect) -> bytes:
    """Return the JSON body in UTF-8; half a surrogate pair, which no upstream reads, becomes `?`."""
    if isinstance(request, CompletionRequest):
        return _to_bytes(_completion_body(request, model=model, dialect=dialect))
    body: dict[str, object] = {
        "model": model,
        "messages": request.messages,
        dialect.limit_name: request.max_tokens,
        "stream": True,
    }
    if dialect.wants_usage:
        body["stream_options"] = {"include_usage": True}
    return _to_bytes(body)


def _completion_body(request: CompletionRequest, *, model: str, dialect: Dialect) -> dict[str, object]:
    messages = list(request.messages)
    body: dict[str, object] = {"model": model, dialect.limit_name: request.max_tokens, "temperature": 0}
    if dialect.takes_schema:
        schema = {"name": request.answer.name, "schema": request.answer.document}
        body["response_format"] = {"type": "json_schema", "json_schema": schema}
    else:
        document = json.dumps(request.answer.document, ensure_ascii=False)
        first = {
            **messages[0],
            "content": f"{messages[0]['content']}\n\nJSON schema of the answer:\n{document}",
        }
        messages = [first, *messages[1:]]
    return {**body, "messages": messages}


def _to_bytes(body: dict[str, object]) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "replace")


def plainer_dialect(dialect: Dialect, *, status: int, refusal: str, is_stream: bool = True) -> Dialect | None:
    """Return the dialect to try after a refusal, or None where the dialect is not to blame.

    `refusal` is the body of the answer: it names the parameter where the limit's name is refused.
    """
    if status not in _REFUSALS:
        return None
    if _NEW_LIMIT_NAME in refusal and dialect.limit_name != _NEW_LIMIT_NAME:
        return dialect.model_copy(update={"limit_name": _NEW_LIMIT_NAME})
    if not is_stream:
        return dialect.model_copy(update={"takes_schema": False}) if dialect.takes_schema else None
    if dialect.wants_usage:
        return dialect.model_copy(update={"wants_usage": False})
    return None
