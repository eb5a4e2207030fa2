"""Work on long texts beside the event loop, so that one big request does not hold up all others."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final, TypeVar

T = TypeVar("T")

LONG_CHARS: Final = 50_000
"""What takes less than some 20 ms is done at once: a thread costs more than that is worth."""


async def run_aside(work: Callable[[], T], *, chars: int, most: int = LONG_CHARS) -> T:
    """Return what `work` returns; where it reads more than `most` characters, it runs in a thread.

    `work` must be pure: it is not waited for where the caller is cancelled.
    """
    return await asyncio.to_thread(work) if chars > most else work()
