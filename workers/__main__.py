"""`python -m workers`: a worker process; `python -m workers --schedule`: the scheduler."""

from __future__ import annotations

import asyncio
import os
import signal
import sys

import redis
import rq
from rq.serializers import JSONSerializer

from shared.engines.rq_queue import QUEUE_NAME
from shared.errors import StartupProblem, Unavailable
from shared.log import configure_logs
from shared.services import check_redis, open_services, redis_urls
from shared.settings import Settings, load_settings
from workers.schedule import run_scheduler

_WORKER_TTL_SECONDS = 30
_MAINTENANCE_SECONDS = 10
_MONITORING_SECONDS = 5


def start_worker(settings: Settings) -> None:
    """Work until told to stop. The fork worker survives a job's crash; macOS gets the simple one."""
    kind = rq.SimpleWorker if sys.platform == "darwin" else rq.Worker
    worker = kind(
        [QUEUE_NAME],
        connection=redis.Redis.from_url(redis_urls(settings)[1]),
        serializer=JSONSerializer,
        worker_ttl=_WORKER_TTL_SECONDS,
        maintenance_interval=_MAINTENANCE_SECONDS,
        job_monitoring_interval=_MONITORING_SECONDS,
        log_job_description=False,
    )
    worker.work(logging_level="WARNING")


async def start_scheduler(settings: Settings) -> None:
    """Schedule until told to stop."""
    services = await open_services(settings)
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for signal_number in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(signal_number, stop.set)
    try:
        await run_scheduler(services, stop)
    finally:
        await services.close()


def main(arguments: list[str]) -> int:
    """Run a worker or the scheduler; returns the exit code."""
    os.umask(0o077)
    try:
        settings = load_settings()
        configure_logs(settings.log_level)
        check_redis(settings)
        if "--schedule" in arguments:
            asyncio.run(start_scheduler(settings))
        else:
            start_worker(settings)
    except (StartupProblem, Unavailable) as problem:
        sys.stderr.write(f"bilayer: {problem.detail}\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
