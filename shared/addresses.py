"""Addresses of services: whether one is an address at all, and what of it may be told.

A password that was not encoded may stand anywhere in one (`redis://:se/cret@host`), so that an @ behind
the host makes it none, and nothing of it is told.
"""

from __future__ import annotations

from urllib.parse import SplitResult, urlsplit


def is_web_address(text: str) -> bool:
    """Return whether a text is an address of http or https, with its credentials encoded."""
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        return False
    return (
        parts.scheme in {"http", "https"} and bool(parts.hostname) and port != 0 and not _has_late_at(parts)
    )


def told_address(url: str) -> str:
    """Return what may be told of a Redis's address: scheme, host and port, or its socket.

    Empty where it is none: a password that was not encoded may stand anywhere in it.
    """
    try:
        parts = urlsplit(url)
        port = "" if parts.port is None else f":{parts.port}"
    except ValueError:
        return ""
    if parts.scheme == "unix":
        return "" if "@" in parts.path else f"unix://{parts.path}"
    if parts.scheme not in {"redis", "rediss"} or _has_late_at(parts):
        return ""
    host = parts.hostname or "localhost"
    return f"{parts.scheme}://{f'[{host}]' if ':' in host else host}{port}"


def _has_late_at(parts: SplitResult) -> bool:
    return "@" in f"{parts.path}{parts.query}{parts.fragment}"
