"""Settings of the environment and of `bilayer.toml`; a name that sets nothing is told, and stops nothing."""

from __future__ import annotations

import logging
import traceback
from pathlib import Path

import pytest
import structlog

from shared.cli import checks, doctor
from shared.errors import StartupProblem
from shared.log import configure_logs, warn_of_names
from shared.settings import load_settings, unknown_settings

SECRET = "hunter2"


@pytest.mark.parametrize(
    ("name", "nearest"),
    [
        ("BILAYER_LLM_BASEURL", "BILAYER_LLM_BASE_URL"),
        ("BILAYER_LLM_API_KEYS", "BILAYER_LLM_API_KEY"),
        ("bilayer_prot", "BILAYER_PORT"),
        ("BILAYER_ZZZZ", ""),
        ("BILAYER_", ""),
    ],
)
def test_a_variable_that_sets_nothing_is_named_with_the_one_that_was_meant(
    tmp_path: Path, name: str, nearest: str
) -> None:
    environ = {name: SECRET, "BILAYER_PORT": "1", "bilayer_host": "x", "BILAYER_KEY": "bl_x", "PATH": "/bin"}
    assert unknown_settings(environ, folder=tmp_path) == {name: nearest}


def test_a_line_of_the_file_that_sets_nothing_is_named_too(tmp_path: Path) -> None:
    lines = ["port = 1", 'llm_modl = "x"', 'BILAYER_LLM_API_KEY = "x"', "[embeddings_]", "on = 1"]
    (tmp_path / "bilayer.toml").write_text("\n".join(lines), "utf-8")
    assert unknown_settings({}, folder=tmp_path) == {
        "llm_modl": "llm_model",
        "BILAYER_LLM_API_KEY": "llm_api_key",
        "embeddings_": "embeddings",
    }


def test_a_file_in_another_encoding_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "bilayer.toml").write_bytes("environment = '生产'".encode("gb18030"))
    with pytest.raises(StartupProblem, match=r"bilayer\.toml is not UTF-8\. Save it as UTF-8"):
        load_settings(tmp_path)


@pytest.mark.parametrize(
    "name", ["LLM_BASE_URL", "EMBEDDINGS_BASE_URL", "RERANKER_BASE_URL", "REDIS_URL", "QUEUE_REDIS_URL"]
)
@pytest.mark.parametrize("place", ["u:zq7x/x@host/1", "zq7x/x@host/1", "u:p?zq7x@host", "u:p#zq7x@host"])
def test_an_address_with_credentials_that_were_not_encoded_is_refused_untold(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, name: str, place: str
) -> None:
    scheme = "redis" if "REDIS" in name else "https"
    monkeypatch.setenv(f"BILAYER_{name}", f"{scheme}://{place}")
    with pytest.raises(StartupProblem, match="it is no address") as caught:
        load_settings(tmp_path)
    assert "zq7x" not in "".join(traceback.format_exception(caught.value))


def test_the_environment_wins_over_the_file_unless_it_is_empty(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "bilayer.toml").write_text("port = 1001\nworkers = 3", "utf-8")
    monkeypatch.setenv("BILAYER_PORT", "1002")
    monkeypatch.setenv("BILAYER_WORKERS", "")
    settings = load_settings(tmp_path)
    assert (settings.port, settings.workers) == (1002, 3)


def test_the_log_and_the_doctor_name_it_and_never_its_value(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unknown = unknown_settings({"BILAYER_LLM_BASEURL": SECRET, "BILAYER_ZZZZ": SECRET}, folder=tmp_path)
    configure_logs()
    try:
        warn_of_names(unknown)
        logged = capsys.readouterr().err
    finally:  # or the tests that follow log to what this one captured
        structlog.reset_defaults()
        logging.basicConfig(handlers=[logging.NullHandler()], force=True)
    assert logged.count('"level": "warning"') == 2
    assert '"name": "BILAYER_LLM_BASEURL", "nearest": "BILAYER_LLM_BASE_URL"' in logged
    check = checks.check_setting_names(unknown)
    told = doctor.describe([check])
    assert doctor.is_fit([check])
    assert "For BILAYER_LLM_BASEURL there is BILAYER_LLM_BASE_URL." in told
    assert "BILAYER_ZZZZ" in told
    assert SECRET not in logged + told
    assert checks.check_setting_names({}).ok


@pytest.mark.parametrize("name", ["LLM_BASE_URL", "EMBEDDINGS_BASE_URL", "RERANKER_BASE_URL"])
@pytest.mark.parametrize(
    "address", ["notaurl", "ftp://host/v1", "http://", "https://host:port/v1", "http://[::1"]
)
def test_what_is_no_address_is_refused_by_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, address: str
) -> None:
    monkeypatch.setenv(f"BILAYER_{name}", address)
    with pytest.raises(StartupProblem, match=f"BILAYER_{name}: .*https://host/v1") as caught:
        load_settings(tmp_path)
    assert address not in caught.value.detail


def test_embeddings_without_an_address_name_the_setting_that_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("BILAYER_EMBEDDINGS", "http")
    with pytest.raises(StartupProblem, match="BILAYER_EMBEDDINGS_BASE_URL: "):
        load_settings(tmp_path)
    monkeypatch.setenv("BILAYER_EMBEDDINGS_BASE_URL", "http://127.0.0.1:9/v1")
    assert load_settings(tmp_path).embeddings_engine == "http"
