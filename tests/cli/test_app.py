"""The `bilayer` command as typed: its words, its exit codes, and no traceback for what a person can mend."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from shared.cli import app
from shared.cli.config import StartError
from tests.cli.stand_in import PlainSettings


def test_help_names_every_command() -> None:
    result = CliRunner().invoke(app.cli, ["--help"])
    assert result.exit_code == 0
    for name in ("up", "doctor", "api", "worker", "schedule"):
        assert name in result.output


def test_doctor_prints_all_and_fails_on_what_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(app, "load_settings", lambda: PlainSettings(tmp_path, port=0))
    good = CliRunner().invoke(app.cli, ["doctor"])
    assert (good.exit_code, "FAIL" in good.output) == (0, False)
    monkeypatch.setattr(
        app, "load_settings", lambda: PlainSettings(tmp_path, redis_url="redis://127.0.0.1:1")
    )
    bad = CliRunner().invoke(app.cli, ["doctor"])
    assert bad.exit_code == 1
    assert "FAIL  redis:" in bad.output


def test_what_stops_a_start_is_one_sentence_and_exit_code_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse() -> PlainSettings:
        raise StartError("The port is taken. Choose another.")

    monkeypatch.setattr(app, "load_settings", refuse)
    result = CliRunner().invoke(app.cli, ["doctor"])
    assert result.exit_code == 1
    assert result.output == "Error: The port is taken. Choose another.\n"


def test_a_wrong_setting_is_named_and_its_value_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("BILAYER_PORT", "hunter2")
    result = CliRunner().invoke(app.cli, ["doctor"])
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
    CliRunner().invoke(app.cli, [command])
    assert seen[0][3:] == module
