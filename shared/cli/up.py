"""`bilayer up`: Redis, front, workers and scheduler in one command, on one data folder.

The order of a start: what could make it fail is checked, the folder is locked, Redis answers, `prepare` lays
what must exist before any child opens it (keys, tables, the first key), then the children start.
"""

import fcntl
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from shared.addresses import told_address
from shared.cli import checks
from shared.cli.children import Child, child_commands, child_environ
from shared.cli.config import LaunchSettings, StartError
from shared.cli.front import address_of, front_answers
from shared.cli.supervise import Supervisor, describe_exit
from shared.engines import redis_server

LOCK = "up.lock"
REDIS_WAIT_SECONDS = 60.0
PORT_PATIENCE_SECONDS = 3.0

# What must happen after Redis answers and before any child starts. It is given the children's environment,
# and answers the first API key when it made one, None when there was one already.
Prepare = Callable[[Mapping[str, str]], str | None]


def run_up(
    settings: LaunchSettings,
    supervisor: Supervisor,
    *,
    environ: Mapping[str, str],
    prepare: Prepare,
    say: Callable[[str], None],
) -> None:
    """Start everything and stay until asked to stop; nothing is left running afterwards.

    Raises:
        StartError, RedisStartError: it cannot start; the text says what to do.
    """
    with running(settings, supervisor, environ=environ, prepare=prepare, say=say) as first_key:
        if not supervisor.is_stopping:
            say(welcome(settings, first_key))
        supervisor.run()


@contextmanager
def running(
    settings: LaunchSettings,
    supervisor: Supervisor,
    *,
    environ: Mapping[str, str],
    prepare: Prepare,
    say: Callable[[str], None],
) -> Iterator[str | None]:
    """Everything started and the front answering, or being asked to stop; yields the first key, if made.

    Raises:
        StartError, RedisStartError: it cannot start; the text says what to do.
    """
    refuse_second(settings.data_dir)
    refuse_unfit(settings)
    os.umask(0o077)
    make_data_folder(settings.data_dir)
    with locked(settings.data_dir):
        try:
            yield start_all(settings, supervisor, environ=environ, prepare=prepare, say=say)
        finally:
            supervisor.stop()


def start_all(
    settings: LaunchSettings,
    supervisor: Supervisor,
    *,
    environ: Mapping[str, str],
    prepare: Prepare,
    say: Callable[[str], None],
) -> str | None:
    """Start Redis and the children on a locked folder; answers the first key, if it was made now."""
    try:
        url = provide_redis(settings, supervisor, environ=environ, say=say)
    except redis_server.RedisStartError:
        if supervisor.is_stopping:  # Ctrl-C while Redis started is no failure
            return None
        raise
    if supervisor.is_stopping:  # or Redis was up before the Ctrl-C was seen
        return None
    laid = child_environ(environ, redis_url=url, data_dir=str(settings.data_dir.absolute()))
    say(f"Opening long-term memory in {settings.data_dir.absolute()} ...")
    first_key = prepare(laid)
    say(
        f"Starting the front, the scheduler and {settings.workers} worker(s); this may take half a minute ..."
    )
    for child in child_commands(workers=settings.workers, environ=laid):
        supervisor.add(child)
    try:
        wait_for_front(settings, supervisor)
    except StartError:
        if first_key is not None:
            say(f"Your first key was made all the same, and is shown only now: {first_key}")
        raise
    return first_key


def refuse_unfit(settings: LaunchSettings) -> None:
    for check in (
        checks.check_data_folder(settings.data_dir),
        checks.check_file_system(settings),
        checks.check_master_key(settings),
        checks.check_port(settings.host, settings.port, patience_seconds=PORT_PATIENCE_SECONDS),
    ):
        if not check.ok:
            raise StartError(f"Bilayer cannot start: {check.detail}. {check.way_out}")


def refuse_second(folder: Path) -> None:
    """Where the folder is held, say so before anything else is found wrong: its port is taken too."""
    try:
        file = (folder / LOCK).open("r+", encoding="ascii")
    except OSError:  # not there yet, or not ours to read: `locked` tells
        return
    with file:
        lock(file, folder)


def make_data_folder(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder.chmod(0o700)
    except OSError as error:
        raise StartError(
            f"The data folder {folder} cannot be made private to this user: {error.strerror}. "
            "Correct its owner, or set BILAYER_DATA_DIR to another folder."
        ) from error


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the data folder: two Redis servers on one append-only file would ruin it."""
    path = folder / LOCK
    with path.open("a+", encoding="ascii") as file:
        path.chmod(0o600)
        lock(file, folder)
        file.truncate(0)
        file.write(str(os.getpid()))
        file.flush()
        yield


def lock(file: TextIO, folder: Path) -> None:
    """Lock the folder by its open file, for as long as that stays open."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        file.seek(0)
        raise StartError(
            f"Bilayer is already running on {folder.absolute()} (process {file.read().strip() or '?'}). "
            "Use it, end it first, or set BILAYER_DATA_DIR to another folder."
        ) from None


def provide_redis(
    settings: LaunchSettings,
    supervisor: Supervisor,
    *,
    environ: Mapping[str, str],
    say: Callable[[str], None],
) -> str:
    """The address of a Redis that answers: the configured one, or one started here and supervised."""
    if settings.redis_url:
        say(f"Asking Redis at {told_address(settings.redis_url) or 'the address given'} ...")
        redis_server.read_report(settings.redis_url)
        check = checks.check_redis_server(settings.redis_url)
        if not check.ok:
            say(f"Warning: Redis {check.detail}. {check.way_out}")
        return settings.redis_url
    say("Starting Redis ...")
    binary = redis_server.find_redis_binary(checks.with_named_server(environ, settings))
    redis_server.end_left_over(settings.data_dir)
    launch = redis_server.plan_redis(binary, settings.data_dir)
    supervisor.add(Child(name="redis", argv=launch.argv, environ=environ, stage=1))
    redis_server.wait_for_redis(
        launch,
        wait_seconds=REDIS_WAIT_SECONDS,
        is_alive=lambda: supervisor.is_alive("redis") and not supervisor.is_stopping,
    )
    return launch.url


def wait_for_front(settings: LaunchSettings, supervisor: Supervisor) -> None:
    """Until the front answers; if it ends before it ever did, a restart would not help."""
    address = f"{address_of(settings)}/healthz"
    supervisor.run_until(lambda: supervisor.last_exit("api") is not None or front_answers(address))
    code = supervisor.last_exit("api")
    if code is not None and not supervisor.is_stopping:
        raise StartError(
            f"The front ended while starting ({describe_exit(code)}). Its own message stands above; "
            "`bilayer doctor` checks what it needs."
        )


def welcome(settings: LaunchSettings, first_key: str | None) -> str:
    """The address; with a first key also that key, shown this once, and a line to paste."""
    address = address_of(settings)
    lines = [f"Bilayer listens on {address} (Ctrl-C ends it)."]
    if first_key is None:
        return "\n".join([*lines, "A key was made at an earlier start; `bilayer key create` makes another."])
    curl = (
        f"curl -s {address}/v1/sessions/first/turns -H 'Authorization: Bearer {first_key}' "
        "-H 'Bilayer-User: me' -H 'Content-Type: application/json' "
        """-d '{"message": "Remember: my reports go out on Fridays."}'"""
    )
    lines += [f"Your first key, shown only now: {first_key}", "Try it:", f"  {curl}"]
    return "\n".join(lines)
