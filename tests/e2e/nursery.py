"""The parts of a stack, forked from one process that has loaded their code already.

Loading it takes seconds of computing, far more than all else that a part does until it is ready. A forked
part has an environment, a log, a session and a number of its own, and runs its module as `python -m`
does. Where a system has no process descriptors (all but Linux), parts are started one by one.
"""

from __future__ import annotations

import atexit
import contextlib
import importlib
import json
import os
import runpy
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Protocol

_ROOT = Path(__file__).resolve().parents[2]
_FORKS = sys.platform == "linux"
_LOADED = ("api.__main__", "workers.__main__", "tests.e2e.first_key")
_LATE = (
    "uvicorn.lifespan.on",
    "uvicorn.loops.auto",
    "uvicorn.protocols.http.auto",
)  # what a front loads as it starts


class Part(Protocol):
    """A running part: what `subprocess.Popen` and a forked part have in common."""

    pid: int

    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def send_signal(self, sig: int) -> None: ...
    def terminate(self) -> None: ...
    def kill(self) -> None: ...


class ForkedPart:
    """A process that the nursery forked: no child of ours, so that 0 stands for any exit code."""

    def __init__(self, pid: int) -> None:
        self.pid = pid
        self._descriptor: int | None = None
        with contextlib.suppress(ProcessLookupError):  # it has ended already
            self._descriptor = os.pidfd_open(pid)

    def poll(self) -> int | None:
        """Return None while it runs."""
        return 0 if self._ends_within(0) else None

    def wait(self, timeout: float | None = None) -> int:
        """Wait for its end. Raises `subprocess.TimeoutExpired`."""
        if not self._ends_within(timeout):
            raise subprocess.TimeoutExpired(str(self.pid), timeout or 0)
        return 0

    def send_signal(self, sig: int) -> None:
        """Send a signal, unless it has ended."""
        if self._descriptor is not None:
            with contextlib.suppress(ProcessLookupError):
                signal.pidfd_send_signal(self._descriptor, sig)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it at once."""
        self.send_signal(signal.SIGKILL)

    def _ends_within(self, seconds: float | None) -> bool:
        if self._descriptor is None:
            return True
        if not select.select([self._descriptor], [], [], seconds)[0]:
            return False
        os.close(self._descriptor)
        self._descriptor = None
        return True


def start_module(words: Sequence[str], *, environ: Mapping[str, str], log: Path) -> Part:
    """Run a module with its arguments in a session of its own; what it says is added to `log`."""
    if _FORKS:
        return _nursery().fork(words, environ=environ, log=log)
    with log.open("ab") as file:
        return subprocess.Popen(
            [sys.executable, "-m", *words],
            cwd=_ROOT,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=file,
            start_new_session=True,
        )


class _Nursery:
    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.e2e.nursery"],
            cwd=_ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
        )
        atexit.register(self._process.communicate)  # the end of its orders is its end

    def fork(self, words: Sequence[str], *, environ: Mapping[str, str], log: Path) -> ForkedPart:
        orders, answers = self._process.stdin, self._process.stdout
        assert orders is not None
        assert answers is not None
        order = {"words": list(words), "environ": dict(environ), "log": str(log.absolute())}
        orders.write(json.dumps(order) + "\n")
        orders.flush()
        return ForkedPart(int(answers.readline()))


@cache
def _nursery() -> _Nursery:
    return _Nursery()


def _serve() -> None:
    """Fork a part for each line of orders, and answer with its number; children are reaped by the system."""
    for name in (*_LATE, *_LOADED):
        importlib.import_module(name)
    for name in _LOADED:
        del sys.modules[name]  # which is run anew, as the main module
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    for line in sys.stdin:
        pid = os.fork()
        if pid == 0:
            _become(**json.loads(line))
            return
        sys.stdout.write(f"{pid}\n")
        sys.stdout.flush()


def _become(*, words: list[str], environ: dict[str, str], log: str) -> None:
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    os.environ.clear()
    os.environ.update(environ)
    said = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
    for own, given in ((os.open(os.devnull, os.O_RDONLY), (0,)), (said, (1, 2))):
        for number in given:
            os.dup2(own, number)
        os.close(own)
    time.tzset()
    sys.argv = list(words)
    runpy.run_module(words[0], run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    _serve()
