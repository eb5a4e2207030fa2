"""The whole heap is walked while nobody waits, and never so rarely that cycles pile up."""

from __future__ import annotations

import subprocess
import sys

import pytest

from api.garbage import Calm, Traffic
from api.middleware import RequestContext


class _Time:
    def __init__(self) -> None:
        self.seconds = 1_000.0

    def __call__(self) -> float:
        return self.seconds


@pytest.mark.parametrize(
    ("running", "since_request", "since_walk", "is_time"),
    [
        (0, 2.0, 61.0, True),
        (0, 0.5, 61.0, False),
        (1, 2.0, 61.0, False),
        (0, 2.0, 30.0, False),
        (1, 0.0, 601.0, True),
    ],
)
def test_the_heap_is_walked_when_nobody_waits(
    *, running: int, since_request: float, since_walk: float, is_time: bool
) -> None:
    now = _Time()
    traffic = Traffic(now=now, running=running, ended_at=now() - since_request)
    assert Calm().is_time(traffic, collected_at=now() - since_walk) is is_time


async def test_a_request_counts_as_running_until_it_ends_however_it_ends() -> None:
    traffic = Traffic()
    seen = []

    async def app(*_: object) -> None:
        seen.append(traffic.running)
        raise RuntimeError

    async def nothing(*_: object) -> dict[str, object]:
        return {"type": "http.disconnect"}

    context = RequestContext(app, read_clock=None, traffic=traffic)
    with pytest.raises(RuntimeError):
        await context({"type": "http", "headers": []}, nothing, nothing)  # type: ignore[arg-type]
    assert seen == [1]
    assert traffic.running == 0
    assert traffic.ended_at > 0


def test_young_objects_are_walked_between_requests_and_never_beside_one() -> None:
    code = (
        "import gc; from api.garbage import Traffic, take_over_collector; take_over_collector();"
        "walked = []; gc.callbacks.append(lambda phase, info: walked.append((phase, info['generation'])));"
        "one = Traffic(); one.begin(); one.begin(); kept = [[] for _ in range(2_000)];"
        "one.end(); beside = len(walked); one.end(); print(beside, walked); one.begin(); one.end();"
        "print(len(walked))"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.splitlines() == ["0 [('start', 0), ('stop', 0)]", "2"]


def test_the_front_keeps_the_collector_from_walking_the_whole_heap_on_its_own() -> None:
    code = (
        "import gc; from api.garbage import take_over_collector; take_over_collector();"
        "walked = []; gc.callbacks.append(lambda phase, info: walked.append(info['generation']));"
        "kept = [[[]] for _ in range(1_500_000)]; print(gc.get_freeze_count() > 0, 0 in walked, 2 in walked)"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert said.stdout.split() == ["True", "True", "False"]
