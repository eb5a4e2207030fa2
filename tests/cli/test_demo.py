"""`bilayer demo` as a program: it shows what it should, checks itself, and leaves nothing behind."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from pydantic import SecretStr

from shared.cli.chat import Turn
from shared.cli.children import CODE_FOLDER
from shared.cli.demo import demo_settings, environ_of
from shared.cli.demo_script import Line, find_problems
from shared.cli.descendants import PROC, process_ids
from shared.settings import Settings
from tests.cli.waiting import wait_until

COMMAND = (sys.executable, "-P", "-m", "shared.cli", "demo")


def start(folder: Path, **settings: str) -> "subprocess.Popen[str]":
    kept = {name: value for name, value in os.environ.items() if not name.startswith("BILAYER_")}
    environ = {**kept, "PYTHONPATH": str(CODE_FOLDER), "TMPDIR": str(folder), "COLUMNS": "200", **settings}
    return subprocess.Popen(
        COMMAND, cwd=folder, env=environ, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )


def processes_of(folder: Path) -> list[int]:
    """Processes whose environment names the folder, as all children of a demo's do; none without /proc."""
    if not PROC.exists():
        return []
    found = []
    for pid in process_ids():
        try:
            if f"BILAYER_DATA_DIR={folder}".encode() in Path(f"/proc/{pid}/environ").read_bytes():
                found.append(pid)
        except OSError:
            continue
    return found


@pytest.mark.e2e
@pytest.mark.timeout(300)
def test_it_shows_what_is_remembered_and_leaves_nothing_behind(tmp_path: Path) -> None:
    # What a user has set for their own deployment is neither used nor touched.
    (tmp_path / "bilayer.toml").write_text(
        'ltm_url = "sqlite:////nowhere/at/all.db"\nqueue_redis_url = "redis://127.0.0.1:1"\n'
    )
    process = start(tmp_path, BILAYER_REDIS_URL="redis://127.0.0.1:1", BILAYER_PORT="1")
    shown, told = process.communicate(timeout=240)
    assert process.returncode == 0, told
    for text in ("李姐", "first Friday", "A4 paper", "business_context.project_id", "archive: 2 finished"):
        assert text in shown
    assert told == ""
    assert [file.name for file in tmp_path.iterdir()] == ["bilayer.toml"]
    assert processes_of(tmp_path) == []


@pytest.mark.e2e
@pytest.mark.timeout(300)
def test_a_model_of_ones_own_that_does_not_answer_is_told(tmp_path: Path) -> None:
    process = start(tmp_path, BILAYER_LLM_BASE_URL="http://127.0.0.1:1/v1")
    _, told = process.communicate(timeout=240)
    assert process.returncode == 1
    assert "The model did not answer" in told


@pytest.mark.e2e
@pytest.mark.skipif(not PROC.exists(), reason="finds the children in /proc")
@pytest.mark.parametrize("end", [signal.SIGINT, signal.SIGTERM])
def test_being_stopped_in_the_middle_leaves_nothing_behind(tmp_path: Path, end: signal.Signals) -> None:
    process = start(tmp_path)
    wait_until(lambda: len(processes_of(tmp_path)) > 2)
    time.sleep(0.5)
    process.send_signal(end)
    _, told = process.communicate(timeout=90)
    assert process.returncode == 1
    assert "Aborted" in told
    assert list(tmp_path.iterdir()) == []
    assert processes_of(tmp_path) == []


def test_only_the_model_of_the_users_settings_counts(tmp_path: Path) -> None:
    mine = Settings(
        data_dir=Path("/mine"),
        master_key=SecretStr("k"),
        redis_url="redis://mine",
        llm_base_url="http://llm/v1",
        llm_api_key=SecretStr("sk"),
        llm_model="big",
    )
    settings = demo_settings(mine, tmp_path, model_port=None)
    environ = environ_of(settings, {"PATH": "/bin", "BILAYER_LTM_URL": "sqlite:////mine.db"})
    assert environ["BILAYER_LLM_BASE_URL"] == "http://llm/v1"
    assert environ["BILAYER_LLM_API_KEY"] == "sk"
    assert environ["BILAYER_LLM_MODEL"] == "big"
    assert environ["BILAYER_DATA_DIR"] == str(tmp_path / "data")
    assert environ["PATH"] == "/bin"
    assert not {"BILAYER_LTM_URL", "BILAYER_REDIS_URL", "BILAYER_MASTER_KEY"} & set(environ)


def test_each_thing_that_a_turn_lacks_is_a_problem() -> None:
    done = {"degraded": True, "reply": {"content": "-"}, "commands": []}
    line = Line("x", asks="a", applies="b", recalls="c")
    assert len(list(find_problems(line, Turn(done=done, recalled=[])))) == 4
    applied = {"outcome": "applied", "kind": "set", "path": "b"}
    good = {"degraded": False, "reply": {"content": "a?"}, "commands": [applied]}
    assert list(find_problems(line, Turn(done=good, recalled=[{"text": "c"}]))) == []
