"""A job whose worker was killed comes to an end, though another job did its work and took its mark away."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from shared.ids import new_id
from shared.model.job import JobOrder, JobRecord
from shared.model.message import MessageBody, NewMessage
from shared.model.scope import Scope
from shared.services import DEFAULT_TENANT, Services, open_services
from shared.settings import Settings
from tests.conftest import RedisServer
from workers.jobs import run_reconcile
from workers.runner import run_order

RECONCILE = JobOrder(id="job_reconcile_1", job="reconcile")


@pytest.fixture
async def services(redis_server: RedisServer, tmp_path: Path) -> AsyncIterator[Services]:
    settings = Settings(data_dir=tmp_path, redis_url=redis_server.url, environment="test")
    opened = await open_services(settings)
    yield opened
    await opened.close()


@pytest.fixture
async def scope(services: Services) -> Scope:
    return await services.directory.ensure_scope(DEFAULT_TENANT, "user", outside_id="u1")


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
