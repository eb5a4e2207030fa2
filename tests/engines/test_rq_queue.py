"""The queue on RQ carries ids only, and the same order only once."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import AsyncIterator

import pytest
from redis import Redis
from rq import Queue, SimpleWorker
from rq.job import Job
from rq.serializers import JSONSerializer

from shared.engines import rq_queue
from shared.engines.llm_http.client import UpstreamBounds
from shared.engines.rq_queue import QUEUE_NAME, RqJobQueue, make_worker, time_limit_seconds
from shared.errors import Unavailable
from shared.model.job import JobName, JobOrder
from shared.stm.compact import ATTEMPTS, MAX_ROUNDS
from tests.conftest import RedisServer
from workers.runner import JobFailed

ORDER = JobOrder(
    id="job_1", job="archive", tenant_id="ten_1", scope_id="scp_1", session_key="abc", request_id="req_1"
)


@pytest.fixture
async def queue(redis_server: RedisServer) -> AsyncIterator[RqJobQueue]:
    opened = RqJobQueue(redis_server.url)
    yield opened
    await opened.close()


async def test_an_order_waits_in_the_queue_as_json_without_text(
    queue: RqJobQueue, redis_server: RedisServer
) -> None:
    await queue.enqueue([ORDER, ORDER.model_copy(update={"id": "job_2"}), ORDER])
    await queue.enqueue([ORDER])
    await queue.enqueue([])
    assert await queue.depth() == 2
    assert await queue.alive(["job_1", "job_2", "job_3"]) == {"job_1", "job_2"}
    with Redis.from_url(redis_server.url) as client:
        job = Job.fetch("job_1", connection=client, serializer=JSONSerializer)
        assert (job.func_name, job.kwargs) == ("workers.runner.run_job", ORDER.model_dump())
        assert (job.timeout, job.result_ttl, job.failure_ttl) == (120, 0, 60)
        assert job.description == "bilayer archive"
        assert job.retries_left is None


@pytest.mark.parametrize(
    ("job", "scope_id", "seconds"),
    [
        ("archive", "scp_1", 120),
        ("touch", "scp_1", 120),
        ("reconcile", "", 120),
        ("extract", "scp_1", 600),
        ("compact", "scp_1", 600),
        ("archive", "", 3_600),
        ("extract", "", 3_600),
        ("erase", "scp_1", 3_600),
        ("sweep", "", 3_600),
    ],
)
def test_a_job_has_the_time_that_its_work_may_take(job: JobName, scope_id: str, seconds: int) -> None:
    assert time_limit_seconds(JobOrder(id="job_1", job=job, scope_id=scope_id)) == seconds


def test_a_compaction_fits_into_its_time_however_slow_the_model() -> None:
    order = JobOrder(id="job_1", job="compact", scope_id="scp_1")
    longest = MAX_ROUNDS * ATTEMPTS * UpstreamBounds().answer_seconds
    assert longest < time_limit_seconds(order)


async def test_a_job_that_has_not_begun_can_be_taken_out(queue: RqJobQueue) -> None:
    await queue.enqueue([ORDER, ORDER.model_copy(update={"id": "job_2"})])
    assert await queue.remove(["job_1", "job_3"]) == 1
    assert await queue.remove([]) == 0
    assert await queue.depth() == 1
    assert await queue.alive(["job_1", "job_2"]) == {"job_2"}


def named(job_id: str, *, request_id: str = "req_1") -> JobOrder:
    return ORDER.model_copy(update={"id": job_id, "request_id": request_id})


def waiting(server: RedisServer) -> list[str]:
    with Redis.from_url(server.url) as client:
        return [name.decode() for name in client.lrange(f"rq:queue:{QUEUE_NAME}", 0, -1)]


async def test_what_callers_wait_for_goes_before_what_is_due_and_the_oldest_of_it_first(
    queue: RqJobQueue, redis_server: RedisServer
) -> None:
    await queue.enqueue([named("due_1", request_id=""), named("due_2", request_id="")])
    await queue.enqueue([named("asked_1"), named("asked_2")])
    await queue.enqueue([named("due_3", request_id=""), named("asked_3")])
    await queue.enqueue([named("asked_4")])
    assert waiting(redis_server) == ["asked_1", "asked_2", "asked_3", "asked_4", "due_1", "due_2", "due_3"]


@pytest.mark.parametrize("begins", [True, False], ids=["the last one begins", "the last one is taken out"])
async def test_what_a_caller_waits_for_goes_first_when_nothing_else_is_waited_for(
    queue: RqJobQueue, redis_server: RedisServer, *, begins: bool
) -> None:
    await queue.enqueue([named("due_1", request_id=""), named("asked_1")])
    if begins:
        redis_server.command("LPOP", f"rq:queue:{QUEUE_NAME}")
    else:
        await queue.remove(["asked_1"])
    await queue.enqueue([named("asked_2"), named("asked_3")])
    assert waiting(redis_server) == ["asked_2", "asked_3", "due_1"]
    redis_server.command("DEL", f"rq:queue:{QUEUE_NAME}")
    await queue.enqueue([named("asked_4")])
    assert waiting(redis_server) == ["asked_4"]


async def test_a_job_over_a_whole_store_has_an_hour(queue: RqJobQueue, redis_server: RedisServer) -> None:
    await queue.enqueue([ORDER.model_copy(update={"job": "erase"})])
    with Redis.from_url(redis_server.url) as client:
        assert Job.fetch("job_1", connection=client, serializer=JSONSerializer).timeout == 3_600


async def test_a_failed_job_is_not_alive_and_may_be_ordered_again(
    queue: RqJobQueue, redis_server: RedisServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(**_payload: str) -> None:
        raise JobFailed("refused")

    monkeypatch.setattr("workers.runner.run_job", fail)
    await queue.enqueue([ORDER])
    with Redis.from_url(redis_server.url) as client:
        waiting = Queue("bilayer", connection=client, serializer=JSONSerializer)
        worker = SimpleWorker([waiting], connection=client, serializer=JSONSerializer)
        worker.work(burst=True, logging_level="CRITICAL")
        assert await queue.alive([ORDER.id]) == set()
        await queue.enqueue([ORDER])
        assert await queue.alive([ORDER.id]) == {ORDER.id}
        assert client.ttl(Job.key_for(ORDER.id)) == -1
        assert await queue.depth() == 1


async def test_workers_count_by_their_heartbeat(queue: RqJobQueue, redis_server: RedisServer) -> None:
    assert await queue.worker_count() == 0
    with Redis.from_url(redis_server.url) as client:
        waiting = Queue("bilayer", connection=client, serializer=JSONSerializer)
        worker = SimpleWorker([waiting], connection=client, serializer=JSONSerializer)
        worker.register_birth()  # type: ignore[no-untyped-call]
        assert await queue.worker_count() == 1
        client.hset(worker.key, "last_heartbeat", "2020-01-01T00:00:00.000000Z")
        assert await queue.worker_count() == 0
        worker.register_death()  # type: ignore[no-untyped-call]


@pytest.fixture
def ended_pid() -> str:
    """The number of a process that has ended."""
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    return str(ended.pid)


async def test_a_killed_worker_of_this_machine_counts_no_more(
    queue: RqJobQueue, redis_server: RedisServer, ended_pid: str
) -> None:
    worker = make_worker(redis_server.url, forks=False)
    worker.register_birth()  # type: ignore[no-untyped-call]
    with Redis.from_url(redis_server.url) as client:
        assert await queue.worker_count() == 1
        client.hset(worker.key, "pid", ended_pid)
        assert await queue.worker_count() == 0
        worker.register_death()  # type: ignore[no-untyped-call]


async def test_a_worker_of_another_machine_counts_by_its_heartbeat_alone(
    queue: RqJobQueue, redis_server: RedisServer, ended_pid: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(rq_queue, "process_table", lambda: "elsewhere-1")
    worker = make_worker(redis_server.url, forks=False)
    worker.register_birth()  # type: ignore[no-untyped-call]
    monkeypatch.undo()
    with Redis.from_url(redis_server.url) as client:
        client.hset(worker.key, "pid", ended_pid)
        assert await queue.worker_count() == 1
        worker.register_death()  # type: ignore[no-untyped-call]


async def test_a_queue_that_does_not_answer_is_unavailable() -> None:
    queue = RqJobQueue("redis://127.0.0.1:1")
    with pytest.raises(Unavailable) as caught:
        await queue.enqueue([ORDER])
    assert caught.value.code == "queue_unavailable"


async def test_a_worker_killed_at_the_queues_upkeep_does_not_hold_it_up(redis_server: RedisServer) -> None:
    killed = make_worker(redis_server.url, forks=False)
    assert killed.queues[0].acquire_maintenance_lock()
    other = make_worker(redis_server.url, forks=False)
    assert not other.queues[0].acquire_maintenance_lock()
    with Redis.from_url(redis_server.url) as client:
        assert 0 < client.ttl(killed.queues[0].registry_cleaning_key) <= 60


async def test_a_job_ordered_again_is_not_taken_for_the_stuck_one_that_it_was(
    queue: RqJobQueue, redis_server: RedisServer
) -> None:
    worker = make_worker(redis_server.url, forks=False)
    stuck = worker.queues[0].intermediate_queue
    await queue.enqueue([ORDER])
    redis_server.command("LMOVE", f"rq:queue:{QUEUE_NAME}", stuck.key, "LEFT", "RIGHT")
    stuck.cleanup(worker, worker.queues[0])
    assert stuck.get_first_seen(ORDER.id) is not None
    redis_server.command("DEL", Job.key_for(ORDER.id), stuck.key)
    await queue.enqueue([ORDER])
    assert stuck.get_first_seen(ORDER.id) is None
