"""Keep children running: one that ends is started again, and ending the supervisor ends all of them.

The first restart waits 0.5 s, each further one twice as long up to 10 s; a child that ran for 30 s starts
afresh. Each child leads a session of its own, so that Ctrl-C reaches the supervisor alone and it decides
the order: all of one stage get TERM, whatever is left after 5 s gets KILL, then comes the next stage.
"""

import signal
import subprocess
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType

from shared.cli.children import Child
from shared.cli.config import StartError
from shared.cli.descendants import end_session, end_with_parent, kill_session, session_members

POLL_SECONDS = 0.1


@dataclass(frozen=True)
class Patience:
    """How long to wait, in seconds: before restarts, for a run to count as steady, for an orderly end."""

    first_restart: float = 0.5
    longest_restart: float = 10.0
    steady: float = 30.0
    stop: float = 5.0

    def next_delay(self, delay: float | None, *, ran_seconds: float) -> float:
        """Seconds until the next start, from the last such delay (None: it never had to be restarted)."""
        if delay is None or ran_seconds >= self.steady:
            return self.first_restart
        return min(delay * 2, self.longest_restart)


@dataclass
class Running:
    child: Child
    process: "subprocess.Popen[bytes] | None" = None
    started_at: float = 0.0
    delay: float | None = None
    due_at: float = 0.0
    exit_code: int | None = None
    leaders: set[int] = field(default_factory=set)

    @property
    def is_alive(self) -> bool:
        return self.process is not None and self.process.poll() is None


class Supervisor:
    """Owns the children; used from the main thread, since children end with the thread that started them."""

    def __init__(self, *, say: Callable[[str], None], patience: Patience | None = None) -> None:
        self._say = say
        self._patience = patience or Patience()
        self._running: dict[str, Running] = {}
        self._stopping = threading.Event()

    @property
    def is_stopping(self) -> bool:
        return self._stopping.is_set()

    def add(self, child: Child) -> None:
        """Start a child now and keep it running."""
        running = Running(child=child)
        self._running[child.name] = running
        self._start(running)

    def pid_of(self, name: str) -> int | None:
        process = self._running[name].process
        return None if process is None else process.pid

    def is_alive(self, name: str) -> bool:
        return self._running[name].is_alive

    def last_exit(self, name: str) -> int | None:
        """The exit code of the child's last end, None if it never ended."""
        return self._running[name].exit_code

    def listen_for_signals(self) -> None:
        """TERM, Ctrl-C and a closed terminal ask for an orderly end."""

        def ask(_number: int, _frame: FrameType | None) -> None:
            self.ask_to_stop()

        signal.signal(signal.SIGTERM, ask)
        signal.signal(signal.SIGINT, ask)
        if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # nohup asked to stay
            signal.signal(signal.SIGHUP, ask)

    def ask_to_stop(self) -> None:
        self._stopping.set()

    def run_until(self, is_done: Callable[[], bool]) -> None:
        """Restart what ends until the condition holds or someone asks to stop."""
        while not self.is_stopping and not is_done():
            self._tend()
            self._stopping.wait(POLL_SECONDS)

    def run(self) -> None:
        self.run_until(lambda: False)

    def stop(self) -> None:
        """End all children, stage by stage, grandchildren included."""
        self._stopping.set()
        for stage in sorted({running.child.stage for running in self._running.values()}):
            self._stop_stage([r for r in self._running.values() if r.child.stage == stage])

    def _tend(self) -> None:
        now = time.monotonic()
        for running in self._running.values():
            if running.is_alive:
                continue
            if running.process is not None:
                self._note_end(running, now=now)
            if now >= running.due_at:
                self._start(running)

    def _note_end(self, running: Running, *, now: float) -> None:
        assert running.process is not None  # noqa: S101 - the caller looked
        running.exit_code = running.process.returncode
        running.delay = self._patience.next_delay(running.delay, ran_seconds=now - running.started_at)
        running.due_at = now + running.delay
        running.process = None
        running.leaders = {leader for leader in running.leaders if session_members(leader)}
        self._say(
            f"{running.child.name} ended ({describe_exit(running.exit_code)}); "
            f"starting it again in {running.delay:g} s."
        )

    def _start(self, running: Running) -> None:
        child = running.child
        try:
            running.process = subprocess.Popen(  # noqa: S603 - our own programs
                child.argv,
                env=dict(child.environ),
                stdin=subprocess.DEVNULL,
                start_new_session=True,
                umask=0o077,
                preexec_fn=end_with_parent,  # noqa: PLW1509 - one system call, no lock, no import
            )
        except OSError as error:
            raise StartError(
                f"{child.name} cannot be started: {error}. Is {child.argv[0]} still there?"
            ) from error
        running.started_at = time.monotonic()
        running.leaders.add(running.process.pid)

    def _stop_stage(self, stage: list[Running]) -> None:
        leaders = {leader for running in stage for leader in running.leaders}
        for leader in leaders:
            end_session(leader)
        deadline = time.monotonic() + self._patience.stop
        while self._someone_left(stage, leaders=leaders) and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS / 5)
        deadline = time.monotonic() + self._patience.stop
        while self._someone_left(stage, leaders=leaders) and time.monotonic() < deadline:
            for leader in leaders:
                kill_session(leader)
            time.sleep(POLL_SECONDS / 5)

    def _someone_left(self, stage: list[Running], *, leaders: set[int]) -> bool:
        alive = [running.is_alive for running in stage]  # asks each, and so reaps each
        return any(alive) or any(session_members(leader) for leader in leaders)


def describe_exit(code: int | None) -> str:
    """An exit code in words: negative ones are the signal that ended the process."""
    if code is not None and code < 0:
        return f"by {signal.Signals(-code).name}"
    return f"exit code {code}"
