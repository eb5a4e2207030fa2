"""What every ledger of jobs does."""

from __future__ import annotations

from typing import Any

from shared.model.job import JobRecord
from tests.contracts.ltm.samples import Stores


def job(job_id: str, **changes: Any) -> JobRecord:
    known: dict[str, Any] = {"job": "archive", "status": "queued", "queued_at_ms": 100, "tenant_id": "t1"}
    return JobRecord(id=job_id, **{**known, **changes})


async def test_a_record_comes_back_and_is_replaced_by_id(stores: Stores) -> None:
    first = job("a-1", scope_id="scp_1", session_key="k", request_id="r")
    done = first.model_copy(
        update={"status": "finished", "attempts": 2, "finished_at_ms": 9, "result": {"new": 3}}
    )
    await stores.ledger.record([first])
    assert await stores.ledger.job("a-1") == first
    await stores.ledger.record([done])
    assert await stores.ledger.job("a-1") == done
    assert await stores.ledger.job("a-2") is None


async def test_jobs_of_the_tenant_and_of_no_tenant_are_listed_newest_first(stores: Stores) -> None:
    await stores.ledger.record(
        [
            job("a", queued_at_ms=1),
            job("b", queued_at_ms=3),
            job("c", queued_at_ms=3, tenant_id=""),
            job("d", queued_at_ms=2, tenant_id="t2"),
        ]
    )
    listed = await stores.ledger.jobs("t1", status=None, limit=9, after_id=None)
    assert [record.id for record in listed] == ["c", "b", "a"]
    first = await stores.ledger.jobs("t1", status=None, limit=1, after_id=None)
    rest = await stores.ledger.jobs("t1", status=None, limit=9, after_id=first[0].id)
    assert [record.id for record in rest] == ["b", "a"]
    assert await stores.ledger.jobs("t1", status=None, limit=9, after_id="gone") == []


async def test_jobs_are_filtered_by_status_and_dead_ones_counted(stores: Stores) -> None:
    await stores.ledger.record([job("a"), job("b", status="dead", reason="llm_unavailable"), job("c")])
    dead = await stores.ledger.jobs("t1", status="dead", limit=9, after_id=None)
    assert [(record.id, record.reason) for record in dead] == [("b", "llm_unavailable")]
    assert await stores.ledger.count_dead() == 1


async def test_old_jobs_are_pruned(stores: Stores) -> None:
    await stores.ledger.record([job("a", queued_at_ms=1), job("b", queued_at_ms=5)])
    assert await stores.ledger.prune(before_ms=5) == 1
    assert await stores.ledger.job("a") is None
    assert await stores.ledger.job("b") is not None


async def test_jobs_that_have_not_ended_and_were_silent_are_paged_by_id(
    stores: Stores,
) -> None:
    await stores.ledger.record(
        [
            job("d", tenant_id="", status="running", started_at_ms=150),
            job("a", queued_at_ms=120),
            job("b", status="retrying", started_at_ms=110, finished_at_ms=200),
            job("c", status="retrying", started_at_ms=201, finished_at_ms=None),
            job("e", status="finished", finished_at_ms=150),
            job("f", status="dead", finished_at_ms=150),
            job("g", tenant_id="t2", queued_at_ms=201),
        ]
    )
    first = await stores.ledger.open_jobs(before_ms=200, limit=2, after_id="")
    assert [record.id for record in first] == ["a", "b"]
    rest = await stores.ledger.open_jobs(before_ms=200, limit=2, after_id="b")
    assert [record.id for record in rest] == ["d"]
