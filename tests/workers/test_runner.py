"""What becomes of a job that fails, by what it failed of; and what the queue and the ledger are told."""

from __future__ import annotations

import asyncio
import contextlib
from datetime import timedelta
from typing import Any, cast

import pytest
from redis import Redis
from rq.timeouts import JobTimeoutException

from shared.errors import BilayerError, Missing, Unavailable
from shared.ids import new_id
from shared.model.job import DueWork, JobName, JobOrder, JobRecord
from shared.model.message import MessageBody, NewMessage
from shared.model.scope import Scope
from shared.services import DEFAULT_TENANT, Services
from tests.conftest import RedisServer
from workers import runner
from workers.jobs import JOBS
from workers.runner import run_order


async def say(services: Services, scope: Scope) -> DueWork:
    """Say something; returns the archive that it makes due."""
    said = NewMessage(id=new_id("msg"), role="user", body=MessageBody(content="我搬到了杭州"), tokens=9)
    appended = await services.stm.append_messages(scope, "s1", messages=[said])
    return DueWork(
        tenant_id=scope.tenant_id, scope_id=scope.scope_id, job="archive", session_key=appended.session.key
    )


async def told(services: Services, job_id: str) -> JobRecord:
    record = await services.ledger.job(job_id)
    assert record is not None
    return record


async def run_often(services: Services, work: DueWork) -> list[str]:
    """Run work as often as it comes back, at most nine times; returns what the ledger says after each run."""
    seen = list[str]()
    for _ in range(9):
        services.clock.offset += timedelta(minutes=20)
        for taken, job_id in await services.due.take_due(limit=9, lease_seconds=60):
            if taken == work:
                order = JobOrder(id=job_id or new_id("job"), **work.model_dump())
                await services.due.note_orders([order])
                await run_order(services, order)
                seen.append((await told(services, order.id)).status)
    return seen


class Hanging:
    """A job that never ends."""

    def __init__(self) -> None:
        self.has_begun = asyncio.Event()

    async def __call__(self, _services: Services, _order: JobOrder) -> dict[str, Any]:
        self.has_begun.set()
        await asyncio.sleep(60)
        return {}


@pytest.fixture
def short_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "time_limit_seconds", lambda _order: runner._WIND_UP_SECONDS + 0.05)


@pytest.mark.usefixtures("short_time")
async def test_work_that_takes_too_long_each_time_is_dead_after_five_tries(
    services: Services, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(JOBS, "archive", Hanging())
    work = await say(services, scope)
    assert await run_often(services, work) == ["retrying"] * 4 + ["dead"]
    (record,) = await services.ledger.jobs(scope.tenant_id, status="dead", limit=9, after_id=None)
    assert (record.reason, record.attempts) == ("time_limit", 5)


@pytest.mark.usefixtures("short_time")
async def test_a_job_without_a_target_that_takes_too_long_is_dead(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(JOBS, "sweep", Hanging())
    order = JobOrder(id=new_id("job"), job="sweep")
    assert await run_order(services, order) == "time_limit"
    assert (await told(services, order.id)).status == "dead"


async def test_a_job_that_the_queues_alarm_ends_has_failed(
    services: Services, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = await say(services, scope)
    for number in range(1, 6):
        monkeypatch.setitem(JOBS, "archive", hanging := Hanging())
        order = JobOrder(id="job_1", **work.model_dump())
        running = asyncio.create_task(run_order(services, order))
        await hanging.has_begun.wait()
        running.cancel()  # what `asyncio.run` does with it once the alarm has ended the loop
        with contextlib.suppress(asyncio.CancelledError):
            await running
        ended = await told(services, "job_1")
        assert (ended.status, ended.reason) == ("dead" if number == 5 else "retrying", "time_limit")


async def fail(error: Exception) -> dict[str, Any]:
    raise error


@pytest.mark.parametrize(
    ("job", "has_scope", "error", "status"),
    [
        ("archive", True, Missing("gone", code="scope_ended"), "finished"),
        ("erase", True, Missing("no such erasure"), "finished"),
        ("archive", True, Missing("spoilt", code="unreadable"), "retrying"),
        ("extract", True, Unavailable("later"), "retrying"),
        ("compact", True, ValueError("a bug"), "retrying"),
        ("compact", True, JobTimeoutException("too long"), "retrying"),
        ("restore", False, Missing("spoilt", code="unreadable"), "dead"),
        ("restore", False, Missing("no such snapshot"), "dead"),
        ("snapshot", False, Missing("gone", code="scope_ended"), "dead"),
        ("sweep", False, Unavailable("later"), "dead"),
    ],
)
async def test_a_failure_is_told_as_what_it_is(
    services: Services, scope: Scope, monkeypatch: pytest.MonkeyPatch, *, job: JobName, has_scope: bool,
    error: Exception, status: str,
) -> None:  # fmt: skip
    monkeypatch.setitem(JOBS, job, lambda _services, _order: fail(error))
    place = {"tenant_id": scope.tenant_id, "scope_id": scope.scope_id} if has_scope else {}
    code = await run_order(services, JobOrder(id="job_1", job=job, **place))
    ended = await told(services, "job_1")
    assert (ended.status, ended.attempts) == (status, 1)
    codes = {"ValueError": "ValueError", "JobTimeoutException": "time_limit"}
    assert ended.reason == (error.code if isinstance(error, BilayerError) else codes[type(error).__name__])
    assert code == (None if status == "finished" else ended.reason)


async def test_an_unreadable_session_is_dead_and_not_called_archived(
    services: Services, scope: Scope, redis_server: RedisServer
) -> None:
    work = await say(services, scope)
    with Redis.from_url(redis_server.url) as client:  # its id does not open: the key may be a wrong one
        client.hset(f"{{{scope.scope_id}}}:s:{work.session_key}:h", "id", b"?" * 60)
    assert await run_often(services, work) == ["retrying"] * 4 + ["dead"]
    assert (await services.due.sum_debts()).count == 0
    assert await services.ledger.count_dead() == 1


async def test_a_spoilt_message_keeps_no_other_from_the_archive(
    services: Services, scope: Scope, redis_server: RedisServer
) -> None:
    work = await say(services, scope)
    with Redis.from_url(redis_server.url) as client:
        key = f"{{{scope.scope_id}}}:s:{work.session_key}:m"
        packed = bytearray(cast("bytes", client.lindex(key, 0)))
        client.lset(key, 0, bytes(packed[:-1]) + bytes([packed[-1] ^ 1]))
    await say(services, scope)
    assert await run_often(services, work) == ["finished"]
    (record,) = await services.ledger.jobs(scope.tenant_id, status=None, limit=9, after_id=None)
    assert (record.result or {}) == {"messages": 1, "to_seq": 2, "unreadable": 1}
    assert (await services.due.sum_debts()).count == 0


async def test_a_scope_that_does_not_open_holds_up_no_other(
    services: Services, scope: Scope, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = await services.directory.ensure_scope(DEFAULT_TENANT, "user", outside_id="u2")
    read = services.ltm.read

    async def read_but_one(asked: Scope, work: Any) -> Any:
        if asked == scope:
            raise Missing("spoilt", code="unreadable")
        return await read(asked, work)

    monkeypatch.setattr(services.ltm, "read", read_but_one)
    assert other != scope
    swept = await JOBS["sweep"](services, JobOrder(id="job_1", job="sweep"))
    assert (swept["scopes"], swept["unreadable"]) == (1, 1)
