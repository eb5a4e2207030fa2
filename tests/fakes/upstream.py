"""A scripted chat upstream: a real HTTP server on loopback that does what a test tells it.

Without a script it answers at once with what the user said last. `Script`s queued with `play` are
used up one a request, then `default` holds again. It remembers the requests' bodies and how often a
client left before its reply was whole; both are bounded. Extractions stand apart (`extract` answers them,
`extractions` remembers them), since workers ask for them when they like.

    async with Upstream() as upstream:            # in the running loop
    with UpstreamThread() as upstream:            # in a thread of its own, for processes under test
    python -m tests.fakes.upstream --port 9000    # alone, for the demo and for benchmarks
"""

from __future__ import annotations

import argparse
import asyncio
import json
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from types import TracebackType
from typing import Any, Self

from tests.fakes.extractions import asks_for_extraction, propose_nothing
from tests.fakes.summaries import asks_for_summary, hostile_summary

_KEPT = 1_000
_MAX_BODY_BYTES = 64_000_000
_STREAM = {"content-type": "text/event-stream", "transfer-encoding": "chunked"}
_JSON = {"content-type": "application/json"}

Body = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Script:
    """How one request is answered. Without `pieces` the reply is cut into pieces of eight characters.

    `cut_after` breaks the connection after so many pieces, `hang_after` goes silent there. `raw` is
    sent as it is instead of events; `refuse` answers a status where it returns one for the body.
    """

    pieces: tuple[str, ...] | None = None
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    first_delay_seconds: float = 0.0
    piece_delay_seconds: float = 0.0
    cut_after: int | None = None
    hang_after: int | None = None
    raw: bytes | None = None
    as_json: bool = False
    usage: bool = True
    say_done: bool = True
    refuse: Callable[[Body], int | None] | None = None
    refusal: str = "refused by the script"


def say_last_message(body: Body) -> str:
    """Return the reply of an upstream without a script: what the user said last, or a hostile summary."""
    if asks_for_summary(body):
        return hostile_summary(body)
    said = [message.get("content") for message in body.get("messages", []) if message.get("role") == "user"]
    return f"You said: {said[-1] if said else 'nothing'}"


