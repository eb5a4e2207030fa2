"""What is due, over all scopes, on Redis.

Each scope has a due set of its own; an index of all scopes (in another slot of a cluster) says when
to look into it, never later than its earliest mark. A mark is taken by moving it to the end of its
lease, so work whose job is lost comes back by itself. Marks and leases are in service time, the test
clock's offset included; named locks and the notes of a dispatcher are in real time.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from shared.clock import Clock
from shared.engines.redis_stm.base import scope_member
from shared.engines.redis_stm.checks import check_server
from shared.engines.redis_stm.frames import Frames
from shared.engines.redis_stm.limits import StmLimits
from shared.engines.redis_stm.link import DISPATCHING, DUE_INDEX, Arg, RedisLink
from shared.model.job import ArchiveDebt, DueWork, JobName, JobOrder

_CLOCK_OFFSET = "bilayer:clock_offset_ms"
_COUNTS = "bilayer:counts"
_STALE_MS = 10_000
_SCAN_COUNT = 500


class RedisDueStore:
    """The port `DueStore` on Redis."""

    def __init__(self, link: RedisLink, *, clock: Clock, limits: StmLimits) -> None:
        self._link = link
        self._clock = clock
        self._limits = limits

    async def take_due(
        self, *, limit: int, lease_seconds: float, job: JobName | None = None
    ) -> list[tuple[DueWork, str | None]]:
        now_ms = self._clock.now_ms()
        scopes: list[bytes] = await self._link.run(
            "take_scopes", [DUE_INDEX, DISPATCHING], args=(now_ms, limit, _STALE_MS)
        )
        names = [name.decode() for name in scopes]
        args = ("", now_ms, int(lease_seconds * 1000))
        taken: list[tuple[DueWork, str | None]] = []
        back: list[Arg] = ["return"]
        # One after the other: what the limit leaves in a scope must not be leased.
        for name in names:
            left = limit - len(taken)
            answer = await self._link.run("take_due", [_gate(name)], args=(*args, left, job or ""))
            frames = Frames(answer)
            frames.text()
            for _ in range(frames.number()):
                work = _work(name, frames.text())
                taken.append((work, frames.text() or None))
            back += [name, frames.raw()]
        if names:
            await self._link.run("note_scopes", [DUE_INDEX, DISPATCHING], args=back)
        return taken

    async def note_orders(self, orders: Sequence[JobOrder], *, lease_seconds: float | None = None) -> None:
        seconds = self._limits.due_lease_seconds if lease_seconds is None else lease_seconds
        lease_ms = int(seconds * 1000)
        now_ms = self._clock.now_ms()
        works = [(_name(order), _member(order), order.id) for order in orders if order.scope_id]
        answers = await self._link.run_many(
            "move_due",
            [(_gate(name), ("", now_ms, member, "note", lease_ms, job_id)) for name, member, job_id in works],
        )
        marks = [(name, _next(answer)[1]) for (name, _, _), answer in zip(works, answers, strict=True)]
        await self._link.note_due(*((name, at_ms) for name, at_ms in marks if at_ms is not None))

    async def settle_due(self, work: DueWork) -> bool:
        limits = self._limits
        args = (
            limits.idle_ms,
            limits.archive_messages,
            limits.archive_tokens,
            limits.compact_tokens,
            int(limits.touch_seconds * 1000),
        )
        return await self._move(work, "settle_due", args=args) == 1

    async def postpone_due(self, work: DueWork, *, delay_seconds: float) -> int:
        return await self._move(work, "move_due", args=("postpone", int(delay_seconds * 1000), ""))

    async def bury_due(self, work: DueWork, *, job_id: str = "") -> None:
        await self._move(work, "move_due", args=("bury", 0, job_id))

    async def mark_due(self, work: DueWork) -> None:
        await self._move(work, "move_due", args=("mark", 0, ""))

    async def ensure_due(self, work: DueWork) -> None:
        await self._move(work, "move_due", args=("ensure", 0, ""))

    async def drop_scope(self, tenant_id: str, scope_id: str) -> None:
        await self._link.do("DEL", f"{{{scope_id}}}:due", f"{{{scope_id}}}:due:jobs")
        await self._link.do("ZREM", DUE_INDEX, scope_member(tenant_id, scope_id))

    async def mark_due_by(self, works: Sequence[DueWork], *, at_ms: int) -> list[DueWork]:
        now_ms = self._clock.now_ms()
        names = [_name(work) for work in works]
        calls = [
            (_gate(name), ("", now_ms, _member(work), "by", max(at_ms - now_ms, 0), ""))
            for name, work in zip(names, works, strict=True)
        ]
        answers = [_next(answer) for answer in await self._link.run_many("move_due", calls)]
        marks = [(name, next_ms) for name, (_, next_ms) in zip(names, answers, strict=True)]
        await self._link.note_due(*((name, next_ms) for name, next_ms in marks if next_ms is not None))
        return [work for work, (is_dead, _) in zip(works, answers, strict=True) if is_dead]

    async def sum_debts(self) -> ArchiveDebt:
        """Walk all scopes that have sessions; dead-lettered work is left out until it is marked again."""
        count, nowhere, oldest, cursor = 0, 0, None, 0
        while True:
            cursor, keys = await self._link.do("SCAN", cursor, "MATCH", "{*}:sessions", "COUNT", _SCAN_COUNT)
            scopes = [key.decode().removesuffix(":sessions") for key in keys]
            calls = [(f"{scope}:g", ("", self._clock.now_ms())) for scope in scopes]
            marks = []
            for scope, answer in zip(scopes, await self._link.run_many("sum_debt", calls), strict=True):
                frames = Frames(answer)
                frames.text()
                count += frames.number()
                nowhere += frames.number()
                first = frames.optional_number()
                tenant, next_ms = frames.text(), frames.optional_number()
                if first is not None:
                    oldest = first if oldest is None else min(oldest, first)
                if next_ms is not None and tenant:
                    marks.append((scope_member(tenant, scope[1:-1]), next_ms))
            await self._link.note_due(*marks)
            if int(cursor) == 0:
                return ArchiveDebt(count=count, oldest_ms=oldest, nowhere=nowhere)

    async def add_counts(self, counts: Mapping[str, float]) -> None:
        for name, count in counts.items():
            await self._link.do("HINCRBYFLOAT", _COUNTS, name, count)

    async def read_counts(self) -> dict[str, float]:
        found = await self._link.do("HGETALL", _COUNTS)
        pairs = found.items() if isinstance(found, dict) else zip(found[::2], found[1::2], strict=True)
        return {name.decode(): float(count) for name, count in pairs}

    async def read_clock_offset_ms(self) -> int:
        return int(await self._link.do("GET", _CLOCK_OFFSET) or 0)

    async def write_clock_offset_ms(self, offset_ms: int) -> None:
        await self._link.do("SET", _CLOCK_OFFSET, offset_ms)

    async def hold(self, name: str, owner: str, *, seconds: float) -> bool:
        answer = await self._link.run("hold", [f"bilayer:hold:{name}"], args=(owner, int(seconds * 1000)))
        return bool(answer == 1)

    async def write_report(self, name: str, report: Mapping[str, Any]) -> None:
        await self._link.do("SET", f"bilayer:report:{name}", json.dumps(dict(report)))

    async def read_report(self, name: str) -> dict[str, Any] | None:
        kept = await self._link.do("GET", f"bilayer:report:{name}")
        report: dict[str, Any] | None = None if kept is None else json.loads(kept)
        return report

    async def check(self) -> list[tuple[str, bool, str]]:
        return await check_server(self._link)

    async def _move(self, work: DueWork, script: str, *, args: tuple[Arg, ...]) -> int:
        name = _name(work)
        answer = await self._link.run(
            script, [_gate(name)], args=("", self._clock.now_ms(), _member(work), *args)
        )
        result, next_ms = _next(answer)
        if next_ms is not None:
            await self._link.note_due((name, next_ms))
        return result


def _gate(name: str) -> str:
    """Return the key by which scripts know a scope."""
    return f"{{{name.rpartition('/')[2]}}}:g"


def _member(work: DueWork | JobOrder) -> str:
    return f"{work.job}:{work.session_key}" if work.session_key else work.job


def _name(work: DueWork | JobOrder) -> str:
    return scope_member(work.tenant_id, work.scope_id)


def _work(name: str, member: str) -> DueWork:
    tenant_id, _, scope_id = name.rpartition("/")
    job, _, session_key = member.partition(":")
    return DueWork.model_validate(
        {"tenant_id": tenant_id, "scope_id": scope_id, "job": job, "session_key": session_key}
    )


def _next(answer: bytes) -> tuple[int, int | None]:
    frames = Frames(answer)
    frames.text()
    return frames.number(), frames.optional_number()
