"""The front over HTTP on a real stack: turns beside the floor, context, search, ingest, many users."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.bench.figures import Table, percentile, times
from tests.bench.filling import describe, fill_episodes, fill_memories, make_scope
from tests.bench.sentences import make_queries, make_sentences
from tests.bench.wire import Line
from tests.e2e.ltm_view import open_ltm
from tests.e2e.stack import Stack
from tests.ports import free_port

ROOT = Path(__file__).resolve().parents[2]
MEASURED = "measured"
SESSION = "long"
USERS_AT_ONCE = 32
_OTHERS = 1_000
_MEMORIES_EACH = 10
_OWN_MEMORIES = 50
_OWN_EPISODES = 500
_WINDOW_MESSAGES = 400
_WARM_UP = 30
_START_SECONDS = 20.0


@dataclass(frozen=True, slots=True)
class Fronts:
    """Where the two fronts listen, and the key that both take."""

    stack: Stack
    floor_port: int
    floor_pid: int
    key: str

    def line(self, user_id: str) -> Line:
        """Return a connection to the real front."""
        return Line(self.stack.port, key=self.key, user_id=user_id)

    def cpu_seconds(self) -> tuple[float, float]:
        """Return the processor time that the front and the floor have taken so far (0 where unknown)."""
        return _cpu_seconds(self.stack.processes["api"].pid), _cpu_seconds(self.floor_pid)

    def floor(self) -> Line:
        """Return a connection to the floor."""
        return Line(self.floor_port, key=self.key, user_id=MEASURED)


@contextmanager
def open_fronts(folder: Path, *, upstream_url: str) -> Iterator[Fronts]:
    """Start the stack with one worker and the floor beside it."""
    with Stack(folder, workers=1, environ={"BILAYER_LLM_BASE_URL": upstream_url}) as stack:
        port, key = free_port(), str(stack.admin().headers["authorization"]).partition(" ")[2]
        arguments = ["--port", str(port), "--upstream", upstream_url, "--key", key]
        with program("tests.bench.floor", *arguments) as floor:
            _wait_for_port(port)
            yield Fronts(stack, port, floor.pid, key)


@contextmanager
def program(module: str, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run one of our programs as a process; its first line can be read from its output."""
    process = subprocess.Popen(
        [sys.executable, "-m", module, *arguments], cwd=ROOT, stdout=subprocess.PIPE, text=True
    )
    try:
        yield process
    finally:
        process.terminate()
        process.wait(10)


async def fill_front(fronts: Fronts) -> None:
    """Store 10,000 memories of 1,000 users; give the measured user memories, episodes, a full window."""
    rows = describe(make_sentences(_OTHERS * _MEMORIES_EACH, seed=11))
    with open_ltm(fronts.stack) as stores:
        for number in range(_OTHERS):
            scope = await make_scope(stores, f"other-{number}")
            await fill_memories(stores, scope, rows[number * _MEMORIES_EACH :][:_MEMORIES_EACH])
        scope = await make_scope(stores, MEASURED)
        own = describe(make_sentences(_OWN_MEMORIES + _OWN_EPISODES, seed=12))
        await fill_memories(stores, scope, own[:_OWN_MEMORIES])
        await fill_episodes(stores, scope, own[_OWN_MEMORIES:])
    said = make_sentences(_WINDOW_MESSAGES, seed=13)
    with fronts.line(MEASURED) as line:
        for start in range(0, len(said), 100):
            line.post(f"/v1/sessions/{SESSION}/messages", {"messages": _talk(said[start : start + 100])})
        line.post(f"/v1/sessions/{SESSION}/flush", {})
    with fronts.line("ingesting") as line:
        line.post(f"/v1/sessions/{SESSION}/messages", {"messages": _talk(said[:100])})


