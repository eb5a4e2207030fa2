"""A job whose worker was killed comes to an end, though another job did its work and took its mark away."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from shared.ids import new_id
from shared.model.job import DueWork, JobOrder, JobRecord
from shared.model.message import MessageBody, NewMessage
from shared.model.scope import Scope
from shared.services import Services
from workers.jobs import run_reconcile
from workers.runner import run_order
from workers.schedule import dispatch_due

RECONCILE = JobOrder(id="job_reconcile_1", job="reconcile")


async def flush(services: Services, scope: Scope) -> JobOrder:
    """Say something and order its archive, as a caller's flush does."""
    said = NewMessage(id=new_id("msg"), role="user", body=MessageBody(content="我搬到了杭州"), tokens=9)
    appended = await services.stm.append_messages(scope, "s1", messages=[said])
    order = JobOrder(
        id=new_id("job"),
        job="archive",
        tenant_id=scope.tenant_id,
        scope_id=scope.scope_id,
        session_key=appended.session.key,
        request_id="req_1",
    )
    await services.order([order])
    return order


async def kill(services: Services, order: JobOrder, **told: Any) -> None:
    """Leave what a killed worker leaves once the queue has given its job up: the ledger's last word."""
    await services.queue.remove([order.id])
    known = await services.ledger.job(order.id)
    assert known is not None
    await services.ledger.record([known.model_copy(update=told)])


async def work(services: Services, orders: Sequence[JobOrder]) -> None:
    """Run what the queue holds of these."""
    for order in orders:
        if await services.queue.remove([order.id]):
            assert await run_order(services, order) is None


async def reconcile(services: Services) -> int:
    lost: int = (await run_reconcile(services, RECONCILE))["lost"]
    return lost


async def told(services: Services, job_id: str) -> JobRecord:
    record = await services.ledger.job(job_id)
    assert record is not None
    return record


@pytest.mark.parametrize(
    "last",
    [
        {"status": "queued"},
        {"status": "running", "attempts": 1},
        {"status": "retrying", "attempts": 1, "reason": "ltm_unavailable"},
    ],
    ids=["before it began", "at work", "before its next try"],
)
async def test_a_flush_ends_whose_worker_was_killed_and_whose_work_another_flush_did(
    services: Services, scope: Scope, last: dict[str, Any]
) -> None:
    first = await flush(services, scope)
    await kill(services, first, **last)
    second = await flush(services, scope)
    await work(services, [first, second])
    assert (await told(services, second.id)).status == "finished"
    assert await reconcile(services) == 0  # it may only just have been taken
    services.clock.offset += timedelta(minutes=2)
    assert await services.due.take_due(limit=9, lease_seconds=60) == []  # no mark speaks for it
    assert await reconcile(services) == 1
    assert await services.queue.alive([first.id, second.id]) == {first.id}
    services.clock.offset += timedelta(minutes=2)
    assert await reconcile(services) == 0  # it waits, however long
    await work(services, [first, second])
    ended = await told(services, first.id)
    assert (ended.status, ended.request_id) == ("finished", "req_1")
    assert ended.attempts == last.get("attempts", 0) + 1
    assert (ended.result or {})["messages"] == 0  # the other one archived them
    services.clock.offset += timedelta(minutes=9)
    assert await reconcile(services) == 0
    assert await services.due.take_due(limit=9, lease_seconds=60) == []


async def test_a_job_that_ends_while_the_queue_is_asked_is_not_run_again(
    services: Services, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    order = await flush(services, scope)
    alive = services.queue.alive

    async def run_meanwhile(job_ids: Sequence[str]) -> set[str]:
        await work(services, [order])
        return await alive(job_ids)

    monkeypatch.setattr(services.queue, "alive", run_meanwhile)
    services.clock.offset += timedelta(minutes=2)
    assert await reconcile(services) == 0
    assert (await told(services, order.id)).status == "finished"


async def test_a_lost_job_over_all_scopes_runs_again(services: Services) -> None:
    order = JobOrder(id=new_id("job"), job="sweep")
    await services.order([order])
    await kill(services, order, status="running", attempts=1)
    services.clock.offset += timedelta(minutes=2)
    assert await reconcile(services) == 1
    await work(services, [order])
    assert (await told(services, order.id)).status == "finished"


@pytest.mark.parametrize(
    ("job", "attempts"), [("restore", 1), ("sweep", 5)], ids=["a restore that had begun", "five lost workers"]
)
async def test_what_must_not_run_again_is_dead_with_its_reason(
    services: Services, job: Any, attempts: int
) -> None:
    order = JobOrder(id=new_id("job"), job=job)
    await services.order([order])
    await kill(services, order, status="running", attempts=attempts)
    services.clock.offset += timedelta(minutes=2)
    assert await reconcile(services) == 1
    ended = await told(services, order.id)
    assert (ended.status, ended.reason) == ("dead", "worker_lost")
    assert await services.queue.alive([order.id]) == set()
    assert await reconcile(services) == 0


async def test_work_that_takes_its_worker_along_each_time_is_dead_and_stays_dead(
    services: Services, scope: Scope
) -> None:
    order = await flush(services, scope)
    for attempt in range(1, 6):
        assert (await told(services, order.id)).status == "queued"
        await kill(services, order, status="running", attempts=attempt)
        services.clock.offset += timedelta(minutes=3)
        await reconcile(services)
    for _ in range(3):
        ended = await told(services, order.id)
        assert (ended.status, ended.reason, ended.attempts) == ("dead", "worker_lost", 5)
        services.clock.offset += timedelta(minutes=3)
        assert await dispatch_due(services) == 0
        assert await reconcile(services) == 0
    await services.due.mark_due(DueWork(**order.model_dump(include=set(DueWork.model_fields))))
    assert await dispatch_due(services) == 1  # as an operator's retry does


async def test_a_lost_job_takes_no_mark_away_that_another_job_answers(
    services: Services, scope: Scope
) -> None:
    first = await flush(services, scope)
    await kill(services, first, status="running", attempts=5)
    second = await flush(services, scope)
    services.clock.offset += timedelta(minutes=3)
    assert await reconcile(services) == 1
    assert (await told(services, first.id)).status == "dead"
    assert [job_id for _, job_id in await services.due.take_due(limit=9, lease_seconds=60)] == [second.id]


async def test_a_job_that_waits_for_its_next_try_is_not_taken_for_one_that_kills_workers(
    services: Services, scope: Scope
) -> None:
    order = await flush(services, scope)
    await kill(services, order, status="retrying", attempts=6, reason="ltm_unavailable")
    services.clock.offset += timedelta(minutes=20)
    assert await reconcile(services) == 1
    assert (await told(services, order.id)).status == "queued"
