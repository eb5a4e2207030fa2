"""What the first look at a file accepts, makes and refuses."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest
from cryptography.fernet import Fernet

from shared.engines.sqlite import opening
from shared.engines.sqlite.stores import SqliteStores
from shared.errors import StartupProblem
from tests.contracts.ltm.samples import open_in


async def filled(folder: Path, **changes: object) -> SqliteStores:
    stores = open_in(folder, **changes)
    scope = await stores.directory.ensure_scope("t1", "user", outside_id="u1")
    await stores.ltm.write(scope, lambda w: w.mark_applied("k", 1))
    return stores


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.suffix in {".db", ".key"}}


def modes_below(folder: Path) -> dict[Path, int]:
    return {path: path.stat().st_mode & 0o777 for path in folder.rglob("*")}


def shorten(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def scribble(path: Path) -> None:
    path.write_bytes(b"not a database at all".ljust(8_192, b"\x00"))


def tear_schema(path: Path) -> None:
    torn = bytearray(path.read_bytes())
    torn[100:400] = b"\xff" * 300
    path.write_bytes(bytes(torn))


@pytest.mark.parametrize("harm", [shorten, scribble, tear_schema])
async def test_a_file_that_is_not_whole_is_refused_and_left_alone(
    tmp_path: Path, harm: Callable[[Path], None]
) -> None:
    (await filled(tmp_path)).close()
    harm(tmp_path / "ltm.db")
    before = contents(tmp_path)
    with pytest.raises(StartupProblem, match="snapshots"):
        open_in(tmp_path)
    assert contents(tmp_path) == before


def inspect(folder: Path, *keys: str, environment: str = "test") -> int | None:
    return opening.inspect_database(
        folder / "ltm.db", data_dir=folder, master_keys=keys, environment=environment
    )


@pytest.mark.parametrize("is_open", [False, True])
async def test_a_look_at_a_database_tells_its_version_and_changes_nothing(
    tmp_path: Path, *, is_open: bool
) -> None:
    assert inspect(tmp_path) is None
    stores = await filled(tmp_path)
    if not is_open:
        stores.close()
    before = modes_below(tmp_path).keys(), contents(tmp_path)
    assert inspect(tmp_path)
    assert (modes_below(tmp_path).keys(), contents(tmp_path)) == before
    with pytest.raises(StartupProblem, match="does not open"):
        inspect(tmp_path, Fernet.generate_key().decode())
    with pytest.raises(StartupProblem, match="belongs to the environment"):
        inspect(tmp_path, environment="elsewhere")
    if is_open:
        stores.close()


async def test_a_look_at_what_is_no_database_names_the_way_out(tmp_path: Path) -> None:
    (await filled(tmp_path)).close()
    scribble(tmp_path / "ltm.db")
    with pytest.raises(StartupProblem, match="snapshots"):
        inspect(tmp_path)


async def test_a_lost_key_file_stops_the_start_and_is_not_made_anew(tmp_path: Path) -> None:
    (await filled(tmp_path)).close()
    key = tmp_path / "keys" / "master.key"
    key.rename(tmp_path / "elsewhere")
    with pytest.raises(StartupProblem, match=r"master\.key"):
        open_in(tmp_path)
    assert not key.exists()


@pytest.mark.parametrize("users", [0, 1])
async def test_another_master_key_is_refused_even_before_there_are_users(tmp_path: Path, users: int) -> None:
    stores = open_in(tmp_path, master_keys=[Fernet.generate_key().decode()])
    for number in range(users):
        await stores.directory.ensure_scope("t1", "user", outside_id=f"u{number}")
    stores.close()
    with pytest.raises(StartupProblem, match="does not open"):
        open_in(tmp_path, master_keys=[Fernet.generate_key().decode()])


def test_a_data_folder_that_others_may_enter_is_closed(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    data.chmod(0o755)
    open_in(data).close()
    assert stat.S_IMODE(data.stat().st_mode) == 0o700


def test_a_folder_that_all_write_into_stays_open(tmp_path: Path) -> None:
    shared = tmp_path / "tmp"
    shared.mkdir()
    shared.chmod(0o1777)
    open_in(shared).close()
    assert stat.S_IMODE(shared.stat().st_mode) == 0o1777


async def test_a_rotated_database_opens_with_the_new_key_alone(tmp_path: Path) -> None:
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    first = open_in(tmp_path, master_keys=[old])
    scopes = [
        await first.directory.ensure_scope("t1", "user", outside_id=f"u{number}") for number in range(450)
    ]
    await first.ltm.write(scopes[7], lambda w: w.mark_applied("k", "kept"))
    first.close()
    both = open_in(tmp_path, master_keys=[new, old])
    assert await both.rotate_keys() == 451
    both.close()
    last = open_in(tmp_path, master_keys=[new])
    assert await last.ltm.read(scopes[7], lambda r: r.applied("k")) == "kept"
    assert await last.directory.outside_id(scopes[449]) == "u449"
    last.close()
    with pytest.raises(StartupProblem):
        open_in(tmp_path, master_keys=[old])


async def test_a_newer_schema_is_refused(tmp_path: Path) -> None:
    (await filled(tmp_path)).close()
    connection = apsw.Connection(str(tmp_path / "ltm.db"))
    connection.execute("UPDATE deployment SET value = '99' WHERE name = 'schema_version'")
    connection.close()
    with pytest.raises(StartupProblem, match="newer"):
        open_in(tmp_path)


async def test_before_a_migration_a_snapshot_is_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (await filled(tmp_path)).close()
    assert not list((tmp_path / "snapshots").glob("snap_*"))
    grown = [*opening._migrations(), "CREATE TABLE extra (name TEXT) STRICT;"]
    monkeypatch.setattr(opening, "_migrations", lambda: grown)
    stores = open_in(tmp_path)
    try:
        (made,) = await stores.snapshots.list()
        assert (made.tag, made.schema_version) == ("pre_migrate", len(grown) - 1)
        assert made.tables["applied_jobs"].rows == 1
        assert "extra" not in made.tables
        assert (await stores.snapshots.verify(made.id)).ok
        assert (await stores.snapshots.restore(made.id)).snapshot_id == made.id
    finally:
        stores.close()
    open_in(tmp_path).close()
    assert len(list((tmp_path / "snapshots").glob("snap_*"))) == 1


async def test_another_environment_is_refused(tmp_path: Path) -> None:
    (await filled(tmp_path)).close()
    with pytest.raises(StartupProblem, match=r"'test'.*'production'"):
        open_in(tmp_path, environment="production")


async def test_what_was_written_is_there_after_a_restart(tmp_path: Path) -> None:
    (await filled(tmp_path)).close()
    stores = open_in(tmp_path)
    scope = await stores.directory.find_scope("t1", "user", outside_id="u1")
    assert scope is not None
    assert await stores.ltm.read(scope, lambda r: r.applied("k")) == 1
    stores.close()


async def test_files_and_folders_are_the_owner_s_whatever_the_umask(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        stores = await filled(tmp_path / "made" / "here")
        modes = modes_below(tmp_path)
        stores.close()
    finally:
        os.umask(before)
    assert {path.name for path in modes} >= {
        "ltm.db",
        "ltm.db-wal",
        "ltm.db-shm",
        "ltm.db.lock",
        "master.key",
    }
    for path, mode in modes.items():
        assert mode == (0o700 if path.is_dir() else 0o600), path
