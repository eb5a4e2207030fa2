"""The `bilayer` command as typed: its words, its exit codes, and no traceback for what a person can mend."""

import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from shared.cli import app, cli
from shared.cli.config import StartError
from tests.cli.stand_in import PlainSettings


def test_help_names_every_command() -> None:
    result = CliRunner().invoke(cli, ["--help"])
    assert result.exit_code == 0
    for name in ("up", "doctor", "api", "worker", "schedule"):
        assert name in result.output


def test_what_only_talks_to_a_front_does_not_load_one() -> None:
    code = "import sys, shared.cli.chat, shared.cli.programs, shared.cli.show; print(*sys.modules)"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"shared.cli.chat", "shared.settings"} <= set(said.stdout.split())
    assert not {"shared.services", "fastapi", "apsw", "redis"} & set(said.stdout.split())


def test_doctor_prints_all_and_fails_on_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(app, "load_settings", lambda: PlainSettings(tmp_path, port=0))
    good = CliRunner().invoke(cli, ["doctor"])
    assert (good.exit_code, "FAIL" in good.output) == (0, False)
    monkeypatch.setattr(
        app, "load_settings", lambda: PlainSettings(tmp_path, redis_url="redis://127.0.0.1:1")
    )
    bad = CliRunner().invoke(cli, ["doctor"])
    assert bad.exit_code == 1
    assert "FAIL  redis:" in bad.output


def test_what_stops_a_start_is_one_sentence_and_exit_code_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> PlainSettings:
        raise StartError("The port is taken. Choose another.")

    monkeypatch.setattr(app, "load_settings", refuse)
    result = CliRunner().invoke(cli, ["doctor"])
    assert result.exit_code == 1
    assert result.output == "Error: The port is taken. Choose another.\n"


def test_a_wrong_setting_is_named_and_its_value_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BILAYER_PORT", "hunter2")
    result = CliRunner().invoke(cli, ["doctor"])
    assert result.exit_code == 1
    assert "BILAYER_PORT: " in result.output
    assert "hunter2" not in result.output
    assert "Traceback" not in result.output


@pytest.mark.parametrize(
    ("command", "module"),
    [("api", ("api",)), ("worker", ("workers",)), ("schedule", ("workers", "--schedule"))],
)
def test_single_programs_take_this_process_over(
    monkeypatch: pytest.MonkeyPatch, command: str, module: tuple[str, ...]
) -> None:
    seen: list[tuple[str, ...]] = []

    def execute(_path: str, argv: tuple[str, ...], _environ: dict[str, str]) -> None:
        seen.append(argv)

    monkeypatch.setattr("os.execve", execute)
    CliRunner().invoke(cli, [command])
    assert seen[0][3:] == module