def measure_turns(fronts: Fronts, table: Table, *, turns: int) -> None:
    """Take plain turns, each beside one of the floor."""
    path, said = f"/v1/sessions/{SESSION}/turns", make_sentences(_WARM_UP + turns, seed=14)
    ours: list[float] = []
    floors: list[float] = []
    window, cpu = 0, (0.0, 0.0)
    with fronts.line(MEASURED) as line, fronts.floor() as floor:
        for place, text in enumerate(said):
            if place == _WARM_UP:
                cpu = fronts.cpu_seconds()
            answer, milliseconds = line.post(path, {"message": text})
            assert answer["commands"] == []
            assert not answer["degraded"]
            window = answer["usage"]["prompt_tokens"]
            ours.append(milliseconds)
            floors.append(floor.post(path, {"message": text})[1])
        spent = [
            (after - before) * 1000 / turns for before, after in zip(cpu, fronts.cpu_seconds(), strict=True)
        ]
    ours, floors = ours[_WARM_UP:], floors[_WARM_UP:]
    table.add(
        "turn, model at 0 ms", times(ours, 50, 95, 99), note=f"{turns} turns, upstream counts {window} chars"
    )
    table.add("floor: the same front without memory", times(floors, 50, 95, 99))
    ratio = {
        f"p{name}": percentile(ours, name / 100) / percentile(floors, name / 100) for name in (50, 95, 99)
    }
    table.add("turn / floor", {**ratio, "CPU": spent[0] / max(spent[1], 0.01)})
    table.add("CPU of the front", {"ms a turn": spent[0], "floor ms a turn": spent[1]})


def measure_requests(fronts: Fronts, table: Table, *, requests: int) -> None:
    """Ask for context, search and append, one user, one after the other."""
    queries = make_queries(_WARM_UP + requests, seed=15)
    said = make_sentences(2 * len(queries), seed=16)
    with fronts.line(MEASURED) as line, fronts.line("ingesting") as other:
        contexts = [line.post(f"/v1/sessions/{SESSION}/context", {"message": query})[1] for query in queries]
        searches = [line.post("/v1/memories/search", {"query": query})[1] for query in queries]
        appended = [
            other.post(f"/v1/sessions/{SESSION}/messages", {"messages": _talk(said[place : place + 2])})[1]
            for place in range(0, len(said), 2)
        ]
    table.add(
        "context: recall and assembly, over HTTP", times(contexts[_WARM_UP:], 50, 95), note="window full"
    )
    table.add(
        "memory search, over HTTP", times(searches[_WARM_UP:], 50, 99), note=f"{_OWN_EPISODES} episodes"
    )
    table.add("ingest: two messages, over HTTP", times(appended[_WARM_UP:], 50, 95))


def measure_many(fronts: Fronts, table: Table, *, seconds: float) -> None:
    """Let 32 users append a turn and fetch its context, as fast as they can."""
    stop = threading.Event()
    said = make_sentences(4_000, seed=17)

    def chat(number: int) -> int:
        turns = 0
        with fronts.line(f"busy-{number}") as line:
            while not stop.is_set():
                place = (number * 125 + turns) * 2 % len(said)
                line.post("/v1/sessions/busy/messages", {"messages": _talk(said[place : place + 2])})
                line.post("/v1/sessions/busy/context", {"message": said[place]})
                turns += 1
        return turns

    with ThreadPoolExecutor(USERS_AT_ONCE) as pool:
        started = time.perf_counter()
        running = [pool.submit(chat, number) for number in range(USERS_AT_ONCE)]
        time.sleep(seconds)
        stop.set()
        turns = sum(task.result() for task in running)
        took = time.perf_counter() - started
    note = "append a turn, fetch its context; one worker runs, the client shares the machine"
    table.add(f"throughput, {USERS_AT_ONCE} users", {"turns/s": turns / took}, note=note)


def measure_memory(fronts: Fronts, table: Table) -> None:
    """Read the resident memory of each process (Linux only)."""
    stack = fronts.stack
    assert stack.redis is not None
    pids = {name: process.pid for name, process in stack.processes.items()}
    pids["redis"] = stack.redis.process.pid
    held = {
        f"{name} MB": _resident_mb(pid) for name, pid in pids.items() if Path(f"/proc/{pid}/status").exists()
    }
    if held:
        table.add("resident memory after all that", held)


def _talk(texts: list[str]) -> list[dict[str, str]]:
    roles = ("user", "assistant")
    return [{"role": roles[place % 2], "content": text} for place, text in enumerate(texts)]


def _resident_mb(pid: int) -> float:
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    return next(int(line.split()[1]) / 1024 for line in lines if line.startswith("VmRSS"))


def _cpu_seconds(pid: int) -> float:
    path = Path(f"/proc/{pid}/stat")
    if not path.exists():
        return 0.0
    values = path.read_text(encoding="utf-8").rpartition(")")[2].split()
    return (int(values[11]) + int(values[12])) / os.sysconf("SC_CLK_TCK")


def _wait_for_port(port: int) -> None:
    deadline = time.monotonic() + _START_SECONDS
    while True:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            assert time.monotonic() < deadline, "the floor did not start"
            time.sleep(0.05)
        else:
            return
