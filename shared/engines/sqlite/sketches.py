"""Sketches: which rows cannot hold a character, told without opening their terms. Pure.

Single characters (茶) stand in no index: words and pairs do. Finding one takes the terms of a row, and those
of every row would have to be opened. A sketch sets one of 128 bits for each wide character of a row; 40
characters leave seven of ten bits unset, so that most rows without the character need not be opened.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from shared.model.recall import BoolArray

SKETCH_BYTES: Final = 16
_FIRST_WIDE: Final = "\x80"
# Knuth's multiplicative hash: the top 7 bits of the product by 2 ** 32 / the golden ratio.
_FACTOR: Final = 2_654_435_761
_WORD: Final = 0xFFFF_FFFF
_SHIFT: Final = 25


def sketch_of(text: str) -> bytes:
    """Return the 16 bytes of a row's terms."""
    bits = 0
    for character in set(text):
        if character >= _FIRST_WIDE:
            bits |= 1 << _place_of(character)
    return bits.to_bytes(SKETCH_BYTES, "little")


def may_hold(sketches: bytes, character: str) -> BoolArray:
    """Return for each of many sketches, end to end, whether its row may hold a character."""
    bytes_of = np.frombuffer(sketches, dtype=np.uint8).reshape(-1, SKETCH_BYTES)
    if character < _FIRST_WIDE:
        return np.ones(len(bytes_of), dtype=np.bool_)
    place = _place_of(character)
    held: BoolArray = (bytes_of[:, place >> 3] >> (place & 7)) & 1 != 0
    return held


def _place_of(character: str) -> int:
    return (ord(character) * _FACTOR & _WORD) >> _SHIFT
