"""A lean HTTP client on one kept connection: what it costs is small beside what it measures."""

from __future__ import annotations

import json
import socket
import time
from types import TracebackType
from typing import Any, Self
from urllib.parse import quote

_READ_BYTES = 1 << 16
_SECONDS = 40.0


class Line:
    """One connection to a front, speaking for one user."""

    def __init__(self, port: int, *, key: str, user_id: str) -> None:
        self._socket = socket.create_connection(("127.0.0.1", port), timeout=_SECONDS)
        self._socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._headers = (
            f"host: 127.0.0.1\r\nauthorization: Bearer {key}\r\nbilayer-user: {quote(user_id)}\r\n"
            "content-type: application/json\r\n"
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.close()

    def post(self, path: str, body: dict[str, Any]) -> tuple[Any, float]:
        """Return the answer's document and the milliseconds it took. Raises `AssertionError` on a refusal."""
        content = json.dumps(body).encode()
        head = f"POST {path} HTTP/1.1\r\n{self._headers}content-length: {len(content)}\r\n\r\n".encode()
        started = time.perf_counter()
        self._socket.sendall(head + content)
        status, answer = self._read()
        milliseconds = (time.perf_counter() - started) * 1000
        assert status < 300, answer
        return json.loads(answer), milliseconds

    def _read(self) -> tuple[int, bytes]:
        received = bytearray()
        while b"\r\n\r\n" not in received:
            received += self._receive()
        head, _, rest = bytes(received).partition(b"\r\n\r\n")
        first, *lines = head.decode("latin-1").split("\r\n")
        headers = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines)}
        body = bytearray(rest)
        while len(body) < int(headers["content-length"]):
            body += self._receive()
        return int(first.split(" ")[1]), bytes(body)

    def _receive(self) -> bytes:
        chunk = self._socket.recv(_READ_BYTES)
        assert chunk, "the front closed the connection"
        return chunk
