"""Ordering jobs: told to the ledger, remembered beside what is due, then queued."""

from __future__ import annotations

from collections.abc import Sequence

from shared.model.job import DueWork, JobOrder, JobRecord
from shared.ports.directory import JobLedger
from shared.ports.llm import JobQueue
from shared.ports.stm import DueStore


async def order_jobs(
    orders: Sequence[JobOrder], *, now_ms: int, due: DueStore, ledger: JobLedger, queue: JobQueue
) -> None:
    """Queue jobs. The due mark outlives a crash between any two steps, and brings the work back.

    A job that is ordered again keeps its id, its attempts, and the request that caused it.
    """
    await ledger.record([await _next_record(order, now_ms=now_ms, ledger=ledger) for order in orders])
    await due.note_orders([order for order in orders if order.scope_id])
    await queue.enqueue(orders)


async def _next_record(order: JobOrder, *, now_ms: int, ledger: JobLedger) -> JobRecord:
    record = record_of(order, now_ms=now_ms)
    known = await ledger.job(order.id)
    if known is None:
        return record
    kept = {"attempts": known.attempts, "request_id": order.request_id or known.request_id}
    return record.model_copy(update=kept)


def record_of(order: JobOrder, *, now_ms: int) -> JobRecord:
    """Return the ledger's first record of an order."""
    return JobRecord(
        id=order.id,
        job=order.job,
        status="queued",
        queued_at_ms=now_ms,
        tenant_id=order.tenant_id,
        scope_id=order.scope_id,
        session_key=order.session_key,
        request_id=order.request_id,
        options=order.options,
    )


def order_of(record: JobRecord) -> JobOrder:
    """Return the order that brings a job of the ledger into the queue again."""
    return JobOrder(
        id=record.id,
        job=record.job,
        tenant_id=record.tenant_id,
        scope_id=record.scope_id,
        session_key=record.session_key,
        request_id=record.request_id,
        options=record.options,
    )


def work_of(order: JobOrder | JobRecord) -> DueWork | None:
    """Return the due work that an order answers; None for one without a target."""
    if not order.scope_id:
        return None
    return DueWork(
        tenant_id=order.tenant_id, scope_id=order.scope_id, job=order.job, session_key=order.session_key
    )
