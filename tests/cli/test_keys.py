"""`bilayer key`: keys made, listed and revoked in a real store, and what is told where that fails."""

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from shared.cli import cli
from shared.services import make_first_key
from shared.settings import Settings


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "data"
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("BILAYER_DATA_DIR", str(folder))
    return folder


@pytest.fixture
async def store(folder: Path) -> Path:
    """A data folder as the first start leaves it, with the first key."""
    await make_first_key(Settings(data_dir=folder))
    return folder


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, ["key", *words])


def made_id(result: Result) -> str:
    assert result.exit_code == 0, result.output
    return result.output.split()[0]


def test_a_new_key_shows_its_secret_once_and_holds_all_but_the_authority_over_fields(store: Path) -> None:
    made = run("create", "--label", "our back end")
    assert made.output.count("bl_") == 1
    for permission in ("chat", "memory:read", "memory:write", "pending:resolve", "export", "erase", "admin"):
        assert permission in made.output
    assert "fields:authoritative" not in made.output
    listed = run("list").output
    assert made_id(made) in listed
    assert "our back end" in listed
    assert "bl_" not in listed
    secret = made.output.split()[-1].encode()
    assert not any(secret in file.read_bytes() for file in store.rglob("*") if file.is_file())


@pytest.mark.usefixtures("store")
def test_an_agents_key_can_approve_nothing_and_make_no_key() -> None:
    output = run("create", "--agent").output
    assert "[chat memory:read memory:write tasks]" in output


@pytest.mark.usefixtures("store")
def test_named_permissions_are_all_that_a_key_holds() -> None:
    output = run("create", "--permission", "chat", "--permission", "fields:authoritative").output
    assert "[chat fields:authoritative]" in output


@pytest.mark.usefixtures("store")
def test_a_revoked_key_says_so_and_cannot_be_revoked_again() -> None:
    key_id = made_id(run("create"))
    assert run("revoke", key_id).output == f"{key_id} is revoked.\n"
    assert "revoked" in next(line for line in run("list").output.splitlines() if key_id in line)
    again = run("revoke", key_id)
    assert again.exit_code == 1
    assert again.output == "Error: No valid key has this id: `bilayer key list` shows the ids.\n"


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize(
    "words",
    [
        ("create", "--agent", "--permission", "chat"),
        ("create", "--label", ""),
        ("create", "--label", "two\nlines"),
        ("create", "--label", "x" * 101),
    ],
)
def test_what_makes_no_sense_is_one_sentence(words: tuple[str, ...]) -> None:
    before = run("list").output
    result = run(*words)
    assert result.exit_code == 1
    assert result.output.startswith("Error: ")
    assert result.output.count("\n") == 1
    assert run("list").output == before


@pytest.mark.parametrize("words", [("list",), ("create",), ("revoke", "key_1")])
def test_where_there_is_no_database_none_is_made(folder: Path, words: tuple[str, ...]) -> None:
    result = run(*words)
    assert result.exit_code == 1
    assert "set BILAYER_DATA_DIR" in result.output
    assert not folder.exists()


def test_a_lost_master_key_is_told(store: Path) -> None:
    (store / "keys" / "master.key").unlink()
    result = run("list")
    assert result.exit_code == 1
    assert "Put the key file back" in result.output
