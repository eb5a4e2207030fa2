"""The programs that make up a running Bilayer: what they are called and how they are started.

This is the only place that knows their command lines. They are started with `-P`, and find our code by
PYTHONPATH alone: a folder named `api` where the user stands is never taken for ours.
"""

import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

CODE_FOLDER = Path(__file__).resolve().parents[2]
MODULES = {
    "api": ("api",),
    "worker": ("workers",),
    "schedule": ("workers", "--schedule"),
}


@dataclass(frozen=True)
class Child:
    """One supervised program. Those of a later stage end after all of an earlier one (Redis ends last)."""

    name: str
    argv: tuple[str, ...]
    environ: Mapping[str, str]
    stage: int = 0


def command_of(program: str) -> tuple[str, ...]:
    """The command line of `api`, `worker` or `schedule`."""
    return (sys.executable, "-P", "-m", *MODULES[program])


def child_commands(*, workers: int, environ: Mapping[str, str]) -> list[Child]:
    """Front first, then the workers and the scheduler, all with the same environment."""
    names = [
        ("api", "api"),
        *((f"worker-{n}", "worker") for n in range(1, workers + 1)),
        ("scheduler", "schedule"),
    ]
    return [Child(name=name, argv=command_of(program), environ=environ) for name, program in names]


def child_environ(environ: Mapping[str, str], **settings: str) -> dict[str, str]:
    """The parent's environment with the import path laid and the given settings, by their BILAYER_ names."""
    before = environ.get("PYTHONPATH", "")
    path = os.pathsep.join([str(CODE_FOLDER), *([before] if before else [])])
    return {**environ, "PYTHONPATH": path, **{f"BILAYER_{k.upper()}": v for k, v in settings.items()}}
