"""`bilayer snapshot`: make, list, check and restore copies of the store, straight in the data folder.

It works while everything runs, and where nothing does: a restore into an empty folder takes a snapshot,
the key backup beside it and the master key.
"""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import click

from shared.cli.config import StartError
from shared.cli.told import told
from shared.clock import Clock
from shared.ids import new_id
from shared.ltm.snapshot import make_snapshot, restore_snapshot
from shared.model.moment import from_ms
from shared.model.snapshot import TAG, Snapshot
from shared.ports.snapshots import Snapshots
from shared.services import check_restore, open_stores
from shared.settings import Settings, load_settings

T = TypeVar("T")
_BYTES_A_MB = 1_000_000


@click.group()
def snapshot() -> None:
    """Make, list, check and restore snapshots."""


@snapshot.command()
@click.option("--tag", default="", help="Why it is made, such as pre_deploy.")
def create(tag: str) -> None:
    """Make a snapshot of everything, while all goes on."""
    if tag and not TAG.fullmatch(tag):
        raise click.ClickException("A tag has 1 to 40 of: small letters, digits, _ and -.")
    made = ask_snapshots(
        lambda snapshots: make_snapshot(new_id("snap"), tag=tag, now_ms=Clock().now_ms(), snapshots=snapshots)
    )
    click.echo(describe_snapshot(made))


@snapshot.command("list")
def list_snapshots() -> None:
    """List the snapshots, newest first."""
    found = ask_snapshots(lambda snapshots: snapshots.list())
    for each in found:
        click.echo(describe_snapshot(each))
    if not found:
        click.echo("There is no snapshot yet: make one with `bilayer snapshot create`.")


@snapshot.command()
@click.argument("snapshot_id")
def verify(snapshot_id: str) -> None:
    """Read a snapshot again; exits with 1 where it is damaged."""
    seen = ask_snapshots(lambda snapshots: snapshots.verify(snapshot_id))
    if not seen.ok:
        raise click.ClickException(f"{snapshot_id} is damaged: {seen.detail}. Choose another one.")
    click.echo(f"{snapshot_id} is whole: {seen.rows} rows.")


@snapshot.command()
@click.argument("snapshot_id")
def restore(snapshot_id: str) -> None:
    """Restore the whole store; what stands now is kept as a snapshot first."""
    with told():
        check_restore(load_settings())
    report = ask_snapshots(
        lambda snapshots: restore_snapshot(snapshot_id, safety_id=new_id("snap"), snapshots=snapshots),
        may_make=True,
    )
    click.echo(f"{snapshot_id} is restored: {report.rows} rows.")
    if report.dark_rows:
        click.echo(f"{report.dark_rows} rows of erased users stayed away: no key opens them.")
    if report.withheld_rows:
        click.echo(f"{report.withheld_rows} rows that were forgotten since stayed away.")
    if report.safety_id:
        click.echo(f"What stood before is kept as {report.safety_id}.")


def ask_snapshots(ask: Callable[[Snapshots], Awaitable[T]], *, may_make: bool = False) -> T:
    """Return what the snapshots answer; what is wrong is told in one sentence."""

    async def answer() -> T:
        settings = load_settings()
        check_database(settings, may_make=may_make)
        stores = open_stores(settings, Clock())
        try:
            return await ask(stores.snapshots)
        finally:
            stores.close()

    with told():
        return asyncio.run(answer())


def check_database(settings: Settings, *, may_make: bool) -> None:
    """Raise `StartError` where there is no database and none may be made."""
    if not may_make and not settings.database_path.is_file():
        raise StartError(
            f"There is no database at {settings.database_path.absolute()} yet: start Bilayer once "
            "(`bilayer up`), restore a snapshot, or set BILAYER_DATA_DIR to its data folder."
        )


def describe_snapshot(found: Snapshot) -> str:
    """Return a snapshot in one line."""
    made = from_ms(found.created_at_ms).strftime("%Y-%m-%d %H:%M")
    tag = f"  {found.tag}" if found.tag else ""
    return f"{found.id}  {made}  {found.rows} rows  {found.bytes / _BYTES_A_MB:.1f} MB{tag}"
