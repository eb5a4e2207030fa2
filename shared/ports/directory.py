"""Who exists (tenants, keys, scopes) and what the API tells of jobs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from shared.model.job import JobRecord, JobStatus
from shared.model.scope import ApiKey, Permission, Scope, ScopeKind


class Directory(Protocol):
    """Tenants, keys and scopes: who exists. Outside ids are stored as keyed hashes and sealed."""

    async def find_scope(self, tenant_id: str, kind: ScopeKind, *, outside_id: str) -> Scope | None: ...

    async def ensure_scope(self, tenant_id: str, kind: ScopeKind, *, outside_id: str) -> Scope:
        """Return the scope, made with a fresh data key where there was none."""

    async def scope_by_id(self, tenant_id: str, scope_id: str) -> Scope | None: ...

    async def outside_id(self, scope: Scope) -> str: ...

    async def find_key(self, key_hash: str) -> ApiKey | None:
        """Return the key that is stored under this SHA-256 and not revoked."""

    async def create_key(
        self, tenant_id: str, *, label: str, permissions: Sequence[Permission]
    ) -> tuple[ApiKey, str]:
        """Make a key; its secret is returned this once."""

    async def list_keys(self, tenant_id: str) -> list[ApiKey]: ...

    async def revoke_key(self, tenant_id: str, key_id: str) -> bool: ...

    async def verify_audit(self, tenant_id: str) -> tuple[bool, int, str]:
        """Return whether the tenant's audit chain holds, how many entries it has, and what is wrong."""


class JobLedger(Protocol):
    """What the API tells of jobs, kept 7 days."""

    async def record(self, records: Sequence[JobRecord]) -> None:
        """Write or replace records by id."""

    async def job(self, job_id: str) -> JobRecord | None: ...

    async def jobs(
        self, tenant_id: str, *, status: JobStatus | None, limit: int, after_id: str | None
    ) -> list[JobRecord]:
        """Return a tenant's jobs and those of no tenant, newest first."""

    async def count_dead(self) -> int: ...

    async def prune(self, *, before_ms: int) -> int: ...
