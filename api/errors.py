"""Errors on the wire: `application/problem+json`, and one table from our tree to status codes."""

from __future__ import annotations

from typing import Any

import structlog
from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.body import TOO_SLOW
from api.metrics import count_limited
from shared import errors
from shared.log import get_logger
from shared.model.wrong_value import place_of, tell_wrong

PROBLEM_JSON = "application/problem+json"

_STATUS: tuple[tuple[type[errors.BilayerError], int], ...] = (
    (errors.InvalidInput, 422),
    (errors.TooLarge, 413),
    (errors.Unauthenticated, 401),
    (errors.Forbidden, 403),
    (errors.Rejected, 400),
    (errors.Missing, 404),
    (errors.KeyReused, 422),
    (errors.Conflict, 409),
    (errors.Unavailable, 503),
)
_STATUS_BY_CODE = {"user_required": 400, TOO_SLOW: 408}
_TITLES = {
    400: "Bad request",
    401: "Not authenticated",
    403: "Not allowed",
    404: "Not found",
    405: "Method not allowed",
    408: "Too slow",
    409: "Conflict",
    413: "Too large",
    422: "Invalid value",
    500: "Internal error",
    503: "Not available now",
}
_CODES = {404: "not_found", 405: "method_not_allowed"}


def request_id_of() -> str:
    """Return the id of the request being served; empty outside of one."""
    return str(structlog.contextvars.get_contextvars().get("request_id", ""))


def status_of(error: errors.BilayerError) -> int:
    """Return the HTTP status of an error of ours."""
    by_code = _STATUS_BY_CODE.get(error.code)
    if by_code is not None:
        return by_code
    return next((status for kind, status in _STATUS if isinstance(error, kind)), 500)


def problem(status: int, detail: str, *, code: str, field: str | None = None) -> dict[str, Any]:
    """Return the body of a problem, and count the limit it tells of; `field` only where one is at fault."""
    count_limited(code)
    title = _TITLES.get(status, "Error")
    body: dict[str, Any] = {"type": "about:blank", "title": title, "status": status, "detail": detail}
    body["code"] = code
    if field:
        body["field"] = field
    body["request_id"] = request_id_of()
    return body


def problem_of(error: errors.BilayerError) -> dict[str, Any]:
    """Return the body that tells of an error of ours."""
    return problem(status_of(error), error.detail, code=error.code, field=error.field)


def problem_response(body: dict[str, Any], headers: dict[str, str] | None = None) -> Response:
    """Return a problem as a response."""
    return JSONResponse(body, status_code=body["status"], headers=headers, media_type=PROBLEM_JSON)


async def _answer_ours(_request: Request, error: Exception) -> Response:
    assert isinstance(error, errors.BilayerError)  # noqa: S101 - registered for this class only
    return answer_error(error)


def answer_error(error: errors.BilayerError) -> Response:
    """Return the answer to an error of ours."""
    headers = {}
    if isinstance(error, errors.Unavailable):
        headers["Retry-After"] = str(error.retry_after_seconds)
    if isinstance(error, errors.Unauthenticated):
        headers["WWW-Authenticate"] = "Bearer"
    if error.code == TOO_SLOW:
        headers["Connection"] = "close"  # the rest of the body is not waited for
    return problem_response(problem_of(error), headers)


async def _answer_invalid(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)  # noqa: S101 - registered for this class only
    first = error.errors()[0]
    if first["type"] == "json_invalid":
        return problem_response(
            problem(400, "The body is not valid JSON; send one JSON object in UTF-8.", code="malformed_json")
        )
    if first["loc"] == ("body",) and first["type"] == "missing" and not await request.body():
        detail = "The body is empty; send one JSON object in UTF-8."
        return problem_response(problem(400, detail, code="malformed_json"))
    if first["loc"] == ("body",) and first["type"] in {"model_attributes_type", "missing"}:
        detail = "The body is no JSON object; send one, with the header Content-Type: application/json."
        return problem_response(problem(422, detail, code="invalid_value", field="body"))
    field = place_of(first["loc"][1:]) or "body"
    return problem_response(problem(422, tell_wrong(field, first), code="invalid_value", field=field))


async def _answer_http(_request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 - registered for this class only
    if isinstance(error.__cause__, errors.BilayerError):  # the body was too large, or did not come in time
        return answer_error(error.__cause__)
    code = _CODES.get(error.status_code, "bad_request")
    if error.status_code == 400 and "body" in str(error.detail):  # noqa: PLR2004 - FastAPI's own words
        detail, code = "The body is not valid JSON; send one JSON object in UTF-8.", "malformed_json"
    else:
        detail = f"{error.detail}. The routes are listed at /docs."
    return problem_response(problem(error.status_code, detail, code=code), dict(error.headers or {}))


def unforeseen() -> dict[str, Any]:
    """Return the problem that stands for an error which nobody foresaw."""
    detail = "Something failed on our side; quote the request_id when you report it."
    return problem(500, detail, code="internal")


async def _answer_unforeseen(_request: Request, _error: Exception) -> Response:
    return problem_response(unforeseen())


class LastResort:
    """ASGI middleware: what nobody foresaw is told by its kind, and answered where no route has answered yet.

    The error goes no further: a server that logs it would log what users wrote.
    """

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one request; what fails before the first is a start that failed, and passes."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        has_started = False

        async def send_noted(message: Message) -> None:
            nonlocal has_started
            has_started = True
            await send(message)

        try:
            await self._app(scope, receive, send_noted)
        except Exception as error:  # noqa: BLE001 - the edge: whatever failed is told by its kind only
            get_logger().error("unexpected_error", kind=type(error).__name__)
            if not has_started:
                await problem_response(unforeseen())(scope, receive, send)


def install_error_answers(app: FastAPI) -> None:
    """Register the answers for every kind of error."""
    app.add_exception_handler(errors.BilayerError, _answer_ours)
    app.add_exception_handler(RequestValidationError, _answer_invalid)
    app.add_exception_handler(HTTPException, _answer_http)
    app.add_exception_handler(Exception, _answer_unforeseen)
