"""Tests that run side by side are never handed one port."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

from tests.ports import free_port

ASK = "from tests.ports import free_port\nprint(*(free_port() for _ in range(20)), flush=True)\ninput()"


def test_no_port_is_given_to_two_processes_and_each_can_be_listened_on() -> None:
    others = [
        subprocess.Popen(
            [sys.executable, "-c", ASK],
            cwd=Path(__file__).parents[1],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    try:
        given = [free_port() for _ in range(20)]
        given += [int(port) for other in others if other.stdout for port in other.stdout.readline().split()]
    finally:
        for other in others:
            other.communicate("\n", timeout=10)
    assert len(given) == len(set(given)) == 60
    for port in given:
        with socket.socket() as server:
            server.bind(("127.0.0.1", port))
            server.listen()
