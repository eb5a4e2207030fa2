"""The queue to the workers on RQ 3: ids only, JSON, no retries of its own (the due store retries).

A job's id is its order's; one that still waits or runs is not queued again. RQ forgets a finished
job at once and a failed one within minutes, since our own ledger tells of jobs.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TypeVar
from uuid import uuid4

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry
from rq import Queue, SimpleWorker, Worker
from rq.job import Job
from rq.serializers import JSONSerializer
from rq.worker_registration import get_keys

from shared.errors import Unavailable
from shared.model.job import MODEL_JOBS, JobName, JobOrder

T = TypeVar("T")

QUEUE_NAME = "bilayer"
_ENTRY = "workers.runner.run_job"
_JOB_SECONDS = 120
# A compaction may ask the model eight times, for up to a minute each; an extraction ends itself before that.
_MODEL_JOB_SECONDS = 600
# Jobs that walk over all rows of a user or of the store; so does any other without a target, but this one.
_COUNTS_ONLY: JobName = "reconcile"
_LONG_JOBS: frozenset[JobName] = frozenset(
    {"score", "embed", "sweep", "erase", "snapshot", "restore", "reindex"}
)
_LONG_JOB_SECONDS = 3_600
_FAILURE_SECONDS = 60
_WORKER_TTL_SECONDS = 30
_MAINTENANCE_SECONDS = 10
_MONITORING_SECONDS = 5
_IDLE_HEARTBEAT_SECONDS = 60
_BUSY_HEARTBEAT_SECONDS = _JOB_SECONDS + _IDLE_HEARTBEAT_SECONDS
_WORKER_KEYS = "rq:worker:"
_NAME_MARK = "."
_ALIVE = frozenset({b"queued", b"started", b"deferred", b"scheduled"})
_MOVE_TO_FRONT = """
redis.call('lrem', KEYS[1], -1, ARGV[1])
local last = redis.call('get', KEYS[2])
if not last or redis.call('linsert', KEYS[1], 'AFTER', last, ARGV[1]) < 1 then
  redis.call('lpush', KEYS[1], ARGV[1])
end
redis.call('set', KEYS[2], ARGV[1])
"""
"""Moves a job behind the last one that was moved so, while that still waits; else before all.

Two lists would do the same, but RQ notes down what a worker takes, and brings it back where the worker dies
before it starts, from a single list only.
"""


class RqJobQueue:
    """The port `JobQueue` on RQ; the worker calls `workers.runner.run_job(**fields of the order)`."""

    def __init__(self, url: str, *, name: str = QUEUE_NAME) -> None:
        self._redis = Redis.from_url(
            url, socket_connect_timeout=1.0, socket_timeout=5.0, retry=Retry(NoBackoff(), 0), protocol=2
        )
        self._queue = Queue(
            name, connection=self._redis, serializer=JSONSerializer, default_timeout=_JOB_SECONDS
        )
        self._last_in_front = f"{self._queue.key}:last_in_front"

    async def enqueue(self, orders: Sequence[JobOrder]) -> None:
        await self._in_thread(lambda: self._enqueue(orders))

    async def alive(self, job_ids: Sequence[str]) -> set[str]:
        return await self._in_thread(lambda: self._alive(job_ids))

    async def remove(self, job_ids: Sequence[str]) -> int:
        """Take jobs that have not begun out of the queue; return how many."""
        return await self._in_thread(lambda: self._remove(job_ids))

    async def depth(self) -> int:
        return await self._in_thread(lambda: self._queue.count)

    async def worker_count(self) -> int:
        """Return how many workers have shown a sign of life lately, less those known to be gone."""
        return await self._in_thread(self._count_workers)

    async def close(self) -> None:
        """Close the connections."""
        await asyncio.to_thread(self._redis.close)

    async def _in_thread(self, work: Callable[[], T]) -> T:
        try:
            return await asyncio.to_thread(work)
        except RedisError as error:
            raise Unavailable(
                f"the job queue does not answer ({type(error).__name__})", code="queue_unavailable"
            ) from error

    def _enqueue(self, orders: Sequence[JobOrder]) -> None:
        wanted = {order.id: order for order in orders}
        alive = self._alive(list(wanted))
        new = [order for order in wanted.values() if order.id not in alive]
        if not new:
            return
        calls = [
            Queue.prepare_data(
                _ENTRY,
                kwargs=order.model_dump(),
                timeout=time_limit_seconds(order),
                result_ttl=0,
                failure_ttl=_FAILURE_SECONDS,
                description=f"bilayer {order.job}",
                job_id=order.id,
            )
            for order in new
        ]
        with self._redis.pipeline() as pipe:
            # What is left of a failed job would end the new one: by its own expiry, or as a stuck one.
            seen_key = self._queue.intermediate_queue.get_first_seen_key
            pipe.delete(*(key for order in new for key in (Job.key_for(order.id), seen_key(order.id))))
            self._queue.enqueue_many(calls, pipeline=pipe)
            for order in filter(_is_asked_for, new):
                pipe.eval(_MOVE_TO_FRONT, 2, self._queue.key, self._last_in_front, order.id)
            pipe.execute()

    def _remove(self, job_ids: Sequence[str]) -> int:
        removed = 0
        for job_id in job_ids:
            if self._redis.lrem(self._queue.key, 0, job_id):
                self._redis.delete(Job.key_for(job_id))
                removed += 1
        return removed

    def _alive(self, job_ids: Sequence[str]) -> set[str]:
        states = self._read_hashes([Job.key_for(job_id) for job_id in job_ids], "status")
        return {job_id for job_id, (status,) in zip(job_ids, states, strict=True) if status in _ALIVE}

    def _count_workers(self) -> int:
        keys = sorted(get_keys(self._queue))
        workers = self._read_hashes(keys, "last_heartbeat", "state", "pid")
        now = datetime.now(UTC)
        return sum(
            _is_alive(heartbeat, state, now=now) and not _has_ended(key, pid)
            for key, (heartbeat, state, pid) in zip(keys, workers, strict=True)
        )

    def _read_hashes(self, keys: Sequence[str], *fields: str) -> list[list[bytes | None]]:
        with self._redis.pipeline(transaction=False) as pipe:
            for key in keys:
                pipe.hmget(key, list(fields))
            answers: list[Any] = pipe.execute()
        return answers


class _TendedQueue(Queue):
    """A queue that one worker tends every 10 s; with RQ's own lock, of 15 minutes, none would for so long."""

    def acquire_maintenance_lock(self) -> bool:
        """Return whether this worker is the one that tends the queue now."""
        return bool(self.connection.set(self.registry_cleaning_key, 1, nx=True, ex=_MAINTENANCE_SECONDS))


