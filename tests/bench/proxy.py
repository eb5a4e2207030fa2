"""A proxy between a front and its Redis that counts round trips instead of believing in them.

A round trip is a change of direction: the client speaks after the server has (or for the first time), however
many commands it sends at once.
"""

from __future__ import annotations

import asyncio
import threading
from types import TracebackType
from typing import Self
from urllib.parse import parse_qs, unquote, urlsplit

_READ_BYTES = 1 << 16


class CountingProxy:
    """Stands before the Redis at `redis_url`, in a thread of its own; `round_trips` only grows."""

    def __init__(self, redis_url: str) -> None:
        self._target = urlsplit(redis_url)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="counting-proxy", daemon=True)
        self._server: asyncio.Server | None = None
        self.round_trips = 0

    @property
    def url(self) -> str:
        """The address that a front is given."""
        assert self._server is not None
        port = self._server.sockets[0].getsockname()[1]
        password = f":{self._target.password}@" if self._target.password else ""
        db = parse_qs(self._target.query).get("db", [self._target.path.strip("/") or "0"])[0]
        if self._target.scheme != "unix":
            db = self._target.path.strip("/") or "0"
        return f"redis://{password}127.0.0.1:{port}/{db}"

    def __enter__(self) -> Self:
        self._thread.start()
        starting = asyncio.start_server(self._serve, "127.0.0.1", 0)
        self._server = asyncio.run_coroutine_threadsafe(starting, self._loop).result(10)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._stop(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _stop(self) -> None:
        if self._server is not None:
            self._server.close()
        others = asyncio.all_tasks() - {asyncio.current_task()}
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._target.scheme == "unix":
            redis_reader, redis_writer = await asyncio.open_unix_connection(unquote(self._target.path))
        else:
            redis_reader, redis_writer = await asyncio.open_connection(
                self._target.hostname, self._target.port
            )
        spoke = _Turns()
        try:
            await asyncio.gather(
                self._forward(reader, redis_writer, spoke, is_client=True),
                self._forward(redis_reader, writer, spoke, is_client=False),
            )
        except ConnectionError:
            return
        finally:
            writer.close()
            redis_writer.close()

    async def _forward(
        self, source: asyncio.StreamReader, sink: asyncio.StreamWriter, spoke: _Turns, *, is_client: bool
    ) -> None:
        while chunk := await source.read(_READ_BYTES):
            self.round_trips += spoke.note(is_client=is_client)
            sink.write(chunk)
            await sink.drain()
        sink.close()


class _Turns:
    """Who spoke last on one connection."""

    def __init__(self) -> None:
        self._client_spoke = False

    def note(self, *, is_client: bool) -> int:
        """Return 1 where the client begins a round trip, else 0."""
        begins = is_client and not self._client_spoke
        self._client_spoke = is_client
        return int(begins)
