"""The `bilayer` command: what a person types, and what is told when it does not work."""

import asyncio
import os
from collections.abc import Mapping
from typing import NoReturn

import click

from shared.cli import doctor as examination
from shared.cli.children import child_environ, command_of
from shared.cli.config import LaunchSettings
from shared.cli.supervise import Supervisor
from shared.cli.told import told
from shared.cli.up import run_up
from shared.services import inspect_store, make_first_key
from shared.settings import load_settings as read_settings


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="bilayer", prog_name="bilayer")
def cli() -> None:
    """A memory backend for LLM chat."""


@cli.command()
def up() -> None:
    """Start everything: Redis, front, workers, scheduler. Ctrl-C ends it."""
    with told():
        supervisor = Supervisor(say=click.echo)
        supervisor.listen_for_signals()
        run_up(load_settings(), supervisor, environ=os.environ, prepare=prepare, say=click.echo)


@cli.command()
def doctor() -> None:
    """Check all that Bilayer needs, and say the way out of what is missing."""
    with told():
        found = examination.examine(
            load_settings(), environ=os.environ, inspect=lambda: inspect_store(read_settings())
        )
    click.echo(examination.describe(found))
    if not examination.is_fit(found):
        raise SystemExit(1)


@cli.command()
def api() -> None:
    """Run the HTTP front alone."""
    become("api")


@cli.command()
def worker() -> None:
    """Run one worker alone."""
    become("worker")


@cli.command()
def schedule() -> None:
    """Run the scheduler alone."""
    become("schedule")


def become(program: str) -> NoReturn:
    """Replace this process by one of ours, so that signals reach it unmediated."""
    os.umask(0o077)
    argv = command_of(program)
    os.execve(argv[0], argv, child_environ(os.environ))  # noqa: S606 - our own interpreter


def load_settings() -> LaunchSettings:
    settings: LaunchSettings = read_settings()
    return settings


def prepare(_environ: Mapping[str, str]) -> str | None:
    """What must exist before any child starts; answers the first key when it made one."""
    return asyncio.run(make_first_key(read_settings()))
