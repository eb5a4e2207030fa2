"""Routes that take no body: one that holds something is an error, since nobody would read it.

One dependency of all routers holds this, as `queries` does for query parameters.
"""

from __future__ import annotations

import json

from fastapi import Request
from fastapi.routing import APIRoute

from shared.errors import InvalidInput, Rejected
from shared.text import clean_text

_MOST_SHOWN_CHARS = 64
_READS = frozenset({"GET", "HEAD"})


async def refuse_needless_bodies(request: Request) -> None:
    """Let a route without a body pass where none came, `{}` or `null`.

    Raises:
        InvalidInput: the body names something; `field` is its first name.
        Rejected: it is no JSON (`malformed_json`).
    """
    route = request.scope.get("route")
    if request.method in _READS or not isinstance(route, APIRoute) or route.body_field is not None:
        return
    body = await request.body()
    if not body.strip():
        return
    try:
        said = json.loads(body)
    except (ValueError, RecursionError):
        raise Rejected("The body is not valid JSON; this route takes none.", code="malformed_json") from None
    if said is None or said == {}:
        return
    if not isinstance(said, dict):
        raise InvalidInput("This route takes no body; send none, or an empty JSON object.", field="body")
    name = clean_text(next(iter(said)), field="body")[:_MOST_SHOWN_CHARS] or "body"
    raise InvalidInput(f"{name} is no name that is known here; this route takes no body.", field=name)
