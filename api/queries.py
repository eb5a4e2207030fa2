"""Query parameters: a name that a route does not know is an error: a filter that is misspelt filters nothing.

One dependency of all routers holds this, whatever their routes take.
"""

from __future__ import annotations

from collections.abc import Iterator

from fastapi import Request
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from pydantic import BaseModel

from shared.errors import InvalidInput

_MOST_SHOWN_CHARS = 64


async def refuse_unknown_queries(request: Request) -> None:
    """Raise `InvalidInput` for the first query parameter that the route of this request does not take."""
    route = request.scope.get("route")
    if not request.scope.get("query_string") or not isinstance(route, APIRoute):
        return
    known = sorted(_names(route.dependant))
    for name in request.query_params:
        if name not in known:
            shown = name[:_MOST_SHOWN_CHARS]
            takes = f"it takes {', '.join(known)}" if known else "it takes none"
            raise InvalidInput(f"{shown} is no query parameter of this route; {takes}.", field=shown)


def _names(dependant: Dependant) -> Iterator[str]:
    for field in dependant.query_params:
        kind = field.field_info.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from kind.model_fields
        else:
            yield field.alias
    for inner in dependant.dependencies:
        yield from _names(inner)