class Upstream:
    """The upstream in the running event loop. `requests` are bodies, `headers` those that came with them."""

    def __init__(
        self,
        *,
        port: int = 0,
        default: Script | None = None,
        reply: Callable[[Body], str] = say_last_message,
    ) -> None:
        self.default = default or Script()
        self.reply = reply
        self.requests: deque[Body] = deque(maxlen=_KEPT)
        self.headers: deque[Mapping[str, str]] = deque(maxlen=_KEPT)
        self.extract: Callable[[Body], str] = propose_nothing
        self.extractions: deque[Body] = deque(maxlen=_KEPT)
        self.connections = 0
        self.disconnects = 0
        self._port = port
        self._scripts: deque[Script] = deque()
        self._server: asyncio.Server | None = None
        self._open: set[_Connection] = set()

    @property
    def base_url(self) -> str:
        """The value for `BILAYER_LLM_BASE_URL`."""
        return f"http://127.0.0.1:{self._port}/v1"

    def play(self, *scripts: Script) -> None:
        """Queue scripts for the next requests."""
        self._scripts.extend(scripts)

    def next_script(self) -> Script:
        """Return the script of the request that has just come."""
        return self._scripts.popleft() if self._scripts else self.default

    async def start(self) -> None:
        """Listen; the port stays the same when it is started anew."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Connection(self), "127.0.0.1", self._port)
        self._port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        """Close the port and every connection."""
        if self._server is not None:
            self._server.close()
            self._server = None
        await asyncio.gather(*(connection.cut() for connection in list(self._open)))

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    def note_open(self, connection: _Connection, *, is_open: bool) -> None:
        """Count a connection in or out."""
        if is_open:
            self._open.add(connection)
            self.connections += 1
        else:
            self._open.discard(connection)


class _Connection(asyncio.Protocol):
    """One connection: HTTP/1.1 with keep-alive, one request after the other."""

    def __init__(self, upstream: Upstream) -> None:
        self._upstream = upstream
        self._transport: asyncio.Transport
        self._received = bytearray()
        self._gone = asyncio.Event()
        self._answering: asyncio.Task[None] | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._upstream.note_open(self, is_open=True)

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002
        self._gone.set()
        self._upstream.note_open(self, is_open=False)

    def data_received(self, data: bytes) -> None:
        self._received += data
        if self._answering is None:
            self._take_request()

    async def cut(self) -> None:
        """Break the connection off, unsent bytes included, and wait until all of it has ended."""
        self._transport.abort()
        await self._gone.wait()
        if self._answering is not None:
            await self._answering

    def _take_request(self) -> None:
        head, found, rest = bytes(self._received).partition(b"\r\n\r\n")
        if not found:
            return
        path, headers = _parse_head(head)
        length = int(headers.get("content-length", "0"))
        if length > _MAX_BODY_BYTES:
            self._transport.abort()
        if len(rest) < length:
            return
        self._received = bytearray(rest[length:])
        self._answering = asyncio.get_running_loop().create_task(self._answer(path, headers, rest[:length]))

    async def _answer(self, path: str, headers: Mapping[str, str], content: bytes) -> None:
        if path.endswith("/chat/completions"):
            body = json.loads(content)
            if asks_for_extraction(body):
                self._upstream.extractions.append(body)
                script = replace(self._upstream.default, pieces=(self._upstream.extract(body),))
            else:
                self._upstream.requests.append(body)
                self._upstream.headers.append(headers)
                script = self._upstream.next_script()
            whole = await self._play(script, body)
            self._upstream.disconnects += self._gone.is_set() and not whole
        else:
            self._send_document(404, _error("no such path"), {})
        self._answering = None
        if self._received and not self._gone.is_set():
            self._take_request()

    async def _play(self, script: Script, body: Body) -> bool:
        """Answer one request; returns whether the script came to its end."""
        if not await self._wait(script.first_delay_seconds):
            return False
        status = (script.refuse and script.refuse(body)) or script.status
        text = self._upstream.reply(body)
        pieces = script.pieces
        if pieces is None:
            pieces = tuple(text[start : start + 8] for start in range(0, len(text), 8))
        if status != 200:
            self._send_document(status, _error(script.refusal), script.headers)
        elif script.raw is not None:
            self._send_document(200, script.raw, {"content-type": "text/event-stream", **script.headers})
        elif script.as_json or not body.get("stream"):
            self._send_document(200, _whole_reply("".join(pieces), body), script.headers)
        else:
            return await self._stream(script, pieces, body)
        return True

    async def _stream(self, script: Script, pieces: tuple[str, ...], body: Body) -> bool:
        self._send_head(200, {**_STREAM, **script.headers})
        for number, piece in enumerate(pieces):
            if not await self._reach(script, number):
                return False
            self._send_event(_chunk(body, [{"index": 0, "delta": {"content": piece}, "finish_reason": None}]))
            if number + 1 < len(pieces) and not await self._wait(script.piece_delay_seconds):
                return False
        if not await self._reach(script, len(pieces)):
            return False
        self._send_event(_chunk(body, [{"index": 0, "delta": {}, "finish_reason": "stop"}]))
        if script.usage and body.get("stream_options", {}).get("include_usage"):
            self._send_event(_chunk(body, [], usage=_usage(pieces, body)))
        if script.say_done:
            self._send_event("[DONE]")
        self._transport.write(b"0\r\n\r\n")
        return True

    async def _reach(self, script: Script, number: int) -> bool:
        """Do what the script says before piece `number`; False where the reply ends there."""
        if number == script.hang_after:
            await self._gone.wait()
        if number == script.cut_after:
            await asyncio.sleep(0.01)
            self._transport.close()
            return False
        return not self._gone.is_set()

    async def _wait(self, seconds: float) -> bool:
        """Wait; False where the client has left meanwhile."""
        if seconds > 0 and not self._gone.is_set():
            try:
                await asyncio.wait_for(self._gone.wait(), seconds)
            except TimeoutError:
                return True
        return not self._gone.is_set()

    def _send_head(self, status: int, headers: Mapping[str, str]) -> None:
        lines = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
        self._transport.write(f"HTTP/1.1 {status} Scripted\r\n{lines}\r\n".encode())

    def _send_document(self, status: int, content: bytes, headers: Mapping[str, str]) -> None:
        self._send_head(status, {**_JSON, "content-length": str(len(content)), **headers})
        self._transport.write(content)

    def _send_event(self, data: str) -> None:
        event = f"data: {data}\n\n".encode()
        self._transport.write(b"%x\r\n%b\r\n" % (len(event), event))


class UpstreamThread:
    """The upstream in a thread of its own, for tests whose product runs in other processes."""

    def __init__(self, upstream: Upstream | None = None) -> None:
        self.upstream = upstream or Upstream()
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="scripted-upstream", daemon=True)

    def __enter__(self) -> Upstream:
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self.upstream.start(), self._loop).result(10)
        return self.upstream

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.run_coroutine_threadsafe(self.upstream.stop(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()


def wait_until(claim: Callable[[], bool], *, seconds: float = 5.0) -> bool:
    """Wait, outside the upstream's loop, until `claim` holds; returns whether it does."""
    end = time.monotonic() + seconds
    while not claim() and time.monotonic() < end:
        time.sleep(0.005)
    return claim()


