"""A model that is down is asked by few jobs, not by each that is due; what jobs ask of it is counted."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from shared.errors import Unavailable
from shared.ids import new_id
from shared.model.job import DueWork, JobName, JobOrder, JobRecord
from shared.model.message import MessageBody, NewMessage
from shared.ports.llm import LlmUse
from shared.services import DEFAULT_TENANT, Services, open_services
from shared.settings import Settings
from tests.conftest import RedisServer
from tests.fakes.upstream import Script, Upstream
from workers import runner
from workers.jobs import JOBS
from workers.runner import run_order

OK = LlmUse(purpose="summary", outcome="ok", prompt_tokens=7, completion_tokens=2)
DOWN = LlmUse(purpose="summary", outcome="unavailable", prompt_tokens=0, completion_tokens=0, is_outage=True)
ITS_OWN_FAULT = DOWN.model_copy(update={"is_outage": False})


def order_of(user: int, job: JobName = "extract", **more: str) -> JobOrder:
    return JobOrder(
        id=f"job_{job}_{user}", job=job, tenant_id="t", scope_id=f"scp_{user}", session_key="k", **more
    )


async def told(services: Services, order: JobOrder) -> JobRecord:
    record = await services.ledger.job(order.id)
    assert record is not None
    return record


class Jobs:
    """Runs orders by a model that does what a test says; remembers which came to ask it."""

    def __init__(self, services: Services, monkeypatch: pytest.MonkeyPatch) -> None:
        self.services = services
        self.use = DOWN
        self.asked: list[str] = []
        self._uses: list[LlmUse] = []
        for job in ("archive", "extract", "compact"):
            monkeypatch.setitem(JOBS, job, self._ask)

    async def _ask(self, _services: Services, order: JobOrder) -> dict[str, Any]:
        self.asked.append(order.id)
        if order.job != "archive":
            self._uses.append(self.use)
            if self.use.outcome != "ok":
                raise Unavailable("x", code="llm_unavailable")
        return {}

    async def run(self, order: JobOrder, *, after_seconds: float = 0) -> str:
        """Run an order some time later; returns what the ledger says of it."""
        self.services.clock.offset += timedelta(seconds=after_seconds)
        self._uses = []
        await run_order(self.services, order, uses=self._uses)
        return (await told(self.services, order)).status


@pytest.fixture
def jobs(services: Services, monkeypatch: pytest.MonkeyPatch) -> Jobs:
    return Jobs(services, monkeypatch)


@pytest.mark.parametrize("job", ["extract", "compact"])
async def test_while_the_model_rests_due_jobs_are_put_off_and_have_not_failed(
    jobs: Jobs, job: JobName
) -> None:
    assert await jobs.run(order_of(1, job)) == "retrying"
    assert await jobs.run(order_of(2, job)) == "retrying"
    assert jobs.asked == [f"job_{job}_1"]
    record = await told(jobs.services, order_of(2, job))
    assert (record.attempts, record.reason) == (0, "llm_unavailable")
    jobs.services.clock.offset += timedelta(seconds=6)
    taken = await jobs.services.due.take_due(limit=9, lease_seconds=60)
    assert [job_id for _, job_id in taken] == [f"job_{job}_2"]  # the rest is over, its own pause not yet
    jobs.use = OK
    assert await jobs.run(order_of(2, job)) == "finished"
    assert await jobs.run(order_of(3, job)) == "finished"


async def test_a_rest_doubles_with_each_outage_in_a_row_up_to_a_minute(jobs: Jobs) -> None:
    for rest in (5, 10, 20, 40, 60, 60):
        asked = len(jobs.asked)
        await jobs.run(order_of(asked))
        await jobs.run(order_of(99), after_seconds=rest - 1)
        assert len(jobs.asked) == asked + 1
        jobs.services.clock.offset += timedelta(seconds=1)
    jobs.use = OK
    assert await jobs.run(order_of(99)) == "finished"
    jobs.use = DOWN
    await jobs.run(order_of(100))
    jobs.use = OK
    assert await jobs.run(order_of(101), after_seconds=6) == "finished"


async def test_jobs_that_ask_no_model_and_jobs_that_somebody_asked_for_run_meanwhile(jobs: Jobs) -> None:
    await jobs.run(order_of(1))
    assert await jobs.run(order_of(2, "archive")) == "finished"
    jobs.use = OK
    assert await jobs.run(order_of(3, request_id="req_1")) == "finished"
    assert await jobs.run(order_of(4)) == "finished"  # the model has answered


async def test_what_the_upstream_says_of_one_request_rests_no_other(jobs: Jobs) -> None:
    jobs.use = ITS_OWN_FAULT
    assert await jobs.run(order_of(1)) == "retrying"
    jobs.use = OK
    assert await jobs.run(order_of(2)) == "finished"


async def test_a_clock_that_was_set_back_ends_the_rest(jobs: Jobs) -> None:
    await jobs.run(order_of(1))
    jobs.use = OK
    assert await jobs.run(order_of(2), after_seconds=-3_600) == "finished"


async def test_what_a_job_asks_is_counted_for_all_processes(jobs: Jobs) -> None:
    await jobs.run(order_of(1))
    jobs.use = OK
    for user in (2, 3):
        await jobs.run(order_of(user), after_seconds=6)
    counts = await jobs.services.due.read_counts()
    assert {name: count for name, count in counts.items() if name.startswith("llm")} == {
        "llm_requests_total:summary:unavailable": 1.0,
        "llm_requests_total:summary:ok": 2.0,
        "llm_tokens_total:summary:prompt": 14.0,
        "llm_tokens_total:summary:completion": 4.0,
    }


@pytest.fixture
async def upstream() -> AsyncIterator[Upstream]:
    async with Upstream(default=Script(status=500)) as running:
        yield running


async def test_jobs_of_their_own_processes_learn_from_each_other(
    redis_server: RedisServer, tmp_path: Path, upstream: Upstream, monkeypatch: pytest.MonkeyPatch
) -> None:
    named = {"DATA_DIR": str(tmp_path), "REDIS_URL": redis_server.url, "LLM_BASE_URL": upstream.base_url}
    for name, value in {**named, "ENVIRONMENT": "test", "TEST_CLOCK": "1"}.items():
        monkeypatch.setenv(f"BILAYER_{name}", value)
    services = await open_services(
        Settings(data_dir=tmp_path, redis_url=redis_server.url, environment="test")
    )
    orders = []
    for user in ("u1", "u2"):
        scope = await services.directory.ensure_scope(DEFAULT_TENANT, "user", outside_id=user)
        said = [
            NewMessage(
                id=new_id("msg"), role=role, body=MessageBody(content="长文 long " * 100), tokens=4_000
            )
            for _ in range(4)
            for role in ("user", "assistant")
        ]
        appended = await services.stm.append_messages(scope, "s1", messages=said)
        work = DueWork(
            tenant_id=scope.tenant_id,
            scope_id=scope.scope_id,
            job="compact",
            session_key=appended.session.key,
        )
        orders.append(JobOrder(id=new_id("job"), **work.model_dump()))
    assert [await runner._run(order) for order in orders] == ["llm_unavailable", None]
    assert len(upstream.requests) == 1
    upstream.default = Script()
    await services.due.write_clock_offset_ms(60_000)
    assert [await runner._run(order) for order in orders] == [None, None]
    assert [(await told(services, order)).status for order in orders] == ["finished", "finished"]
    counts = await services.due.read_counts()
    assert counts["llm_requests_total:summary:unavailable"] == 1
    assert counts["llm_requests_total:summary:ok"] >= 2
    assert counts["llm_tokens_total:summary:prompt"] > 0
    await services.close()
