"""The directory and the ledger of jobs in dictionaries."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from hashlib import sha256

from shared.clock import Clock
from shared.errors import Missing
from shared.ids import new_id, new_row_id
from shared.ltm.index import INDEX_VERSION
from shared.model.job import JobRecord, JobStatus
from shared.model.memory import AuditEntry, AuditFilter
from shared.model.scope import ApiKey, Permission, Scope, ScopeKind
from tests.fakes.memory_ltm import MemoryLtm


class MemoryDirectory:
    """The fake of `Directory`; it shares the audit and the ended scopes with the fake memory."""

    def __init__(self, ltm: MemoryLtm, clock: Clock) -> None:
        self._ltm = ltm
        self._clock = clock
        self._scopes: dict[tuple[str, str, str], Scope] = {}
        self._keys: dict[str, ApiKey] = {}

    async def find_scope(self, tenant_id: str, kind: ScopeKind, *, outside_id: str) -> Scope | None:
        scope = self._scopes.get((tenant_id, kind, outside_id))
        return None if scope is None or scope.scope_id in self._ltm.ended else scope

    async def ensure_scope(self, tenant_id: str, kind: ScopeKind, *, outside_id: str) -> Scope:
        found = await self.find_scope(tenant_id, kind, outside_id=outside_id)
        if found is None:
            found = Scope(tenant_id=tenant_id, scope_id=new_row_id("scp"), kind=kind)
            self._scopes[tenant_id, kind, outside_id] = found
        return found

    async def scope_by_id(self, tenant_id: str, scope_id: str) -> Scope | None:
        living = (s for s in self._scopes.values() if s.scope_id not in self._ltm.ended)
        return next((s for s in living if (s.tenant_id, s.scope_id) == (tenant_id, scope_id)), None)

    async def scopes_after(self, scope: Scope | None, *, limit: int) -> list[Scope]:
        living = [each for each in self._scopes.values() if each.scope_id not in self._ltm.ended]
        in_order = sorted(living, key=lambda each: (each.tenant_id, each.scope_id))
        after = ("", "") if scope is None else (scope.tenant_id, scope.scope_id)
        return [each for each in in_order if (each.tenant_id, each.scope_id) > after][:limit]

    async def scopes_to_weigh(self, *, version: int, limit: int) -> list[Scope]:
        living = await self.scopes_after(None, limit=limit)
        return [scope for scope in living if self._unweighed(scope, version=version)]

    async def scopes_to_embed(self, *, model: str, limit: int) -> list[Scope]:
        living = await self.scopes_after(None, limit=limit)
        return [scope for scope in living if self._unembedded(scope, model=model)]

    def _unembedded(self, scope: Scope, *, model: str) -> bool:
        tenant = self._ltm.tenants.get(scope.tenant_id)
        state = tenant.scopes.get(scope.scope_id) if tenant else None
        if state is None or not state.rows:
            return False
        noted = state.vectors.embedded.get(model)
        return noted != (state.vectors.edits, max(state.rows))

    async def scopes_to_reindex(self, *, version: int, limit: int) -> list[Scope]:
        living = await self.scopes_after(None, limit=len(self._scopes))
        return [scope for scope in living if self._index_version(scope) != version][:limit]

    def _index_version(self, scope: Scope) -> int:
        tenant = self._ltm.tenants.get(scope.tenant_id)
        state = tenant.scopes.get(scope.scope_id) if tenant else None
        return INDEX_VERSION if state is None else state.index_version

    async def count_unweighed(self, *, version: int) -> tuple[int, int | None]:
        living = await self.scopes_after(None, limit=len(self._scopes))
        times = [at_ms for scope in living for at_ms in self._unweighed(scope, version=version)]
        return len(times), min(times, default=None)

    def _unweighed(self, scope: Scope, *, version: int) -> list[int]:
        tenant = self._ltm.tenants.get(scope.tenant_id)
        state = tenant.scopes.get(scope.scope_id) if tenant else None
        memories = state.memories.values() if state else ()
        return [
            memory.created_at_ms
            for memory in memories
            if state is not None
            and memory.status == "active"
            and 0 <= state.ages.versions.get(memory.id, 0) < version
        ]

    async def outside_id(self, scope: Scope) -> str:
        living = await self.scope_by_id(scope.tenant_id, scope.scope_id)
        for (_, _, outside_id), known in self._scopes.items():
            if living is not None and known == living:
                return outside_id
        raise Missing("This scope has ended.", code="scope_ended")

    async def find_key(self, key_hash: str) -> ApiKey | None:
        key = self._keys.get(key_hash)
        return key if key is not None and key.revoked_at_ms is None else None

    async def create_key(
        self, tenant_id: str, *, label: str, permissions: Sequence[Permission]
    ) -> tuple[ApiKey, str]:
        secret = f"bl_{secrets.token_urlsafe(32)}"
        now_ms = self._clock.now_ms()
        key = ApiKey(
            id=new_id("key", now_ms=now_ms),
            tenant_id=tenant_id,
            label=label,
            permissions=tuple(permissions),
            created_at_ms=now_ms,
        )
        self._keys[sha256(secret.encode()).hexdigest()] = key
        return key, secret

    async def list_keys(self, tenant_id: str) -> list[ApiKey]:
        return [key for key in self._keys.values() if key.tenant_id == tenant_id]

    async def revoke_key(self, tenant_id: str, key_id: str) -> bool:
        for name, key in self._keys.items():
            if (key.tenant_id, key.id, key.revoked_at_ms) == (tenant_id, key_id, None):
                self._keys[name] = key.model_copy(update={"revoked_at_ms": self._clock.now_ms()})
                return True
        return False

    async def tenant_audit(self, tenant_id: str, wanted: AuditFilter) -> list[AuditEntry]:
        tenant = self._ltm.tenants.get(tenant_id)
        lines = [line for line in reversed(tenant.audit if tenant else []) if not line.scope_id]
        return lines[: wanted.limit]

    async def verify_audit(self, tenant_id: str) -> tuple[bool, int, str]:
        tenant = self._ltm.tenants.get(tenant_id)
        return True, len(tenant.audit) if tenant else 0, ""


class MemoryLedger:
    """The fake of `JobLedger`."""

    def __init__(self) -> None:
        self._records: dict[str, JobRecord] = {}

    async def record(self, records: Sequence[JobRecord]) -> None:
        self._records.update({record.id: record for record in records})

    async def job(self, job_id: str) -> JobRecord | None:
        return self._records.get(job_id)

    async def jobs(
        self, tenant_id: str, *, status: JobStatus | None, limit: int, after_id: str | None
    ) -> list[JobRecord]:
        if after_id is not None and after_id not in self._records:
            return []
        after = None if after_id is None else self._records[after_id]
        found = [
            record
            for record in self._records.values()
            if record.tenant_id in (tenant_id, "")
            and (status is None or record.status == status)
            and (after is None or (record.queued_at_ms, record.id) < (after.queued_at_ms, after.id))
        ]
        return sorted(found, key=lambda record: (record.queued_at_ms, record.id), reverse=True)[:limit]

    async def ids_of_scope(self, scope: Scope) -> list[str]:
        return [
            record.id
            for record in self._records.values()
            if (record.tenant_id, record.scope_id) == (scope.tenant_id, scope.scope_id)
            and record.job != "erase"
            and record.status in ("queued", "running", "retrying")
        ]

    async def open_jobs(self, *, before_ms: int, limit: int, after_id: str) -> list[JobRecord]:
        found = [
            record
            for record in self._records.values()
            if record.status in ("queued", "running", "retrying")
            and (record.finished_at_ms or record.started_at_ms or record.queued_at_ms) <= before_ms
            and record.id > after_id
        ]
        return sorted(found, key=lambda record: record.id)[:limit]

    async def count_dead(self) -> int:
        return sum(record.status == "dead" for record in self._records.values())

    async def prune(self, *, before_ms: int) -> int:
        old = [record.id for record in self._records.values() if record.queued_at_ms < before_ms]
        for job_id in old:
            del self._records[job_id]
        return len(old)
