"""What the OpenAPI document says beside the routes: the credential, the headers, how errors look."""

from __future__ import annotations

from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

_GUARDED: Final = "/v1/"
_KEY: Final = {"type": "http", "scheme": "bearer", "description": "a service key: bl_…"}
_USER: Final = {
    "name": "Bilayer-User",
    "in": "header",
    "required": False,
    "schema": {"type": "string", "maxLength": 128},
    "description": "the user whom the request is for; routes of a whole tenant need none",
}
_IDEMPOTENCY: Final = {
    "name": "Idempotency-Key",
    "in": "header",
    "required": False,
    "schema": {"type": "string"},
    "description": "a request sent twice under one key is done once",
}
_CHANGES_NOTHING: Final = frozenset(
    {"/v1/memories/search", "/v1/sessions/{session_id}/context", "/v1/test/clock"}
)
"""POSTs that only ask, or that may be sent as often as one likes."""
_PROBLEM: Final = {
    "description": "what is wrong, and the way out",
    "content": {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}},
}
_PROBLEM_SCHEMA: Final = {
    "type": "object",
    "properties": {
        name: {"type": "integer" if name == "status" else "string"}
        for name in ("type", "title", "status", "detail", "code", "field", "request_id")
    },
}


def describe(app: FastAPI) -> None:
    """Have `/openapi.json`, and so `/docs`, name the key, the headers and the form of errors."""

    def openapi() -> dict[str, Any]:
        if app.openapi_schema is None:
            document = get_openapi(
                title=app.title, version=app.version, summary=app.summary, routes=app.routes
            )
            app.openapi_schema = _described(document)
        return app.openapi_schema

    app.openapi = openapi  # type: ignore[method-assign]  # the way that FastAPI names for it


def _described(document: dict[str, Any]) -> dict[str, Any]:
    components = document.setdefault("components", {})
    components["securitySchemes"] = {"key": _KEY}
    components.setdefault("schemas", {})["Problem"] = _PROBLEM_SCHEMA
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            operation["responses"].pop("422", None)
            operation["responses"]["4XX"] = _PROBLEM
            if path.startswith(_GUARDED):
                operation["security"] = [{"key": []}]
                is_once = method == "post" and path not in _CHANGES_NOTHING
                headers = [_USER, _IDEMPOTENCY] if is_once else [_USER]
                operation["parameters"] = [*operation.get("parameters", ()), *headers]
    return document
