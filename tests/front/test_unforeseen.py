"""What nobody foresaw: a problem of our own for whoever asked, its kind alone for the log."""

from __future__ import annotations

import asyncio
from typing import NoReturn

import httpx
import pytest
import structlog

from api import metrics
from api.app import create_app
from api.routes import turns
from shared.model.turn import TurnResult

_WORDS = "my order is A-7"


async def _open_nothing() -> NoReturn:
    raise AssertionError("no service is needed")


async def test_a_route_that_fails_answers_with_a_problem_and_tells_nothing_of_the_words() -> None:
    app = create_app(_open_nothing)
    app.state.services = None  # whatever reads it fails
    transport = httpx.ASGITransport(app, raise_app_exceptions=False)
    with structlog.testing.capture_logs() as logs:
        async with httpx.AsyncClient(transport=transport, base_url="http://front") as client:
            answer = await client.get("/readyz", headers={"X-Request-ID": "r1"})
    assert (answer.status_code, answer.headers["content-type"]) == (500, "application/problem+json")
    told = answer.json()
    assert (told["code"], told["status"]) == ("internal", 500)
    assert [(line["event"], line["kind"]) for line in logs] == [("unexpected_error", "AttributeError")]


async def test_a_stream_ends_with_an_error_when_its_turn_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(*_: object, **__: object) -> TurnResult:
        raise KeyError(_WORDS)

    monkeypatch.setattr(turns, "_take", fail)

    class Services:
        background: set[asyncio.Task[None]]

        def __init__(self) -> None:
            self.background = set()

    with structlog.testing.capture_logs() as logs:
        stream = turns._stream(Services(), None, turn=None)  # type: ignore[arg-type]  # nothing of them is read
        async with asyncio.timeout(5):
            told = [event async for event in stream]
    assert len(told) == 1
    assert told[0].startswith(b"event: error\n")
    assert b'"internal"' in told[0]
    assert _WORDS not in f"{told}{logs}"


def test_a_count_of_another_version_is_left_out() -> None:
    text = metrics.render_counts({"brand_new_total:x": 1.0, "swept_total:kept": 2.0})
    assert "brand_new" not in text
    assert 'bilayer_swept_total{outcome="kept"} 2.0' in text
