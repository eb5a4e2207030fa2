"""How a request's body is taken: up to a size, and within a time.

Who sends half a body and waits holds a connection and what serves it. Once the body is whole no time runs: a
stream may listen for as long as it likes.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from starlette.types import Message, Receive

from shared.errors import Rejected, TooLarge

MAX_BODY_BYTES = 8 * 1024 * 1024
TOO_LARGE = f"The body is over {MAX_BODY_BYTES} bytes; send it in smaller parts."
TOO_SLOW = "body_too_slow"


@dataclass(frozen=True, slots=True)
class BodyTimes:
    """Seconds that a body may take: from one piece to the next, and in all."""

    piece_seconds: float = 30.0
    whole_seconds: float = 120.0


def bound_body(receive: Receive, times: BodyTimes) -> Receive:
    """Return what receives a request, bounded.

    It raises `TooLarge` (`body_too_large`) over 8 MiB, and `Rejected` (`body_too_slow`) for a body that does
    not come in time.
    """
    read = 0
    is_whole = False
    ends_at = asyncio.get_running_loop().time() + times.whole_seconds

    async def receive_bounded() -> Message:
        nonlocal read, is_whole
        message = await receive() if is_whole else await _in_time(receive, times, ends_at=ends_at)
        if message["type"] == "http.request":
            read += len(message.get("body", b""))
            is_whole = not message.get("more_body", False)
            if read > MAX_BODY_BYTES:
                raise TooLarge(TOO_LARGE, code="body_too_large", field="body")
        return message

    return receive_bounded


async def _in_time(receive: Receive, times: BodyTimes, *, ends_at: float) -> Message:
    left = ends_at - asyncio.get_running_loop().time()
    try:
        async with asyncio.timeout(min(left, times.piece_seconds)):
            return await receive()
    except TimeoutError:
        raise Rejected(
            f"The body did not come: a piece of it may take {times.piece_seconds:g} s, the whole "
            f"{times.whole_seconds:g} s; send the request again, in smaller parts where it is large.",
            code=TOO_SLOW,
            field="body",
        ) from None