def make_worker(url: str, *, forks: bool) -> Worker | SimpleWorker:
    """Return a worker on this queue; one that forks survives the crash of a job.

    Its times let RQ give up a job of a killed worker within 75 s (with its own, 13 minutes): RQ waits 60 s
    beyond the interval of its signs of life.
    """
    kind = Worker if forks else SimpleWorker
    return kind(
        [QUEUE_NAME],
        connection=Redis.from_url(url),
        name=f"{process_table()}{_NAME_MARK}{uuid4().hex}",
        queue_class=_TendedQueue,
        serializer=JSONSerializer,
        worker_ttl=_WORKER_TTL_SECONDS,
        maintenance_interval=_MAINTENANCE_SECONDS,
        job_monitoring_interval=_MONITORING_SECONDS,
        log_job_description=False,
    )


def time_limit_seconds(order: JobOrder) -> int:
    """Return after how many seconds the queue ends a job, whatever it is at."""
    if order.job in _LONG_JOBS or not (order.scope_id or order.job == _COUNTS_ONLY):
        return _LONG_JOB_SECONDS
    return _MODEL_JOB_SECONDS if order.job in MODEL_JOBS else _JOB_SECONDS


def process_table() -> str:
    """Return a name for the table that this process's number stands in; empty where the system has none.

    Two processes share it where the machine, its start and, on Linux, the process namespace are the same.
    """
    try:
        start = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
        return f"{start}-{Path('/proc/self/ns/pid').stat().st_ino}"
    except OSError:
        return ""


def _has_ended(key: str, pid: bytes | None) -> bool:
    """Whether a worker of our own process table is gone: a killed one leaves its last sign of life behind."""
    table = process_table()
    if not table or pid is None or not key.removeprefix(_WORKER_KEYS).startswith(f"{table}{_NAME_MARK}"):
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return True
    except PermissionError:
        return False
    return False


def _is_alive(heartbeat: bytes | None, state: bytes | None, *, now: datetime) -> bool:
    if heartbeat is None:
        return False
    silent = (now - datetime.fromisoformat(heartbeat.decode())).total_seconds()
    return silent <= (_BUSY_HEARTBEAT_SECONDS if state == b"busy" else _IDLE_HEARTBEAT_SECONDS)


def _is_asked_for(order: JobOrder) -> bool:
    """Whether a caller waits for this job of one scope: it goes before what is merely due."""
    return bool(order.request_id and order.scope_id)
