"""`python -m workers`: a worker process; `python -m workers --schedule`: the scheduler."""

from __future__ import annotations

import asyncio
import os
import signal
import sys

from shared.engines.rq_queue import make_worker
from shared.errors import StartupProblem, Unavailable
from shared.log import configure_logs, warn_of_names
from shared.services import check_redis, load_for_forks, open_services, redis_urls
from shared.settings import Settings, load_settings, unknown_settings
from workers.runner import run_job  # noqa: F401 - loaded before the fork, so that no job loads it anew
from workers.schedule import run_scheduler


def start_worker(settings: Settings) -> None:
    """Work until told to stop; macOS, where threads exist before any fork, gets the simple worker."""
    _, queue_url = redis_urls(settings)
    asyncio.run(_check_services(settings))
    load_for_forks(settings)
    make_worker(queue_url, forks=sys.platform != "darwin").work(logging_level="WARNING")


async def _check_services(settings: Settings) -> None:
    """Open once what every job will open: a worker that cannot would take jobs and lose them all."""
    services = await open_services(settings)
    await services.close()


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
        warn_of_names(unknown_settings(os.environ))
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
