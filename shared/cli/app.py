"""`bilayer up` and `bilayer doctor`: start everything, and check what that needs."""

import asyncio
import os
from collections.abc import Mapping

import click

from shared.cli import doctor as examination
from shared.cli.config import LaunchSettings
from shared.cli.supervise import Supervisor
from shared.cli.told import told
from shared.cli.up import run_up
from shared.services import inspect_store, make_first_key
from shared.settings import load_settings as read_settings


@click.command()
def up() -> None:
    """Start everything: Redis, front, workers, scheduler. Ctrl-C ends it."""
    with told():
        supervisor = Supervisor(say=click.echo)
        supervisor.listen_for_signals()
        run_up(load_settings(), supervisor, environ=os.environ, prepare=prepare, say=click.echo)


@click.command()
def doctor() -> None:
    """Check all that Bilayer needs, and say the way out of what is missing."""
    with told():
        found = examination.examine(
            load_settings(), environ=os.environ, inspect=lambda: inspect_store(read_settings())
        )
    click.echo(examination.describe(found))
    if not examination.is_fit(found):
        raise SystemExit(1)


def load_settings() -> LaunchSettings:
    settings: LaunchSettings = read_settings()
    return settings


def prepare(_environ: Mapping[str, str]) -> str | None:
    """What must exist before any child starts; answers the first key when it made one."""
    return asyncio.run(make_first_key(read_settings()))
