"""Ids: a prefix that tells the kind, then 48 bits of time and 80 random bits in Crockford base32.

Ids sort by the time they were made (to a millisecond) and cannot be guessed. The alphabet has
letters and digits only, so an id is safe in a Redis key, an RQ job id, a URL and a file name.
"""

from __future__ import annotations

import secrets
import time

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_RANDOM_BITS = 80
_TOTAL_CHARS = 26


def new_id(prefix: str, *, now_ms: int | None = None) -> str:
    """Return a new id such as `msg_01J9…`; `now_ms` is Unix time, the process's own when None."""
    moment = time.time_ns() // 1_000_000 if now_ms is None else now_ms
    number = (moment << _RANDOM_BITS) | secrets.randbits(_RANDOM_BITS)
    chars = [_ALPHABET[(number >> (5 * place)) & 31] for place in range(_TOTAL_CHARS)]
    return f"{prefix}_{''.join(reversed(chars))}"
