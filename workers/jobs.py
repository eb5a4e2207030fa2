"""One function for each job name: from a payload of ids to a verb of the rooms."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any

from shared.errors import BilayerError, Missing
from shared.extraction.importance import RULE_VERSION
from shared.log import get_logger
from shared.ltm.archive import ArchiveReport, archive_session
from shared.model.job import LAG_REPORT, DueWork, JobName, JobOrder
from shared.model.scope import Scope
from shared.recall.touch import touch_memories
from shared.services import Services
from shared.stm.compact import SummaryRefused, compact_session
from shared.stm.leave import leave_digest
from workers.extracting import extract_archived, follow_archive, mark_extraction, sum_extractions
from workers.life_jobs import run_embed, run_reindex, run_score, run_sweep
from workers.lost_jobs import end_lost_jobs
from workers.store_jobs import run_erase, run_restore, run_snapshot

Job = Callable[[Services, JobOrder], Awaitable[dict[str, Any]]]
RunWork = Callable[[Services, DueWork], Awaitable[dict[str, Any]]]
_LEDGER_DAYS = 7
_DAY_MS = 86_400_000
_DUE_LIMIT = 10_000
_LEASE_SECONDS = 60.0
_BATCH = 200


async def run_archive(services: Services, order: JobOrder) -> dict[str, Any]:
    """Archive one session, or every session that is due."""
    if order.scope_id:
        return await _archive(services, _work(order))
    return await _run_due(services, "archive", run=_archive)


async def run_extract(services: Services, order: JobOrder) -> dict[str, Any]:
    """Extract one session, or every session with messages that wait, idle or not."""
    if order.scope_id:
        return await _extract(services, _work(order))
    every = EveryWork(services, _extract)
    after: DueWork | None = None
    while works := await services.extractions.open_works(with_awaiting=True, limit=_BATCH, after=after):
        await every.run(works)
        after = works[-1]
    return every.told()


async def run_compact(services: Services, order: JobOrder) -> dict[str, Any]:
    """Summarise one session, or every session that is due."""
    if order.scope_id:
        return await _compact(services, _work(order))
    return await _run_due(services, "compact", run=_compact)


async def run_touch(services: Services, order: JobOrder) -> dict[str, Any]:
    """Write the access counts of one scope, or of every scope that is due."""
    if order.scope_id:
        return await _touch(services, _work(order))
    return await _run_due(services, "touch", run=_touch)


async def run_reconcile(services: Services, _order: JobOrder) -> dict[str, Any]:
    """Count what is not archived or weighed yet, bring back lost marks and jobs, prune the ledger."""
    now_ms = services.clock.now_ms()
    debt = await services.due.sum_debts()
    for erasure in await services.erasures.unfinished():
        await services.due.ensure_due(
            DueWork(tenant_id=erasure.tenant_id, scope_id=erasure.scope_id, job="erase")
        )
    unweighed, unweighed_ms = await services.directory.count_unweighed(version=RULE_VERSION)
    dead = await services.ledger.count_dead()
    pruned = await services.ledger.prune(before_ms=now_ms - _LEDGER_DAYS * _DAY_MS)
    report = {
        "archive_count": debt.count,
        "archive_oldest_ms": debt.oldest_ms,
        "score_count": unweighed,
        "score_oldest_ms": unweighed_ms,
        "nowhere": debt.nowhere,
        "dead": dead,
        **await sum_extractions(services),
        "checked_at_ms": now_ms,
    }
    await services.due.write_report(LAG_REPORT, report)
    return {**report, "pruned": pruned, "lost": await end_lost_jobs(services)}


JOBS: dict[JobName, Job] = {
    "archive": run_archive,
    "extract": run_extract,
    "compact": run_compact,
    "touch": run_touch,
    "score": run_score,
    "embed": run_embed,
    "sweep": run_sweep,
    "erase": run_erase,
    "snapshot": run_snapshot,
    "restore": run_restore,
    "reconcile": run_reconcile,
    "reindex": run_reindex,
}


def _work(order: JobOrder) -> DueWork:
    return DueWork(
        tenant_id=order.tenant_id, scope_id=order.scope_id, job=order.job, session_key=order.session_key
    )


async def _scope_of(services: Services, work: DueWork) -> Scope:
    scope = await services.directory.scope_by_id(work.tenant_id, work.scope_id)
    if scope is None:
        await services.due.drop_scope(work.tenant_id, work.scope_id)
        raise Missing("The scope has ended.", code="scope_ended")
    return scope


async def _archive(services: Services, work: DueWork) -> dict[str, Any]:
    scope = await _scope_of(services, work)
    report = await archive_and_digest(services, scope, session_key=work.session_key)
    await services.due.settle_due(work)
    return report.model_dump()


async def _extract(services: Services, work: DueWork) -> dict[str, Any]:
    """Archive first, so that what was said a second ago is read too."""
    scope = await _scope_of(services, work)
    await archive_and_digest(services, scope, session_key=work.session_key)
    report = await extract_archived(services, scope, session_key=work.session_key)
    await services.due.settle_due(work)
    await mark_extraction(services, scope, session_key=work.session_key)
    return report.model_dump()


async def archive_and_digest(services: Services, scope: Scope, *, session_key: str) -> ArchiveReport:
    """Archive a session; what it would leave to the next one is kept with it."""
    find_secrets = services.compact_rules.find_secrets
    await leave_digest(scope, session_key, find_secrets=find_secrets, stm=services.stm, ltm=services.ltm)
    report = await archive_session(
        scope,
        session_key,
        window_tokens=services.settings.prompt_tokens,
        mask=services.turn_rules.mask_text,
        stm=services.stm,
        ltm=services.ltm,
    )
    if report.unreadable:
        get_logger().warning("messages_spoilt", count=report.unreadable)
    if report.messages:
        await follow_archive(services, scope, session_key=session_key)
    return report


async def _compact(services: Services, work: DueWork) -> dict[str, Any]:
    """Archive first, so that what a summary replaces may leave short-term memory."""
    scope = await _scope_of(services, work)
    await archive_and_digest(services, scope, session_key=work.session_key)
    try:
        report = await compact_session(
            scope,
            work.session_key,
            now_ms=services.clock.now_ms(),
            rules=services.compact_rules,
            stm=services.stm,
            ltm=services.ltm,
            model=services.model,
        )
    except SummaryRefused as refused:
        await _count_repairs(services, refused.repairs)
        raise
    await _count_repairs(services, report.repairs)
    await services.due.settle_due(work)
    return report.model_dump()


async def _count_repairs(services: Services, repairs: Mapping[str, int]) -> None:
    if repairs:
        counts = {f"summary_repairs_total:{reason}": float(count) for reason, count in repairs.items()}
        await services.due.add_counts(counts)


async def _touch(services: Services, work: DueWork) -> dict[str, Any]:
    scope = await _scope_of(services, work)
    touched = await touch_memories(scope, now_ms=services.clock.now_ms(), stm=services.stm, ltm=services.ltm)
    await services.due.settle_due(work)
    return {"rows": touched}


async def _run_due(services: Services, job: JobName, *, run: RunWork) -> dict[str, Any]:
    """Run a job for all that is due of it."""
    taken = await services.due.take_due(limit=_DUE_LIMIT, lease_seconds=_LEASE_SECONDS, job=job)
    every = EveryWork(services, run)
    await every.run([work for work, _ in taken])
    return every.told()


class EveryWork:
    """Runs works one after the other; what fails stays due, and keeps none after it from its turn."""

    def __init__(self, services: Services, run: RunWork) -> None:
        self._services = services
        self._run = run
        self._ran = 0
        self._failures: list[BilayerError] = []

    async def run(self, works: Sequence[DueWork]) -> None:
        """Run some works; a scope that has ended is passed over."""
        for work in works:
            try:
                await self._run(self._services, work)
                self._ran += 1
            except BilayerError as error:
                if error.code != "scope_ended":
                    self._failures.append(error)

    def told(self) -> dict[str, Any]:
        """Return how many ran. Raises the first failure where there was one."""
        if self._failures:
            raise self._failures[0]
        return {"ran": self._ran}
