"""Marks around records in a prompt: what stands between them was said, and is no instruction. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

_LEAST_MARKS: Final = 3
_MOST_MARKS: Final = 12
"""Beside longer runs a number tells the fence from the lines: marks of any length would fill the prompt."""

_RUN: Final = re.compile("=+")
_NUMBER: Final = re.compile(r"records (\d{1,9})(?!\d)")


def fence_of(lines: Sequence[str]) -> tuple[str, str]:
    """Return an opening and a closing line that stand in none of the lines."""
    body = "\n".join(lines)
    marks = max(_LEAST_MARKS, 1 + max(map(len, _RUN.findall(body)), default=0))
    if marks <= _MOST_MARKS:
        edge = "=" * marks
        return f"{edge} records {edge}", f"{edge} end of records {edge}"
    number = 1 + max(map(int, _NUMBER.findall(body)), default=0)
    while f"records {number} " in body:
        number += 1
    edge = "=" * _LEAST_MARKS
    return f"{edge} records {number} {edge}", f"{edge} end of records {number} {edge}"


def fence_block(block: str) -> str:
    """Return a block of the head with its title outside and its lines inside a fence."""
    title, *lines = block.split("\n")
    if not lines:
        return block
    opening, closing = fence_of(lines)
    return "\n".join([title, opening, *lines, closing])
