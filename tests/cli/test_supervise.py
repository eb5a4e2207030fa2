"""The supervisor: what ends is started again, and nothing outlives it."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.cli.children import Child
from shared.cli.config import StartError
from shared.cli.supervise import Patience, Supervisor, describe_exit
from tests.cli.waiting import is_running, pids_in, wait_until

ROOT = Path(__file__).resolve().parents[2]
QUICK = Patience(first_restart=0.05, longest_restart=0.1, steady=30, stop=1)
NOTE = "import os, sys, time; open(sys.argv[1], 'a').write(f'{os.getpid()}\\n')\n"
STAYS = NOTE + "time.sleep(60)\n"
IGNORES_TERM = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" + STAYS
# A child whose own child leaves the process group, as a worker's fork does, and ignores TERM.
HAS_GRANDCHILD = (
    "import os, signal, sys, time\n"
    "if os.fork() == 0:\n"
    "    os.setpgid(0, 0)\n"
    "    signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
) + STAYS


def child(code: str, note: Path, *, name: str = "child", stage: int = 0) -> Child:
    return Child(
        name=name, argv=(sys.executable, "-c", code, str(note)), environ=dict(os.environ), stage=stage
    )


@pytest.fixture
def said() -> list[str]:
    return []


@pytest.fixture
def supervisor(said: list[str]) -> Iterator[Supervisor]:
    supervisor = Supervisor(say=said.append, patience=QUICK)
    yield supervisor
    supervisor.stop()


def test_delays_double_up_to_ten_seconds_and_start_afresh_after_a_steady_run() -> None:
    patience = Patience()
    delays: list[float] = []
    for _ in range(7):
        delays.append(patience.next_delay(delays[-1] if delays else None, ran_seconds=1))
    assert delays == [0.5, 1, 2, 4, 8, 10, 10]
    assert patience.next_delay(10, ran_seconds=31) == 0.5


def test_a_child_that_ends_is_started_again_and_its_exit_code_told(
    supervisor: Supervisor, said: list[str], tmp_path: Path
) -> None:
    note = tmp_path / "pids"
    supervisor.add(child(NOTE + "sys.exit(3)\n", note))
    supervisor.run_until(lambda: len(pids_in(note)) >= 3)
    assert supervisor.last_exit("child") == 3
    assert "child ended (exit code 3); starting it again in 0.05 s." in said


def test_a_killed_child_is_started_again(supervisor: Supervisor, said: list[str], tmp_path: Path) -> None:
    note = tmp_path / "pids"
    supervisor.add(child(STAYS, note))
    wait_until(lambda: len(pids_in(note)) == 1)
    os.kill(pids_in(note)[0], signal.SIGKILL)
    supervisor.run_until(lambda: len(pids_in(note)) == 2)
    assert supervisor.is_alive("child")
    assert any("by SIGKILL" in line for line in said)


@pytest.mark.parametrize("code", [STAYS, IGNORES_TERM, HAS_GRANDCHILD], ids=["plain", "deaf", "grandchild"])
def test_stopping_ends_every_process(supervisor: Supervisor, tmp_path: Path, code: str) -> None:
    note = tmp_path / "pids"
    supervisor.add(child(code, note))
    expected = 2 if code is HAS_GRANDCHILD else 1
    wait_until(lambda: len(pids_in(note)) == expected)
    supervisor.stop()
    assert [pid for pid in pids_in(note) if is_running(pid)] == []


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc to find what left its process group")
def test_the_orphan_of_a_killed_child_is_ended_too(supervisor: Supervisor, tmp_path: Path) -> None:
    note = tmp_path / "pids"
    supervisor.add(child(HAS_GRANDCHILD, note))
    wait_until(lambda: len(pids_in(note)) == 2)
    first = supervisor.pid_of("child")
    assert first is not None
    os.kill(first, signal.SIGKILL)
    supervisor.run_until(lambda: len(pids_in(note)) == 4)
    supervisor.stop()
    assert [pid for pid in pids_in(note) if is_running(pid)] == []


def test_a_later_stage_ends_after_an_earlier_one(supervisor: Supervisor, tmp_path: Path) -> None:
    log = tmp_path / "ends"
    tells = (
        "import signal, sys, time\n"
        "def end(*_):\n    time.sleep({0})\n    open(sys.argv[1], 'a').write('{1}\\n')\n    sys.exit()\n"
        "signal.signal(signal.SIGTERM, end)\nopen(sys.argv[1] + '{1}', 'w')\ntime.sleep(60)\n"
    )
    supervisor.add(child(tells.format(0, "redis"), log, name="redis", stage=1))
    supervisor.add(child(tells.format(0.3, "api"), log, name="api"))
    wait_until(lambda: all((tmp_path / f"ends{name}").exists() for name in ("redis", "api")))
    supervisor.stop()
    assert log.read_text().split() == ["api", "redis"]


def test_a_program_that_is_gone_is_told_in_words(supervisor: Supervisor, tmp_path: Path) -> None:
    with pytest.raises(StartError, match="redis cannot be started"):
        supervisor.add(Child(name="redis", argv=(str(tmp_path / "gone"),), environ={}))


def test_exit_codes_read_as_words() -> None:
    assert describe_exit(1) == "exit code 1"
    assert describe_exit(-signal.SIGTERM) == "by SIGTERM"


# Where the tests themselves run under nohup, a child would be deaf to SIGHUP from its start.
HEARS_HANGUPS = "import signal; signal.signal(signal.SIGHUP, signal.SIG_DFL)\n"
SUPERVISES = """
import os, sys
from shared.cli.children import Child
from shared.cli.supervise import Patience, Supervisor
supervisor = Supervisor(say=print, patience=Patience(stop=1))
supervisor.listen_for_signals()
for n in range(2):
    argv = (sys.executable, "-c", sys.argv[2], sys.argv[1])
    supervisor.add(Child(name=f"c{n}", argv=argv, environ=os.environ))
try:
    supervisor.run()
finally:
    supervisor.stop()
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGKILL])
def test_a_signal_to_the_supervisor_ends_all_children(tmp_path: Path, number: signal.Signals) -> None:
    if number == signal.SIGKILL and sys.platform != "linux":
        pytest.skip("only Linux ends the children of a killed supervisor")
    note = tmp_path / "pids"
    process = subprocess.Popen([sys.executable, "-c", HEARS_HANGUPS + SUPERVISES, str(note), STAYS], cwd=ROOT)
    wait_until(lambda: len(pids_in(note)) == 2)
    time.sleep(0.1)
    process.send_signal(number)
    assert process.wait(10) == (-signal.SIGKILL if number == signal.SIGKILL else 0)
    wait_until(lambda: not any(is_running(pid) for pid in pids_in(note)))
