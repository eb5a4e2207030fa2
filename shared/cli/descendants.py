"""Who belongs to a child: the processes of the session it leads, so that ending it ends grandchildren too.

A worker's fork may form a process group of its own, but stays in the session. Where there is no /proc, the
process group stands for the session. On Linux a child also ends when its supervisor is killed.
"""

import contextlib
import ctypes
import os
import signal
import sys
from pathlib import Path

PROC = Path("/proc")
PR_SET_PDEATHSIG = 1
# In /proc/PID/stat, after the name in parentheses: state, parent, group, session.
SESSION_FIELD = 3
LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


def end_with_parent() -> None:
    """Runs in the child before it becomes the program; does nothing where the system is not Linux."""
    if LIBC is not None:
        LIBC.prctl(PR_SET_PDEATHSIG, signal.SIGTERM)


def session_members(leader: int) -> set[int]:
    """Process ids of the living (not zombie) processes in the session that `leader` opened."""
    if not (PROC / "self" / "stat").exists():
        return {leader} if group_lives(leader) else set()
    return {pid for pid in process_ids() if session_of(pid) == leader}


def process_ids() -> list[int]:
    return [int(entry.name) for entry in PROC.iterdir() if entry.name.isdigit()]


def session_of(pid: int) -> int | None:
    """None for a process that is gone or a zombie."""
    try:
        text = (PROC / str(pid) / "stat").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return None
    fields = text.rpartition(")")[2].split()
    return None if fields[0] in {"Z", "X"} else int(fields[SESSION_FIELD])


def group_lives(leader: int) -> bool:
    try:
        os.killpg(leader, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def end_session(leader: int) -> None:
    """Ask the child's process group to end."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGTERM)


def kill_session(leader: int) -> None:
    """Kill whatever is left of the session, other process groups included."""
    members = session_members(leader)
    if not members:
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(leader, signal.SIGKILL)
    for pid in members:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, signal.SIGKILL)
