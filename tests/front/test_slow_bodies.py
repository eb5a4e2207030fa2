"""A body that does not come is given up; once it is whole, nothing hurries."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import uvicorn
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from api.body import BodyTimes, bound_body
from api.errors import answer_error
from api.middleware import RequestContext
from shared.errors import BilayerError, Rejected

HASTY = BodyTimes(piece_seconds=0.05, whole_seconds=0.2)


async def read_body(scope: Scope, receive: Receive, send: Send) -> None:
    """An app that reads its body and answers 408, or 200 with nothing."""
    try:
        while (await receive()).get("more_body"):
            pass
    except BilayerError as error:
        await answer_error(error)(scope, receive, send)
        return
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b""})


@asynccontextmanager
async def serving(app: ASGIApp) -> AsyncIterator[int]:
    server = uvicorn.Server(uvicorn.Config(app, port=0, lifespan="off", log_config=None))
    running = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 - uvicorn tells it in no other way
        await asyncio.sleep(0.01)
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        await running


@pytest.mark.parametrize(("sent", "status"), [(b"half", b"408"), (b"", b"408"), (b"all of it!", b"200")])
async def test_half_a_body_is_answered_and_its_connection_closed(sent: bytes, status: bytes) -> None:
    async with serving(RequestContext(read_body, read_clock=None, body_times=HASTY)) as port:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"POST /v1/x HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n" + sent)
        answer = await reader.readuntil(b"\r\n\r\n")
        assert answer.split()[1] == status
        if status == b"408":
            assert b"body_too_slow" in await asyncio.wait_for(reader.read(), 10)
        writer.close()


async def test_drops_that_never_end_are_given_up_too() -> None:
    async def drip() -> Message:
        await asyncio.sleep(0.02)
        return {"type": "http.request", "body": b"x", "more_body": True}

    receive = bound_body(drip, HASTY)

    async def read_on() -> None:
        while True:
            await receive()

    with pytest.raises(Rejected) as raised:
        await read_on()
    assert (raised.value.code, raised.value.field) == ("body_too_slow", "body")


async def test_behind_a_whole_body_a_stream_may_listen_for_longer() -> None:
    messages: list[Message] = [{"type": "http.request", "body": b"x"}, {"type": "http.disconnect"}]

    async def wait_and_send() -> Message:
        if len(messages) == 1:
            await asyncio.sleep(2 * HASTY.whole_seconds)
        return messages.pop(0)

    receive = bound_body(wait_and_send, HASTY)
    assert [(await receive())["type"] for _ in range(2)] == ["http.request", "http.disconnect"]
