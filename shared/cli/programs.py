"""`bilayer api`, `bilayer worker` and `bilayer schedule`: one program alone, in place of this process."""

import os
from typing import NoReturn

import click

from shared.cli.children import child_environ, command_of


@click.command()
def api() -> None:
    """Run the HTTP front alone."""
    become("api")


@click.command()
def worker() -> None:
    """Run one worker alone."""
    become("worker")


@click.command()
def schedule() -> None:
    """Run the scheduler alone."""
    become("schedule")


def become(program: str) -> NoReturn:
    """Replace this process by one of ours, so that signals reach it unmediated."""
    os.umask(0o077)
    argv = command_of(program)
    os.execve(argv[0], argv, child_environ(os.environ))  # noqa: S606 - our own interpreter
