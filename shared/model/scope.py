"""Whose memory it is, and who is calling.

A scope's id is a random surrogate; the outside id (what the team calls its user) stands sealed in
the directory. `generation` moves when a scope ends, so that nothing can be written into an ended one.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Literal

from shared.model.base import Value

ScopeKind = Literal["user", "team", "agent"]


class Permission(StrEnum):
    """What a credential may do."""

    CHAT = "chat"
    MEMORY_READ = "memory:read"
    MEMORY_WRITE = "memory:write"
    PENDING_RESOLVE = "pending:resolve"
    FIELDS_AUTHORITATIVE = "fields:authoritative"
    TASKS = "tasks"
    EXPORT = "export"
    ERASE = "erase"
    ADMIN = "admin"


class Scope(Value):
    """One scope, as every store is asked for it."""

    tenant_id: str
    scope_id: str
    kind: ScopeKind = "user"
    generation: int = 1


class ApiKey(Value):
    """A service key as it is listed; the key itself is shown once and never stored."""

    id: str
    tenant_id: str
    label: str
    permissions: tuple[Permission, ...]
    created_at_ms: int
    revoked_at_ms: int | None = None


class Caller(Value):
    """Who is calling: identity from the credential, the end user whom it acts for, the request."""

    tenant_id: str
    key_id: str
    permissions: frozenset[Permission]
    user_id: str | None
    request_id: str
