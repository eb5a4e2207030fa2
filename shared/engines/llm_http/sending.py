"""Sending a request so that a caller who leaves in the middle leaves no connection behind.

httpcore 1.0 forgets a connection whose request is cancelled between "connected" and "first byte
sent": it stands in the pool as active for ever, and each one takes a place of the pool. So a request
is sent in a task of its own, and a caller's leave is carried out only once the request is on its
connection, where httpcore closes it properly. The caller does not wait for that.
"""

from __future__ import annotations

import asyncio

import httpx

_ON_THE_WIRE = "http11.send_request_headers.started"


class RequestSender:
    """Sends requests of one client; `aclose` waits for those whose callers have left."""

    def __init__(self, client: httpx.AsyncClient) -> None:
        self._client = client
        self._tasks: set[asyncio.Task[object]] = set()

    async def send(self, request: httpx.Request) -> httpx.Response:
        """Return the answer with its body unread. Raises httpx's errors."""
        leave = _Leave()
        request.extensions["trace"] = leave.trace
        task = asyncio.create_task(self._client.send(request, stream=True))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            self._keep(asyncio.create_task(leave.carry_out(task)))
            raise

    async def aclose(self) -> None:
        """Wait until nothing is being sent, then close all connections."""
        if self._tasks:
            await asyncio.wait(self._tasks)
        await self._client.aclose()

    def _keep(self, task: asyncio.Task[None]) -> None:
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


class _Leave:
    """Ends one sending as soon as that is safe."""

    def __init__(self) -> None:
        self._on_the_wire = asyncio.Event()

    async def trace(self, event: str, _info: object) -> None:
        if event == _ON_THE_WIRE:
            self._on_the_wire.set()

    async def carry_out(self, sending: asyncio.Task[httpx.Response]) -> None:
        on_the_wire = asyncio.create_task(self._on_the_wire.wait())
        await asyncio.wait([sending, on_the_wire], return_when=asyncio.FIRST_COMPLETED)
        on_the_wire.cancel()
        sending.cancel()
        await asyncio.wait([sending])
        if not sending.cancelled() and sending.exception() is None:
            await sending.result().aclose()
