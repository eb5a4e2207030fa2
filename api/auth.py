"""Who is calling: the credential gives tenant and permissions, and whom it may act for.

A body never decides identity. A scope is looked up for the caller here, and nowhere else, before a
route sees it; reading for a user nobody knows yields no scope, and so nothing.
"""

from __future__ import annotations

import hashlib
import unicodedata
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Annotated
from urllib.parse import unquote

from fastapi import Depends, Request
from starlette.types import ASGIApp, Receive, Send
from starlette.types import Scope as ASGIScope

from api.errors import answer_error, request_id_of
from shared.errors import BilayerError, Forbidden, InvalidInput, Missing, Rejected, Unauthenticated
from shared.model.scope import Caller, Permission, Scope
from shared.services import Services
from shared.text import clean_text

_MAX_ID_CHARS = 128
_GUARDED = "/v1/"
_CALLER = "bilayer.caller"


@dataclass(frozen=True, slots=True)
class Access:
    """A caller, and the scope of the user it acts for."""

    caller: Caller
    scope: Scope


@dataclass(frozen=True, slots=True)
class ReadAccess:
    """A caller, and the scope of the user it reads for: None where that user has no memory yet."""

    caller: Caller
    scope: Scope | None

    def known_scope(self) -> Scope:
        """Return the scope. Raises `Missing` where there is none: nothing of this user exists."""
        if self.scope is None:
            raise Missing("Nothing is stored of this user; check the id.")
        return self.scope


def services_of(request: Request) -> Services:
    """Return the services that the app was opened with."""
    services: Services = request.app.state.services
    return services


async def _services(request: Request) -> Services:  # a plain function would be sent to a thread
    return services_of(request)


ServicesDep = Annotated[Services, Depends(_services)]


async def identify(request: Request) -> Caller:
    """Return the caller that the credential names.

    Raises:
        Unauthenticated: no credential, or one that is unknown or revoked.
        InvalidInput: a user id that is none.
        Rejected: two credentials, or two users.
    """
    sent = request.headers.getlist("authorization")
    if len(set(sent)) > 1:
        raise Rejected(
            "Authorization stands more than once, with different keys; send it once.",
            code="invalid_value",
            field="Authorization",
        )
    scheme, _, secret = (sent[0] if sent else "").partition(" ")
    if scheme.lower() != "bearer" or not secret.strip():
        raise Unauthenticated("Send your service key as `Authorization: Bearer bl_…`.")
    digest = hashlib.sha256(secret.strip().encode()).hexdigest()
    key = await services_of(request).directory.find_key(digest)
    if key is None:
        raise Unauthenticated("This key is unknown or revoked; make one with `bilayer key create`.")
    return Caller(
        tenant_id=key.tenant_id,
        key_id=key.id,
        permissions=frozenset(key.permissions),
        user_id=_user_of(request),
        request_id=request_id_of(),
    )


class CredentialFirst:
    """ASGI middleware: who has no good credential is refused before any of the body is read."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: ASGIScope, receive: Receive, send: Send) -> None:
        """Serve one request; the routes that take no credential are those outside of /v1."""
        if scope["type"] == "http" and _path_of(scope).startswith(_GUARDED):
            try:
                scope[_CALLER] = await identify(Request(scope))
            except BilayerError as error:
                await answer_error(error)(scope, receive, send)
                return
        await self._app(scope, receive, send)


def _path_of(scope: ASGIScope) -> str:
    """Return the path as routes see it: without what the app is mounted at."""
    path, root = str(scope["path"]), str(scope.get("root_path", ""))
    return path.removeprefix(root) if path.startswith(f"{root}/") else path


async def _caller(request: Request) -> Caller:
    caller: Caller = request.scope[_CALLER]
    return caller


CallerDep = Annotated[Caller, Depends(_caller)]


def _user_of(request: Request) -> str | None:
    named = request.headers.getlist("bilayer-user")
    if len(set(named)) > 1:
        raise Rejected(
            "Bilayer-User stands more than once, with different users; send it once.",
            code="invalid_id",
            field="Bilayer-User",
        )
    raw = named[0] if named else ""
    try:
        raw = unquote(raw.encode("latin-1").decode("utf-8"), errors="strict")
    except UnicodeError:
        raise InvalidInput(
            "Bilayer-User is no UTF-8; send it percent-encoded (%E5%BC%A0) or as raw UTF-8.",
            code="invalid_id",
            field="Bilayer-User",
        ) from None
    return check_user_id(raw) if raw else None


def check_user_id(user_id: str, *, field: str = "Bilayer-User") -> str:
    """Return an outside user id. Raises `InvalidInput` unless 1-128 characters without controls."""
    if len(user_id) > _MAX_ID_CHARS or any(unicodedata.category(sign) == "Cc" for sign in user_id):
        raise InvalidInput(
            f"{field} takes 1 to 128 characters of any script, without control characters.",
            code="invalid_id",
            field=field,
        )
    return clean_text(user_id, field=field)


def require_permission(caller: Caller, permission: Permission) -> None:
    """Raise `Forbidden` unless the caller holds the permission."""
    if permission not in caller.permissions:
        raise Forbidden(f"This key lacks the permission `{permission}`; use one that has it.")


def _require_user(caller: Caller) -> str:
    if not caller.user_id:
        raise Rejected(
            "Name the end user in the header Bilayer-User.", code="user_required", field="Bilayer-User"
        )
    return caller.user_id


def reading(permission: Permission) -> Callable[..., Awaitable[ReadAccess]]:
    """Return a dependency: the caller may read for its user, known or not."""

    async def access(caller: CallerDep, services: ServicesDep) -> ReadAccess:
        require_permission(caller, permission)
        user_id = _require_user(caller)
        return ReadAccess(
            caller, await services.directory.find_scope(caller.tenant_id, "user", outside_id=user_id)
        )

    return access


def writing(*permissions: Permission) -> Callable[..., Awaitable[Access]]:
    """Return a dependency: the caller may write for its user, whose scope is made if need be."""

    async def access(caller: CallerDep, services: ServicesDep) -> Access:
        for permission in permissions:
            require_permission(caller, permission)
        user_id = _require_user(caller)
        return Access(
            caller, await services.directory.ensure_scope(caller.tenant_id, "user", outside_id=user_id)
        )

    return access


async def _admin(caller: CallerDep) -> Caller:
    require_permission(caller, Permission.ADMIN)
    return caller


AdminDep = Annotated[Caller, Depends(_admin)]
