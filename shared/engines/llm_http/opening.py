"""How a client of an OpenAI-compatible upstream is opened: its address, its key, its limits."""

from __future__ import annotations

import ssl
import sys
from functools import cache
from importlib.util import find_spec

import httpx
from pydantic import SecretStr

from shared.errors import StartupProblem
from shared.model.base import Value


class ClientBounds(Value):
    """Seconds and connections of one upstream.

    `keepalive_seconds` is below the 5 s after which common servers close an idle connection, so that
    no request meets a connection that is just being closed.
    """

    connect_seconds: float = 3.0
    pool_seconds: float = 3.0
    connections: int = 256
    idle_connections: int = 64
    keepalive_seconds: float = 4.0


def endpoint(base_url: str, path: str, *, setting: str) -> httpx.URL:
    """Return the address of `path` below a base address; `setting` is where that came from.

    Raises:
        StartupProblem: it is no web address.
    """
    try:
        url = httpx.URL(base_url.strip())
    except httpx.InvalidURL:
        url = httpx.URL()
    if url.scheme not in {"http", "https"} or not url.host:
        raise StartupProblem(f"{setting} is not a web address: give one such as http://127.0.0.1:8000/v1")
    return url.copy_with(path=url.path.rstrip("/") + path)


@cache
def _note_absence() -> None:
    """Note that `sniffio` is not installed, where it is not.

    The client asks for it at each event of each connection, and Python looks for an absent module on all of
    its path every time: some 0.4 ms a turn (https://docs.python.org/3/reference/import.html#the-module-cache).
    """
    if "sniffio" not in sys.modules and find_spec("sniffio") is None:
        sys.modules["sniffio"] = None  # type: ignore[assignment]  # what the import system takes for "absent"


@cache
def tls_context() -> ssl.SSLContext:
    """Return the one context of this process and its forks: to read the certificates takes long."""
    return httpx.create_ssl_context()


def open_client(key: SecretStr | None, bounds: ClientBounds, *, setting: str) -> httpx.AsyncClient:
    """Return a client that sends the key, if there is one; `setting` is where that came from.

    Raises:
        StartupProblem: the key holds what cannot be sent.
    """
    _note_absence()
    headers = {
        "accept": "text/event-stream, application/json",
        "accept-encoding": "identity",
        "content-type": "application/json",
    }
    if secret := (key.get_secret_value().strip() if key else ""):
        if not (secret.isascii() and secret.isprintable()):
            raise StartupProblem(f"{setting} holds a character that no key has; copy it anew.")
        headers["authorization"] = f"Bearer {secret}"
    return httpx.AsyncClient(
        headers=headers,
        verify=tls_context(),
        timeout=httpx.Timeout(None, connect=bounds.connect_seconds, pool=bounds.pool_seconds),
        limits=httpx.Limits(
            max_connections=bounds.connections,
            max_keepalive_connections=bounds.idle_connections,
            keepalive_expiry=bounds.keepalive_seconds,
        ),
    )
