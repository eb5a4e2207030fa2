"""Who exists (tenants, keys, scopes) and what the API tells of jobs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple, Protocol

from shared.model.extraction import ExtractionDebt
from shared.model.job import DueWork, JobRecord, JobStatus
from shared.model.memory import AuditEntry, AuditFilter
from shared.model.scope import ApiKey, Permission, Scope, ScopeKind


class Directory(Protocol):
    """Tenants, keys and scopes: who exists. Outside ids are stored as keyed hashes and sealed."""

    async def find_scope(self, tenant_id: str, kind: ScopeKind, *, outside_id: str) -> Scope | None: ...

    async def ensure_scope(self, tenant_id: str, kind: ScopeKind, *, outside_id: str) -> Scope:
        """Return the scope, made with a fresh data key where there was none."""

    async def scope_by_id(self, tenant_id: str, scope_id: str) -> Scope | None: ...

    async def scopes_after(self, scope: Scope | None, *, limit: int) -> list[Scope]:
        """Return living scopes of all tenants that follow one, in an order that never changes."""

    async def scopes_to_weigh(self, *, version: int, limit: int) -> list[Scope]:
        """Return living scopes that have memories which no rule of this version has weighed."""

    async def scopes_to_reindex(self, *, version: int, limit: int) -> list[Scope]:
        """Return living scopes that have, or may have, rows which rules of another version have indexed."""

    async def count_unweighed(self, *, version: int) -> tuple[int, int | None]:
        """Return how many memories of all scopes that is, and when the oldest of them was made."""

    async def scopes_to_embed(self, *, model: str, limit: int) -> list[Scope]:
        """Return living scopes that have rows which may lack a vector of this model."""

    async def outside_id(self, scope: Scope) -> str: ...

    async def find_key(self, key_hash: str) -> ApiKey | None:
        """Return the key that is stored under this SHA-256 and not revoked."""

    async def create_key(
        self, tenant_id: str, *, label: str, permissions: Sequence[Permission]
    ) -> tuple[ApiKey, str]:
        """Make a key; its secret is returned this once."""

    async def list_keys(self, tenant_id: str) -> list[ApiKey]: ...

    async def revoke_key(self, tenant_id: str, key_id: str) -> bool: ...

    async def tenant_audit(self, tenant_id: str, wanted: AuditFilter) -> list[AuditEntry]:
        """Return the audit lines that are the tenant's own and of no user, newest first."""

    async def verify_audit(self, tenant_id: str) -> tuple[bool, int, str]:
        """Return whether the tenant's audit chain holds, how many entries it has, and what is wrong."""


class TenantVersions(NamedTuple):
    """The numbers of a tenant's newest documents; 0 where it never put one."""

    schema: int = 0
    synonyms: int = 0


NO_VERSIONS: Final = TenantVersions()


class SchemaStore(Protocol):
    """The schema documents of tenants; which of them are sound is the rooms' business."""

    async def versions(self, tenant_id: str) -> TenantVersions:
        """Return which versions of its documents a tenant has put, in one read."""

    async def schema_document(self, tenant_id: str) -> dict[str, Any] | None: ...

    async def put_schema(
        self, tenant_id: str, document: Mapping[str, Any], *, read_version: int, vanished: Sequence[str]
    ) -> None:
        """Write the next version.

        Raises `Conflict`: `version_conflict` unless the newest is `read_version`, `path_in_use` where a
        user still has a value at one of the `vanished` paths.
        """


class SynonymStore(Protocol):
    """The synonyms of tenants; which groups are sound is the rooms' business."""

    async def synonyms(self, tenant_id: str) -> tuple[int, list[list[str]]] | None:
        """Return the number and the groups of a tenant's table; None where it never put one."""

    async def put_synonyms(
        self,
        tenant_id: str,
        groups: Sequence[Sequence[str]],
        *,
        read_version: int | None,
        actor: str,
        request_id: str,
    ) -> int:
        """Put a table in the place of the former one, with its audit entry; return its number.

        Raises `Conflict` (`version_conflict`) where the newest is another than `read_version` (None: any).
        """


class Extractions(Protocol):
    """What is not extracted, over all scopes."""

    async def sum_debts(self) -> ExtractionDebt:
        """Return how many messages wait, how long, and how many wait for a model to be configured."""

    async def open_works(
        self, *, with_awaiting: bool, limit: int, after: DueWork | None = None
    ) -> list[DueWork]:
        """Return sessions with messages that wait, in a fixed order, those after `after`."""

    async def count_outdated(self, *, version: int) -> tuple[int, int]:
        """Return how many sessions, and messages of them, were last extracted with an older prompt."""

    async def reset_outdated(self, *, version: int) -> int:
        """Let what was extracted with an older prompt be extracted again; returns how many sessions."""


class JobLedger(Protocol):
    """What the API tells of jobs, kept 7 days."""

    async def record(self, records: Sequence[JobRecord]) -> None:
        """Write or replace records by id."""

    async def job(self, job_id: str) -> JobRecord | None: ...

    async def jobs(
        self, tenant_id: str, *, status: JobStatus | None, limit: int, after_id: str | None
    ) -> list[JobRecord]:
        """Return a tenant's jobs and those of no tenant, newest first."""

    async def ids_of_scope(self, scope: Scope) -> list[str]:
        """Return the ids of a scope's jobs that have not ended, its erasure left out."""

    async def open_jobs(self, *, before_ms: int, limit: int, after_id: str) -> list[JobRecord]:
        """Return jobs of all tenants that have not ended, last told of by then, by id after `after_id`."""

    async def count_dead(self) -> int: ...

    async def prune(self, *, before_ms: int) -> int: ...
