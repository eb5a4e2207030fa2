"""`bilayer reextract`: counts first, and lets history be read again only when told."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from shared.cli import cli
from shared.cli.reextract import reset_history
from shared.clock import Clock
from shared.extraction.request import PROMPT_VERSION
from shared.model.extraction import ExtractionStep
from shared.services import open_stores
from shared.settings import Settings


async def _fill(settings: Settings, *, version: int) -> None:
    stores = open_stores(settings, Clock())
    scope = await stores.directory.ensure_scope("default", "user", outside_id="u1")
    step = ExtractionStep(session_key="k", epoch=1, from_seq=1, to_seq=6, tokens=9, version=version)
    await stores.ltm.write(scope, lambda writer: writer.note_archived(step))
    await stores.ltm.write(scope, lambda writer: writer.note_extracted(step))
    stores.close()


@pytest.fixture
def settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("BILAYER_DATA_DIR", str(tmp_path / "data"))
    return Settings(data_dir=tmp_path / "data")


async def test_history_of_an_older_prompt_is_counted_then_read_again(settings: Settings) -> None:
    await _fill(settings, version=PROMPT_VERSION - 1)
    assert await reset_history(settings, is_run=False) == (1, 6)
    assert await reset_history(settings, is_run=True) == (1, 6)
    assert await reset_history(settings, is_run=False) == (0, 0)


async def test_history_of_this_prompt_is_left_alone(settings: Settings) -> None:
    await _fill(settings, version=PROMPT_VERSION)
    assert await reset_history(settings, is_run=True) == (0, 0)


def test_the_command_tells_what_it_would_do(settings: Settings) -> None:
    missing = CliRunner().invoke(cli, ["reextract"])
    assert missing.exit_code != 0
    assert "bilayer up" in missing.output
    open_stores(settings, Clock()).close()
    done = CliRunner().invoke(cli, ["reextract", "--run"])
    assert (done.exit_code, "nothing to do" in done.output) == (0, True)
