"""What happens to every request before routing: its id, its size limit, the test clock."""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable

import structlog
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.body import MAX_BODY_BYTES, TOO_LARGE, BodyTimes, bound_body
from api.errors import problem, problem_response
from api.garbage import Traffic
from shared.errors import Unavailable
from shared.ids import new_id

_OF_ANY_CHARACTER = re.compile(rb"/v1/(?:users/|fields/[^/%]+/items/)")
_CLIENTS_ID = re.compile(rb"[A-Za-z0-9_.\-]{1,64}")


class RequestContext:
    """ASGI middleware; raw, since it stands in the path of streams."""

    def __init__(
        self,
        app: ASGIApp,
        *,
        read_clock: Callable[[], Awaitable[None]] | None,
        traffic: Traffic | None = None,
        body_times: BodyTimes = BodyTimes(),  # noqa: B008 - a frozen value
    ) -> None:
        self._app = app
        self._read_clock = read_clock
        self._traffic = traffic or Traffic()
        self._body_times = body_times

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request with its id bound to the log and to the reply."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        self._traffic.begin()
        try:
            await self._serve(scope, receive=receive, send=send)
        finally:
            self._traffic.end()

    async def _serve(self, scope: Scope, *, receive: Receive, send: Send) -> None:
        request_id = _request_id(scope)
        structlog.contextvars.clear_contextvars()
        structlog.contextvars.bind_contextvars(request_id=request_id)

        async def send_with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                message["headers"] = [*message["headers"], (b"x-request-id", request_id.encode())]
            await send(message)

        refusal = _refusal(scope)
        if refusal is not None:
            await problem_response(refusal)(scope, receive, send_with_id)
            return
        if self._read_clock is not None:
            try:
                await self._read_clock()
            except Unavailable:
                structlog.contextvars.bind_contextvars(clock="unread")
        await self._app(scope, bound_body(receive, self._body_times), send_with_id)


def _request_id(scope: Scope) -> str:
    for name, value in scope["headers"]:
        if name == b"x-request-id" and _CLIENTS_ID.fullmatch(value):
            return str(value.decode())
    return new_id("req")


def _refusal(scope: Scope) -> dict[str, object] | None:
    raw_path = scope.get("raw_path", b"").lower()
    has_slash = b"%2f" in raw_path or b"%5c" in raw_path
    if has_slash and not _OF_ANY_CHARACTER.match(raw_path):  # as a user's id and the item of a list are
        field = "session_id" if raw_path.startswith(b"/v1/sessions/") else "id"
        detail = f"{field} may not contain a slash; use letters, digits and . _ : ~ @ -."
        return problem(422, detail, code="invalid_id", field=field)
    for name, value in scope["headers"]:
        if name == b"content-length" and value.isdigit() and int(value) > MAX_BODY_BYTES:
            return _too_large()
    return None


def _too_large() -> dict[str, object]:
    return problem(413, TOO_LARGE, code="body_too_large", field="body")
