"""A job for all that is due of it: the marks of others are left alone, and one failure stops nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

import pytest

from shared.errors import Missing, Unavailable
from shared.ids import new_id
from shared.model.job import DueWork, JobName, JobOrder
from shared.model.message import MessageBody, NewMessage
from shared.model.scope import Scope
from shared.services import DEFAULT_TENANT, Services
from workers import jobs
from workers.jobs import JOBS


async def people(services: Services, job: JobName) -> list[DueWork]:
    """Have three users say something, and mark a job of each session."""
    works = []
    for name in ("u1", "u2", "u3"):
        scope: Scope = await services.directory.ensure_scope(DEFAULT_TENANT, "user", outside_id=name)
        said = NewMessage(id=new_id("msg"), role="user", body=MessageBody(content="我搬到了杭州"), tokens=9)
        appended = await services.stm.append_messages(scope, "s1", messages=[said])
        key = "" if job == "touch" else appended.session.key
        work = DueWork(tenant_id=scope.tenant_id, scope_id=scope.scope_id, job=job, session_key=key)
        await services.due.mark_due(work)
        works.append(work)
    services.clock.offset += timedelta(seconds=1)
    return works


def fail_for(work: DueWork, error: Exception, *, ran: list[DueWork]) -> Any:
    async def run(_services: Services, given: DueWork) -> dict[str, Any]:
        if given == work:
            raise error
        ran.append(given)
        return {}

    return run


def names(works: Sequence[DueWork]) -> set[str]:
    return {work.scope_id for work in works}


@pytest.mark.parametrize("job", ["archive", "compact", "touch"])
@pytest.mark.parametrize("place", [0, 1, 2])
async def test_one_failure_keeps_no_other_from_its_turn_and_is_told(
    services: Services, monkeypatch: pytest.MonkeyPatch, *, job: JobName, place: int
) -> None:
    works, ran = await people(services, job), list[DueWork]()
    monkeypatch.setattr(jobs, f"_{job}", fail_for(works[place], Unavailable("x", code="busy"), ran=ran))
    with pytest.raises(Unavailable) as caught:
        await JOBS[job](services, JobOrder(id="job_1", job=job))
    assert caught.value.code == "busy"
    assert names(ran) == names(works) - names([works[place]])


@pytest.mark.parametrize("job", ["archive", "compact", "touch"])
async def test_a_user_that_was_erased_meanwhile_is_no_failure(
    services: Services, monkeypatch: pytest.MonkeyPatch, *, job: JobName
) -> None:
    works, ran = await people(services, job), list[DueWork]()
    monkeypatch.setattr(jobs, f"_{job}", fail_for(works[1], Missing("x", code="scope_ended"), ran=ran))
    assert await JOBS[job](services, JobOrder(id="job_1", job=job)) == {"ran": 2}


async def test_failures_of_other_jobs_are_not_forgotten(services: Services) -> None:
    (work, *_) = await people(services, "compact")
    for number in range(1, 5):
        assert await services.due.postpone_due(work, delay_seconds=0) == number
    services.clock.offset += timedelta(minutes=5)
    assert (await JOBS["archive"](services, JobOrder(id="job_1", job="archive"))) == {"ran": 3}
    assert await services.due.postpone_due(work, delay_seconds=0) == 5
