"""Ports for servers that a test starts: none is handed out twice, to whatever process of a run."""

from __future__ import annotations

import os
import socket
from contextlib import suppress
from typing import Final

_FIRST: Final = 20_000
_COUNT: Final = 12_000
"""Below the ports that a system gives to those who name none, so that no such one is in the way later."""

_claims: list[socket.socket] = []


def free_port() -> int:
    """Return a port of loopback that nobody listens on; it is claimed until this process ends.

    The claim is a datagram socket on the port of the same number: it leaves the port itself free for the
    server, and every other process that looks for one finds it taken.
    """
    for place in range(_COUNT):
        port = _FIRST + (os.getpid() * 31 + place) % _COUNT
        claim = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        with suppress(OSError), socket.socket() as probe:
            claim.bind(("127.0.0.1", port))
            probe.bind(("127.0.0.1", port))
            _claims.append(claim)
            return port
        claim.close()
    raise AssertionError("every port for tests is taken")
