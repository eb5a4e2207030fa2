"""Failing jobs with large payloads leave nothing behind in the process that runs them (story JOB-07)."""

from __future__ import annotations

import gc
from collections.abc import AsyncIterator
from datetime import timedelta
from pathlib import Path

import pytest

from shared.ids import new_id
from shared.model.job import DueWork, JobOrder
from shared.model.message import MessageBody, NewMessage
from shared.services import DEFAULT_TENANT, Services, open_services
from shared.settings import Settings
from tests.conftest import RedisServer
from tests.fakes.upstream import Script, Upstream
from workers.runner import run_order

WARM_UP = 10
RUNS = 80
MOST_GROWTH_MB = 25


def resident_mb() -> float:
    pages = int(Path("/proc/self/statm").read_text("ascii").split()[1])
    return pages * 4_096 / 1_000_000


@pytest.fixture
async def upstream() -> AsyncIterator[Upstream]:
    """A model that answers every request with an error of a million characters."""
    async with Upstream(default=Script(status=500, refusal="x" * 1_000_000)) as running:
        yield running


@pytest.fixture
async def services(redis_server: RedisServer, tmp_path: Path, upstream: Upstream) -> AsyncIterator[Services]:
    settings = Settings(
        data_dir=tmp_path,
        redis_url=redis_server.url,
        llm_base_url=upstream.base_url,
        environment="test",
    )
    opened = await open_services(settings)
    yield opened
    await opened.close()


@pytest.mark.slow
@pytest.mark.timeout(300)
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="memory is read from /proc")
async def test_failing_summaries_of_long_texts_leave_memory_flat(
    services: Services, upstream: Upstream
) -> None:
    scope = await services.directory.ensure_scope(DEFAULT_TENANT, "user", outside_id="u1")
    said = [
        NewMessage(id=new_id("msg"), role=role, body=MessageBody(content="长文 long " * 1_000), tokens=4_000)
        for _ in range(4)
        for role in ("user", "assistant")
    ]
    appended = await services.stm.append_messages(scope, "s1", messages=said)
    work = DueWork(
        tenant_id=scope.tenant_id, scope_id=scope.scope_id, job="compact", session_key=appended.session.key
    )

    async def fail_once() -> None:
        order = JobOrder(id=new_id("job"), **work.model_dump())
        assert await run_order(services, order) is not None
        await services.due.mark_due(work)
        # So that the breaker lets each of them through to the model.
        services.clock.offset += timedelta(minutes=10)

    for _ in range(WARM_UP):
        await fail_once()
    gc.collect()
    before, asked = resident_mb(), len(upstream.requests)
    for _ in range(RUNS):
        await fail_once()
    gc.collect()
    assert len(upstream.requests) - asked >= RUNS // 2
    assert resident_mb() - before < MOST_GROWTH_MB
