"""An upstream on loopback that takes JSON and answers JSON: a real HTTP server that answers as it is told."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Iterator
from threading import Thread
from typing import Any, Self


class JsonServer:
    """Answers with `answer_to` a request; `answer` replaces that, `status` and `delay` too."""

    def __init__(self) -> None:
        self.status = 200
        self.answer: bytes | None = None
        self.delay = 0.0
        self.requests: list[dict[str, Any]] = []
        self.heads: list[str] = []
        self._serving: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", 0)
        self.base_url = f"http://127.0.0.1:{self._server.sockets[0].getsockname()[1]}/v1"
        return self

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for task in self._serving:
            task.cancel()
        await asyncio.gather(*self._serving, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._serving.add(asyncio.create_task(self._serve_and_close(reader, writer)))

    async def _serve_and_close(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._serve(reader, writer)
        finally:
            writer.close()
            with contextlib.suppress(ConnectionError):
                await writer.wait_closed()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = (await reader.readuntil(b"\r\n\r\n")).decode()
        length = int(
            next(line for line in head.lower().splitlines() if line.startswith("content-length")).split(":")[
                1
            ]
        )
        request = json.loads(await reader.readexactly(length))
        self.heads.append(head)
        self.requests.append(request)
        await asyncio.sleep(self.delay)
        body = self.answer if self.answer is not None else await self.answer_to(request)
        writer.write(f"HTTP/1.1 {self.status} X\r\ncontent-length: {len(body)}\r\n".encode())
        writer.write(b"content-type: application/json\r\nconnection: close\r\n\r\n" + body)
        await writer.drain()

    async def answer_to(self, request: dict[str, Any]) -> bytes:
        """Return the body that this upstream answers a request with."""
        raise NotImplementedError


@contextlib.contextmanager
def served_by_thread(server: JsonServer) -> Iterator[None]:
    """Serve from a thread of its own, for tests that block."""
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever)
    thread.start()
    try:
        asyncio.run_coroutine_threadsafe(server.__aenter__(), loop).result(10)
        yield
        asyncio.run_coroutine_threadsafe(server.__aexit__(), loop).result(10)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()
