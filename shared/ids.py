"""Ids: a prefix that tells the kind, then 48 bits of time and random bits in Crockford base32.

Ids sort by the time they were made (to a millisecond). The alphabet has letters and digits only, so an id is
safe in a Redis key, an RQ job id, a URL and a file name. Most have 80 random bits and cannot be guessed;
ids that stand on every row of long-term memory have 42 and are 18 characters long.
"""

from __future__ import annotations

import secrets
import time

_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
_ALPHABET_SET = frozenset(_ALPHABET)
_TIME_BITS = 48
_RANDOM_BITS = 80
_ROW_RANDOM_BITS = 42


def new_id(prefix: str, *, now_ms: int | None = None) -> str:
    """Return a new id such as `msg_01J9…`; `now_ms` is Unix time, the process's own when None."""
    return _make(prefix, now_ms, random_bits=_RANDOM_BITS)


def new_row_id(prefix: str, *, now_ms: int | None = None) -> str:
    """Return a shorter id for what is named on every row: a scope, a message.

    Two made in the same millisecond are the same once in 4e12. A scope's id is a primary key, and a message's
    counts within its scope alone; neither opens anything to whoever knows it.
    """
    return _make(prefix, now_ms, random_bits=_ROW_RANDOM_BITS)


def made_at_ms(made: str) -> int | None:
    """Return when one of our ids was made, Unix time in milliseconds; None for a text of another form."""
    digits = made.rpartition("_")[2]
    random_bits = {26: _RANDOM_BITS, 18: _ROW_RANDOM_BITS}.get(len(digits))
    if random_bits is None or not _ALPHABET_SET.issuperset(digits):
        return None
    number = 0
    for digit in digits:
        number = number * 32 + _ALPHABET.index(digit)
    return number >> random_bits


def _make(prefix: str, now_ms: int | None, *, random_bits: int) -> str:
    moment = time.time_ns() // 1_000_000 if now_ms is None else now_ms
    number = (moment << random_bits) | secrets.randbits(random_bits)
    places = range((_TIME_BITS + random_bits + 4) // 5)
    chars = [_ALPHABET[(number >> (5 * place)) & 31] for place in places]
    return f"{prefix}_{''.join(reversed(chars))}"
