"""Query parameters: a name that a route does not know is an error: a filter that is misspelt filters nothing.

So is a second value of what takes one: it would be passed over.

One dependency of all routers holds this, whatever their routes take.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args, get_origin

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
    taken = dict(_names(route.dependant))
    known = sorted(taken)
    for name in request.query_params:
        if name not in known:
            shown = name[:_MOST_SHOWN_CHARS]
            takes = f"it takes {', '.join(known)}" if known else "it takes none"
            raise InvalidInput(f"{shown} is no query parameter of this route; {takes}.", field=shown)
        if not taken[name] and len(request.query_params.getlist(name)) > 1:
            raise InvalidInput(f"{name} stands more than once; this route takes it once.", field=name)


def _names(dependant: Dependant) -> Iterator[tuple[str, bool]]:
    """Give the names of the parameters, and whether each may stand more than once."""
    for field in dependant.query_params:
        kind = field.field_info.annotation
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            yield from ((name, _is_list(info.annotation)) for name, info in kind.model_fields.items())
        else:
            yield field.alias, _is_list(kind)
    for inner in dependant.dependencies:
        yield from _names(inner)


def _is_list(kind: Any) -> bool:
    return get_origin(kind) is list or any(get_origin(part) is list for part in get_args(kind))
