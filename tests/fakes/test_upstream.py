"""The scripted upstream itself: in a thread, as a program, and quick enough to measure others with."""

from __future__ import annotations

import asyncio
import subprocess
import sys
import time

import httpx

from tests.fakes.upstream import Script, Upstream, UpstreamThread, wait_until

BODY = {"model": "m", "messages": [{"role": "user", "content": "hello"}]}


def test_in_a_thread_it_answers_records_and_notices_who_leaves() -> None:
    with UpstreamThread() as upstream:
        url = f"{upstream.base_url}/chat/completions"
        assert "You said" in httpx.post(url, json=BODY).text
        upstream.play(Script(first_delay_seconds=30))
        with httpx.Client(timeout=0.1) as client:
            try:
                client.post(url, json=BODY)
            except httpx.ReadTimeout:
                pass
            else:
                raise AssertionError("the script's delay did not hold")
        assert wait_until(lambda: upstream.disconnects == 1)
        assert [body["model"] for body in upstream.requests] == ["m", "m"]


def test_as_a_program_it_prints_its_address_and_serves() -> None:
    command = [sys.executable, "-m", "tests.fakes.upstream", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as program:
        try:
            assert program.stdout is not None
            base_url = program.stdout.readline().strip()
            assert "[DONE]" in httpx.post(f"{base_url}/chat/completions", json={**BODY, "stream": True}).text
            assert httpx.get(f"{base_url}/models").status_code == 404
        finally:
            program.terminate()


async def test_many_requests_at_once_are_answered_in_no_time() -> None:
    async with Upstream() as upstream, httpx.AsyncClient() as client:
        url = f"{upstream.base_url}/chat/completions"
        started = time.monotonic()
        replies = await asyncio.gather(*(client.post(url, json=BODY) for _ in range(100)))
        assert time.monotonic() - started < 5.0
    assert {reply.status_code for reply in replies} == {200}
    assert len(upstream.requests) == 100
