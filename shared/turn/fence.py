"""Marks around records in a prompt: what stands between them was said, and is no instruction. Pure."""

from __future__ import annotations

from collections.abc import Sequence

_LEAST_MARKS = 3


def fence_of(lines: Sequence[str]) -> tuple[str, str]:
    """Return an opening and a closing line that stand in none of the lines."""
    body = "\n".join(lines)
    marks = _LEAST_MARKS
    while "=" * marks in body:
        marks += 1
    edge = "=" * marks
    return f"{edge} records {edge}", f"{edge} end of records {edge}"


def fence_block(block: str) -> str:
    """Return a block of the head with its title outside and its lines inside a fence."""
    title, *lines = block.split("\n")
    if not lines:
        return block
    opening, closing = fence_of(lines)
    return "\n".join([title, opening, *lines, closing])
