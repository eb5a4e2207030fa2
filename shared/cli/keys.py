"""`bilayer key`: make, list and revoke service keys, change the master key, straight in the store.

It needs the data folder and the master key, not the front, so it also works while everything runs: the
front looks keys up in the store at every request.
"""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import click

from shared.cli.config import StartError
from shared.cli.told import told
from shared.clock import Clock
from shared.model.moment import from_ms
from shared.model.scope import ApiKey, Permission
from shared.ports.directory import Directory
from shared.services import DEFAULT_TENANT, FIRST_PERMISSIONS, open_stores, rotate_master_key
from shared.settings import Settings, load_settings

T = TypeVar("T")
# What an agent may do: talk, read, and write what its user will see; it approves nothing and makes no keys.
AGENT_PERMISSIONS = (Permission.CHAT, Permission.MEMORY_READ, Permission.MEMORY_WRITE, Permission.TASKS)
MAX_LABEL_CHARS = 100


@click.group()
def key() -> None:
    """Make, list and revoke service keys; change the master key."""


@key.command()
@click.option("--label", default="key", show_default=True, help="What the key is for.")
@click.option(
    "--permission",
    "permissions",
    multiple=True,
    type=click.Choice([permission.value for permission in Permission]),
    help="What the key may do; give it once for each.  [default: all but fields:authoritative]",
)
@click.option("--agent", is_flag=True, help="A key for an agent, which may not approve its own proposals.")
def create(label: str, permissions: tuple[str, ...], *, agent: bool) -> None:
    """Make a key and print its secret, this once."""
    if agent and permissions:
        raise click.ClickException(
            "--agent names the permissions already: leave --permission out, or --agent."
        )
    if not 1 <= len(label) <= MAX_LABEL_CHARS or not label.isprintable():
        raise click.ClickException(
            f"A label has 1 to {MAX_LABEL_CHARS} printable characters: choose another --label."
        )
    chosen = tuple(Permission(name) for name in dict.fromkeys(permissions)) or FIRST_PERMISSIONS
    wanted = AGENT_PERMISSIONS if agent else chosen
    made, secret = ask_directory(
        lambda directory: directory.create_key(DEFAULT_TENANT, label=label, permissions=wanted)
    )
    click.echo(describe_key(made))
    click.echo(f"Its secret, shown only now: {secret}")


@key.command("list")
def list_keys() -> None:
    """List all keys, revoked ones too; their secrets are stored nowhere."""
    keys = ask_directory(lambda directory: directory.list_keys(DEFAULT_TENANT))
    for found in keys:
        click.echo(describe_key(found))
    if not keys:
        click.echo("There is no key yet: make one with `bilayer key create`.")


@key.command()
@click.argument("key_id")
def revoke(key_id: str) -> None:
    """Revoke a key by its id; it is refused from now on."""
    if not ask_directory(lambda directory: directory.revoke_key(DEFAULT_TENANT, key_id)):
        raise click.ClickException("No valid key has this id: `bilayer key list` shows the ids.")
    click.echo(f"{key_id} is revoked.")


@key.command()
def rotate() -> None:
    """Wrap every user's key anew by the first master key, so that the others may go."""
    with told():
        settings = load_settings()
        check_database(settings)
        count = asyncio.run(rotate_master_key(settings))
    if count:
        click.echo(f"Keys wrapped anew by the first master key: {count}.")
        click.echo("Once all processes run with that key in front, run this again until it finds none.")
    else:
        click.echo("The first master key wraps all keys: the others may go.")


def ask_directory(ask: Callable[[Directory], Awaitable[T]]) -> T:
    """Return what the directory answers; what is wrong with the store is told in one sentence."""

    async def answer() -> T:
        with directory_of(load_settings()) as directory:
            return await ask(directory)

    with told():
        return asyncio.run(answer())


@contextmanager
def directory_of(settings: Settings) -> Iterator[Directory]:
    """Open the store that the settings name; one that is not there is not made."""
    check_database(settings)
    stores = open_stores(settings, Clock())
    try:
        yield stores.directory
    finally:
        stores.close()


def check_database(settings: Settings) -> None:
    """Raise `StartError` where there is no database."""
    if not settings.database_path.is_file():
        raise StartError(
            f"There is no database at {settings.database_path.absolute()} yet: start Bilayer once "
            "(`bilayer up`), or set BILAYER_DATA_DIR to its data folder."
        )


def describe_key(found: ApiKey) -> str:
    """Return a key in one line."""
    made = from_ms(found.created_at_ms).strftime("%Y-%m-%d")
    revoked = "" if found.revoked_at_ms is None else f"  revoked {from_ms(found.revoked_at_ms):%Y-%m-%d}"
    return f"{found.id}  {made}  {found.label}  [{' '.join(found.permissions)}]{revoked}"
