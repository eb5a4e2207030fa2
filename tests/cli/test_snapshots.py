"""`bilayer snapshot`: copies made, checked and restored straight in a data folder."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shared.cli import cli
from shared.clock import Clock
from shared.ltm.edit import StatedMemory, Why, add_memory
from shared.ports.ltm import MemoryFilter
from shared.services import DEFAULT_TENANT, open_stores
from shared.settings import Settings


@pytest.fixture
async def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder in which one user has one memory."""
    folder = tmp_path / "data"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BILAYER_DATA_DIR", str(folder))
    stores = open_stores(Settings(data_dir=folder), Clock())
    scope = await stores.directory.ensure_scope(DEFAULT_TENANT, "user", outside_id="u1")
    why = Why(actor="key_1", request_id="req_1", origin="user", at=Clock().now())
    await add_memory(scope, StatedMemory(text="the boat lies in Kiel"), why=why, ltm=stores.ltm)
    stores.close()
    return folder


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["snapshot", *words])


async def texts(folder: Path) -> list[str]:
    stores = open_stores(Settings(data_dir=folder), Clock())
    try:
        scope = await stores.directory.find_scope(DEFAULT_TENANT, "user", outside_id="u1")
        assert scope is not None
        found = await stores.ltm.read(scope, lambda r: r.memories(MemoryFilter()))
        return [memory.text for memory in found]
    finally:
        stores.close()


def made_id(result: Result) -> str:
    assert result.exit_code == 0, result.output
    return result.output.split()[0]


def test_a_snapshot_is_made_listed_and_checked(store: Path) -> None:
    assert run("list").output.startswith("There is no snapshot yet")
    snapshot_id = made_id(run("create", "--tag", "pre_deploy"))
    assert "pre_deploy" in run("list").output
    assert run("verify", snapshot_id).output.startswith(f"{snapshot_id} is whole: ")
    (store / "snapshots" / snapshot_id / "audit.jsonl").write_text("[]\n")
    damaged = run("verify", snapshot_id)
    assert (damaged.exit_code, "audit: the file was altered" in damaged.output) == (1, True)
    refused = run("restore", snapshot_id)
    assert (refused.exit_code, "damaged" in refused.output) == (1, True)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("create", "--tag", "Two words"), "A tag has"),
        (("verify", "snap_none"), "There is no such snapshot"),
        (("restore", "snap_none"), "There is no such snapshot"),
    ],
)
@pytest.mark.usefixtures("store")
def test_what_makes_no_sense_is_one_sentence(words: tuple[str, ...], told: str) -> None:
    result = run(*words)
    assert result.exit_code == 1
    assert told in result.output
    assert result.output.count("\n") == 1


def test_a_snapshot_its_keys_and_the_master_key_make_a_store_in_an_empty_folder(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot_id = made_id(run("create"))
    fresh = tmp_path / "fresh"
    monkeypatch.setenv("BILAYER_DATA_DIR", str(fresh))
    lacking = run("restore", snapshot_id)
    assert "A restore needs the master key" in lacking.output
    shutil.copytree(store / "keys", fresh / "keys")
    lacking = run("restore", snapshot_id)
    assert "A restore needs the key backup" in lacking.output
    assert not (fresh / "ltm.db").exists()
    shutil.copytree(store / "snapshots", fresh / "snapshots")
    restored = run("restore", snapshot_id)
    assert restored.exit_code == 0, restored.output
    assert restored.output.startswith(f"{snapshot_id} is restored: ")
    assert asyncio.run(texts(fresh)) == ["the boat lies in Kiel"]


def test_the_wrong_master_key_makes_nothing(
    store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    snapshot_id = made_id(run("create"))
    fresh = tmp_path / "fresh"
    shutil.copytree(store / "snapshots", fresh / "snapshots")
    monkeypatch.setenv("BILAYER_DATA_DIR", str(fresh))
    monkeypatch.setenv("BILAYER_MASTER_KEY", "A" * 43 + "=")
    result = run("restore", snapshot_id)
    assert (result.exit_code, "does not open" in result.output) == (1, True)
    assert not (fresh / "ltm.db").exists()


@pytest.mark.parametrize("words", [("list",), ("create",), ("verify", "snap_1")])
def test_where_there_is_no_database_none_is_made(
    words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BILAYER_DATA_DIR", str(tmp_path / "data"))
    result = run(*words)
    assert (result.exit_code, "There is no database" in result.output) == (1, True)
    assert not (tmp_path / "data").exists()
