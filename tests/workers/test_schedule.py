"""When periodic jobs are ordered: once a slot, not in a store's first, again where they came to nothing."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import cast

import pytest

from shared.clock import Clock
from shared.engines.embeddings.null import NullEmbedder
from shared.engines.redis_stm.limits import StmLimits
from shared.model.job import DueWork, JobOrder, JobRecord
from shared.model.moment import from_ms, to_ms
from shared.ports.embedder import Embedder
from shared.ports.llm import JobQueue
from shared.services import Services
from shared.stm.order import order_jobs, record_of
from tests.fakes.embedder import FakeEmbedder
from tests.fakes.memory_directory import MemoryLedger
from tests.fakes.memory_due import MemoryDueStore
from tests.fakes.memory_state import MemoryState
from workers.schedule import PERIODIC, due_orders, is_owed, order_periodic, slot_of, slot_order

START = datetime(2031, 3, 3, 2, 30, tzinfo=UTC)


@dataclass
class Queue:
    """Which jobs still wait or run."""

    living: set[str] = field(default_factory=set)

    async def alive(self, job_ids: list[str]) -> set[str]:
        return self.living & set(job_ids)


class Deployment:
    """What the scheduler needs of the services, in memory."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.due = MemoryDueStore(MemoryState(), clock=self.clock, limits=StmLimits())
        self.ledger = MemoryLedger()
        self.queue = Queue()
        self.orders: list[str] = []
        self.outcome = "finished"
        self.embedder: Embedder = NullEmbedder()

    def go_to(self, moment: datetime) -> None:
        self.clock.offset = timedelta(0)
        self.clock.offset = moment - self.clock.now()

    async def order(self, orders: list[JobOrder]) -> None:
        self.orders += [order.job for order in orders]
        records = [record_of(order, now_ms=self.clock.now_ms()) for order in orders]
        await self.ledger.record(
            [JobRecord(**{**each.model_dump(), "status": self.outcome}) for each in records]
        )

    async def tick(self, moment: datetime) -> list[str]:
        """Return the jobs that are ordered at a moment."""
        self.go_to(moment)
        self.orders.clear()
        await order_periodic(cast("Services", self))
        return list(self.orders)


async def test_a_store_is_born_without_sweeps_and_copies_and_gets_them_from_the_next_slot_on() -> None:
    place = Deployment()
    assert await place.tick(START) == ["reconcile"]
    assert await place.tick(START + timedelta(seconds=20)) == []
    assert await place.tick(START + timedelta(minutes=5)) == ["reconcile", "score", "reindex"]
    assert await place.tick(START + timedelta(minutes=30, seconds=1)) == [
        "reconcile",
        "score",
        "reindex",
        "sweep",
        "snapshot",
    ]
    assert await place.tick(START + timedelta(minutes=30, seconds=5)) == []
    assert await place.tick(START + timedelta(days=1, minutes=29)) == [
        "reconcile",
        "score",
        "reindex",
        "sweep",
    ]
    assert await place.tick(START + timedelta(days=1, minutes=31)) == [
        "reconcile",
        "score",
        "reindex",
        "sweep",
        "snapshot",
    ]


async def test_vectors_are_made_once_a_minute_where_there_is_a_model() -> None:
    place = Deployment()
    place.embedder = FakeEmbedder()
    assert await place.tick(START) == ["reconcile"]
    assert await place.tick(START + timedelta(minutes=1)) == ["reconcile", "embed"]
    place.embedder = NullEmbedder()
    assert await place.tick(START + timedelta(minutes=2)) == ["reconcile"]


async def test_a_job_that_came_to_nothing_is_ordered_again_after_five_minutes() -> None:
    place = Deployment()
    place.outcome = "queued"
    await place.tick(START)
    hour = START + timedelta(minutes=31)
    assert "sweep" in await place.tick(hour)
    sweep = next(periodic for periodic in PERIODIC if periodic.job == "sweep")
    order_id = slot_order(sweep, to_ms(hour)).id
    place.queue.living = {order_id}
    assert "sweep" not in await place.tick(hour + timedelta(minutes=6))  # it runs for long
    place.queue.living = set()
    assert "sweep" in await place.tick(hour + timedelta(minutes=7))  # its worker has died
    known = await place.ledger.job(order_id)
    assert known is not None
    now_ms = place.clock.now_ms()
    await place.ledger.record([known.model_copy(update={"status": "dead", "finished_at_ms": now_ms})])
    assert "sweep" not in await place.tick(hour + timedelta(minutes=9))
    assert "sweep" in await place.tick(hour + timedelta(minutes=13))
    await place.ledger.record([known.model_copy(update={"status": "finished"})])
    assert "sweep" not in await place.tick(hour + timedelta(minutes=25))


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        ("2031-03-03T02:59:59Z", "2031-03-02"),
        ("2031-03-03T03:00:00Z", "2031-03-03"),
        ("2031-03-04T02:59:59Z", "2031-03-03"),
    ],
)
def test_the_daily_snapshots_slot_begins_at_three(moment: str, day: str) -> None:
    daily = next(periodic for periodic in PERIODIC if periodic.job == "snapshot")
    slot = slot_of(daily, to_ms(datetime.fromisoformat(moment)))
    assert from_ms(slot * 86_400_000).date().isoformat() == day


@pytest.mark.parametrize(
    ("status", "silent_minutes", "owed"),
    [
        ("finished", 60, False),
        ("queued", 4, False),
        ("queued", 6, True),
        ("running", 4, False),
        ("running", 6, True),
        ("dead", 4, False),
        ("dead", 6, True),
    ],
)
def test_what_is_owed(status: str, silent_minutes: int, owed: bool) -> None:
    at_ms = to_ms(START)
    known = JobRecord.model_validate(
        {"id": "job_sweep_1", "job": "sweep", "status": status, "queued_at_ms": at_ms}
    )
    assert is_owed(known, now_ms=at_ms + silent_minutes * 60_000) is owed


async def test_work_that_failed_is_ordered_again_as_the_same_job() -> None:
    work = DueWork(tenant_id="t", scope_id="s", job="archive", session_key="k")
    other = DueWork(tenant_id="t", scope_id="s", job="extract", session_key="k")
    first, second = due_orders([(work, "job_failed"), (other, None)], alive=set())
    assert first.id == "job_failed"
    assert second.id not in {"job_failed", ""}
    assert due_orders([(work, "job_lives")], alive={"job_lives"}) == []


async def test_a_job_that_is_ordered_again_keeps_its_attempts_and_the_request_that_caused_it() -> None:
    ledger, clock = MemoryLedger(), Clock()
    due = MemoryDueStore(MemoryState(), clock=clock, limits=StmLimits())
    order = JobOrder(id="job_1", job="archive", request_id="req_1")
    record = record_of(order, now_ms=1).model_copy(update={"status": "retrying", "attempts": 2})
    await ledger.record([record])
    again = JobOrder(id="job_1", job="archive")
    await order_jobs([again], now_ms=2, due=due, ledger=ledger, queue=cast("JobQueue", Enqueued()))
    known = await ledger.job("job_1")
    assert known is not None
    assert (known.status, known.attempts, known.request_id) == ("queued", 2, "req_1")


class Enqueued:
    """Takes every job."""

    async def enqueue(self, orders: list[JobOrder]) -> None:
        """Take them."""
