"""The due store in this process, over the same state as `memory_stm`."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from typing import Any

from shared.clock import Clock
from shared.engines.redis_stm.limits import StmLimits
from shared.model.job import ArchiveDebt, DueWork, JobName, JobOrder
from tests.fakes.memory_state import MemoryState, Place, is_full


class MemoryDueStore:
    """The port `DueStore` in memory."""

    def __init__(self, state: MemoryState, *, clock: Clock, limits: StmLimits) -> None:
        self._state = state
        self._clock = clock
        self._limits = limits
        self._offset_ms = 0
        self._holds: dict[str, tuple[str, float]] = {}
        self._counts: dict[str, float] = {}
        self._reports: dict[str, str] = {}

    async def take_due(
        self, *, limit: int, lease_seconds: float, job: JobName | None = None
    ) -> list[tuple[DueWork, str | None]]:
        now_ms = self._clock.now_ms()
        ready = sorted(
            (at, scope_id, member)
            for scope_id, place in self._state.places.items()
            for member, at in place.due.items()
            if at <= now_ms and job in (None, member.partition(":")[0])
        )
        taken = []
        for _, scope_id, member in ready[:limit]:
            place = self._state.places[scope_id]
            place.due[member] = now_ms + int(lease_seconds * 1000)
            name, _, key = member.partition(":")
            fields = {"tenant_id": place.tenant_id, "scope_id": scope_id, "job": name, "session_key": key}
            taken.append((DueWork.model_validate(fields), place.jobs.get(member)))
        return taken

    async def note_orders(self, orders: Sequence[JobOrder], *, lease_seconds: float | None = None) -> None:
        seconds = self._limits.due_lease_seconds if lease_seconds is None else lease_seconds
        for order in orders:
            if order.scope_id:
                place = self._state.places.setdefault(order.scope_id, Place(order.tenant_id))
                member = _member(order)
                place.jobs[member] = order.id
                place.due[member] = self._clock.now_ms() + int(seconds * 1000)

    async def settle_due(self, work: DueWork) -> bool:
        place, member, now_ms = self._place(work), _member(work), self._clock.now_ms()
        self._clear(place, member)
        place.due.pop(member, None)
        room = place.rooms.get(work.session_key)
        if work.job == "touch":
            if place.accesses or place.taken:
                place.due[member] = now_ms + int(self._limits.touch_seconds * 1000)
        elif work.job == "compact":
            if room is not None:
                is_over = room.open_tokens > self._limits.compact_tokens
                room.compact_next = room.open_tokens + 1_500 if is_over else 0
        elif work.job == "archive" and room is not None and room.unarchived:
            room.due = now_ms if is_full(room, self._limits) else room.last_at + self._limits.idle_ms
            place.due[member] = room.due
        return member in place.due

    async def postpone_due(self, work: DueWork, *, delay_seconds: float) -> int:
        place, member = self._place(work), _member(work)
        place.due[member] = self._clock.now_ms() + int(delay_seconds * 1000)
        place.failures[member] = place.failures.get(member, 0) + 1
        return place.failures[member]

    async def bury_due(self, work: DueWork, *, job_id: str = "") -> None:
        place = self._place(work)
        if job_id and place.jobs.get(_member(work)) != job_id:
            return
        place.due.pop(_member(work), None)
        place.buried.add(_member(work))
        room = place.rooms.get(work.session_key)
        if work.job == "compact" and room is not None:
            room.compact_next = room.open_tokens + 1_500

    async def mark_due(self, work: DueWork) -> None:
        place, member = self._place(work), _member(work)
        place.due[member] = self._clock.now_ms()
        place.failures.pop(member, None)
        place.buried.discard(member)

    async def ensure_due(self, work: DueWork) -> None:
        place, member = self._place(work), _member(work)
        if member not in place.buried:
            place.due.setdefault(member, self._clock.now_ms())

    async def drop_scope(self, tenant_id: str, scope_id: str) -> None:
        place = self._state.places.setdefault(scope_id, Place(tenant_id))
        for kept in (place.due, place.jobs, place.failures, place.buried):
            kept.clear()

    async def mark_due_by(self, works: Sequence[DueWork], *, at_ms: int) -> list[DueWork]:
        dead = []
        for work in works:
            place, member = self._place(work), _member(work)
            at = max(at_ms, self._clock.now_ms())
            if member in place.buried:
                dead.append(work)
            elif member in place.failures:
                place.due.setdefault(member, at)
            else:
                place.due[member] = min(place.due.get(member, at), at)
        return dead

    async def sum_debts(self) -> ArchiveDebt:
        waiting, nowhere = [], 0
        for place in self._state.places.values():
            if place.generation is not None:  # it has ended
                continue
            for key, room in place.rooms.items():
                member = f"archive:{key}"
                if room.unarchived and (member not in place.buried or member in place.due):
                    waiting += [message.received_at_ms for message in room.unarchived]
                    nowhere += len(room.unarchived) if member not in place.due else 0
                    place.due.setdefault(member, self._clock.now_ms())
        return ArchiveDebt(count=len(waiting), oldest_ms=min(waiting, default=None), nowhere=nowhere)

    async def read_clock_offset_ms(self) -> int:
        return self._offset_ms

    async def write_clock_offset_ms(self, offset_ms: int) -> None:
        self._offset_ms = offset_ms

    async def hold(self, name: str, owner: str, *, seconds: float) -> bool:
        holder, until = self._holds.get(name, (owner, 0.0))
        if holder != owner and until > time.monotonic():
            return False
        self._holds[name] = (owner, time.monotonic() + seconds)
        return True

    async def write_report(self, name: str, report: Mapping[str, Any]) -> None:
        self._reports[name] = json.dumps(dict(report))

    async def read_report(self, name: str) -> dict[str, Any] | None:
        report: dict[str, Any] | None = json.loads(self._reports.get(name, "null"))
        return report

    async def add_counts(self, counts: Mapping[str, float]) -> None:
        for name, count in counts.items():
            self._counts[name] = self._counts.get(name, 0.0) + count

    async def read_counts(self) -> dict[str, float]:
        return dict(self._counts)

    async def check(self) -> list[tuple[str, bool, str]]:
        return [(name, True, "in memory") for name in ("reachable", "maxmemory-policy", "appendonly")]

    def _place(self, work: DueWork) -> Place:
        return self._state.places.setdefault(work.scope_id, Place(work.tenant_id))

    def _clear(self, place: Place, member: str) -> None:
        place.jobs.pop(member, None)
        place.failures.pop(member, None)
        place.buried.discard(member)


def _member(work: DueWork | JobOrder) -> str:
    return f"{work.job}:{work.session_key}" if work.session_key else work.job
