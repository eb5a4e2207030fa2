"""`bilayer reextract`: let history be read again with a newer prompt, straight in the store.

Without `--run` it only counts. With it, what an older prompt has read counts as unread; the reconciler,
which looks once a minute, queues it, and the workers extract it. What was rejected or forgotten stays away,
what stands or waits already is not proposed twice.
"""

import asyncio

import click

from shared.cli.config import StartError
from shared.cli.told import told
from shared.clock import Clock
from shared.extraction.request import PROMPT_VERSION
from shared.services import open_stores
from shared.settings import Settings, load_settings


@click.command()
@click.option("--run", "is_run", is_flag=True, help="Do it; without this only what would be read is counted.")
def reextract(*, is_run: bool) -> None:
    """Let sessions that an older prompt has read be read again."""
    with told():
        sessions, messages = asyncio.run(reset_history(load_settings(), is_run=is_run))
    what = f"{sessions} sessions with {messages} messages that a prompt older than {PROMPT_VERSION} has read"
    if not sessions:
        click.echo(f"All history was read with prompt {PROMPT_VERSION}: nothing to do.")
    elif is_run:
        click.echo(f"{what} are read again from now on; watch them in GET /v1/lag.")
    else:
        click.echo(f"{what} would be read again. Do it with `bilayer reextract --run`.")


async def reset_history(settings: Settings, *, is_run: bool) -> tuple[int, int]:
    """Return how many sessions and messages an older prompt has read; `is_run` lets them be read again.

    Raises `StartError` where there is no database yet.
    """
    if not settings.database_path.is_file():
        raise StartError(
            f"There is no database at {settings.database_path.absolute()} yet: start Bilayer once "
            "(`bilayer up`), or set BILAYER_DATA_DIR to its data folder."
        )
    stores = open_stores(settings, Clock())
    try:
        found = await stores.extractions.count_outdated(version=PROMPT_VERSION)
        if is_run:
            await stores.extractions.reset_outdated(version=PROMPT_VERSION)
        return found
    finally:
        stores.close()