def _parse_head(head: bytes) -> tuple[str, dict[str, str]]:
    first, *lines = head.decode("latin-1").split("\r\n")
    pairs = (line.partition(":") for line in lines)
    return first.split(" ")[1].partition("?")[0], {
        name.strip().lower(): value.strip() for name, _, value in pairs
    }


def _chunk(body: Body, choices: list[dict[str, Any]], *, usage: dict[str, int] | None = None) -> str:
    chunk = {
        "id": "chatcmpl-scripted",
        "object": "chat.completion.chunk",
        "model": body.get("model"),
        "choices": choices,
        **({"usage": usage} if usage else {}),
    }
    return json.dumps(chunk, ensure_ascii=False)


def _whole_reply(text: str, body: Body) -> bytes:
    message = {"role": "assistant", "content": text}
    document = {
        "id": "chatcmpl-scripted",
        "object": "chat.completion",
        "model": body.get("model"),
        "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
        "usage": _usage((text,), body),
    }
    return json.dumps(document, ensure_ascii=False).encode()


def _usage(pieces: tuple[str, ...], body: Body) -> dict[str, int]:
    prompt = sum(len(str(message.get("content"))) for message in body.get("messages", []))
    return {"prompt_tokens": prompt, "completion_tokens": len(pieces), "total_tokens": prompt + len(pieces)}


def _error(message: str) -> bytes:
    return json.dumps({"error": {"message": message, "type": "scripted"}}).encode()


async def _serve(port: int, default: Script) -> None:
    async with Upstream(port=port, default=default) as upstream:
        print(upstream.base_url, flush=True)  # noqa: T201
        await asyncio.Event().wait()


def _main() -> None:
    options = argparse.ArgumentParser(description="A scripted chat upstream on loopback.")
    options.add_argument("--port", type=int, default=0, help="0 takes a free one; the address is printed")
    options.add_argument("--first-delay-ms", type=float, default=0.0)
    options.add_argument("--piece-delay-ms", type=float, default=0.0)
    given = options.parse_args()
    default = Script(
        first_delay_seconds=given.first_delay_ms / 1000, piece_delay_seconds=given.piece_delay_ms / 1000
    )
    try:
        asyncio.run(_serve(given.port, default))
    except KeyboardInterrupt:
        return


if __name__ == "__main__":
    _main()
