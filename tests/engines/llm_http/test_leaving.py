"""A caller that leaves: the upstream sees it at once, and nothing of the request stays behind."""

from __future__ import annotations

import asyncio
import gc
from datetime import timedelta

import anyio
import pytest

from tests.engines.llm_http.conftest import REQUEST, Rig, settle
from tests.fakes.upstream import Script

SLOW = Script(pieces=("a",) * 500, piece_delay_seconds=0.02)
NEVER = Script(first_delay_seconds=30)


async def test_closing_the_iterator_ends_the_request(rig: Rig) -> None:
    rig.upstream.default = SLOW
    stream = rig.model.stream(REQUEST)
    assert (await anext(stream)).text == "a"
    await stream.aclose()
    assert rig.outcomes == ["cancelled"]
    await settle(lambda: rig.upstream.disconnects == 1)
    assert rig.connections == []


@pytest.mark.parametrize("script", [SLOW, NEVER])
async def test_cancelling_the_task_ends_the_request(rig: Rig, script: Script) -> None:
    rig.upstream.default = script
    task = asyncio.create_task(rig.ask())
    await settle(lambda: len(rig.upstream.requests) == 1)
    await asyncio.sleep(0.05)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert rig.outcomes == ["cancelled"]
    await settle(lambda: rig.upstream.disconnects == 1)
    assert rig.connections == []


@pytest.mark.parametrize("script", [SLOW, NEVER])
async def test_a_cancelled_scope_which_stops_every_await_ends_the_request(rig: Rig, script: Script) -> None:
    rig.upstream.default = script
    with anyio.move_on_after(0.1) as scope:
        await rig.ask()
    assert scope.cancelled_caught
    await settle(lambda: rig.upstream.disconnects == 1)
    assert rig.connections == []


async def test_an_iterator_that_was_dropped_ends_the_request(rig: Rig) -> None:
    rig.upstream.default = SLOW
    stream = rig.model.stream(REQUEST)
    await anext(stream)
    del stream
    gc.collect()
    await settle(lambda: rig.upstream.disconnects == 1)
    assert rig.connections == []


async def test_leaving_is_no_failure_and_frees_the_place_of_a_probe(rig: Rig) -> None:
    rig.upstream.default = Script(status=500)
    for _ in range(5):
        with pytest.raises(Exception, match="does not answer"):
            await rig.ask()
    rig.clock.offset = timedelta(seconds=11)
    rig.upstream.default = NEVER
    probe = asyncio.create_task(rig.ask())
    await settle(lambda: len(rig.upstream.requests) == 6)
    with pytest.raises(Exception, match="does not answer"):
        await rig.ask()
    assert rig.outcomes[-1] == "refused"
    probe.cancel()
    await asyncio.wait([probe])
    rig.upstream.default = Script()
    assert (await rig.text()).startswith("You said")
    assert rig.model.breaker_state() == "closed"


async def test_many_that_leave_at_random_times_leave_no_connection_behind(rig: Rig) -> None:
    rig.upstream.default = Script(pieces=("a",) * 20, piece_delay_seconds=0.002, first_delay_seconds=0.01)
    tasks = [asyncio.create_task(rig.ask()) for _ in range(60)]
    for number, task in enumerate(tasks):
        asyncio.get_running_loop().call_later(0.002 * number, task.cancel)
    await asyncio.wait(tasks)
    await settle(lambda: all(connection.is_idle() for connection in rig.connections))
    assert (await rig.text()).startswith("a")
