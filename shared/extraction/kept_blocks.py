"""From a block of lines to what is stored: each line's own values, or one memory of it all. Pure."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from shared.extraction.assignments import Reader
from shared.extraction.blocks import Block, show_block
from shared.extraction.command import Command
from shared.extraction.pages import Page, Span
from shared.extraction.payloads import MAX_REMEMBERED_CHARS, Payload, read_payload

_MOST_APART = 20
"""More lines are kept together."""


def keep_block(page: Page, block: Block, *, quote: Span, reader: Reader) -> list[Command]:
    """The commands that keep a block, all of it; `quote` is the whole command, verb and lines."""
    if block.is_apart and len(block.lines) <= _MOST_APART:
        lines = [_keep_line(page, line, reader=reader) for line in block.lines]
        if all(lines):
            return [command for line in lines for command in line]
    text = page.text[quote.start : quote.end]
    return [
        Command("remember", None, None, part, text, quote.start, quote.end) for part in _parts(page, block)
    ]


def _keep_line(page: Page, line: Span, *, reader: Reader) -> list[Command]:
    first = bisect_right(page.sentences, line.start, key=lambda each: each.end)
    last = bisect_left(page.sentences, line.end, key=lambda each: each.start)
    pieces = [
        Span(max(clause.start, line.start), min(clause.end, line.end))
        for sentence in page.sentences[first:last]
        for clause in sentence.clauses
        if clause.end > line.start and clause.start < line.end
    ]
    return read_payload(page, Payload(page, tuple(pieces), line), reader=reader) if pieces else []


def _parts(page: Page, block: Block) -> Iterator[str]:
    """The block as one memory, or as several where it is too long for one."""
    lines: list[Span] = []
    for line in block.lines:
        if lines and len(show_block(page, _of(block, lines))) + line.end - line.start > MAX_REMEMBERED_CHARS:
            yield show_block(page, _of(block, lines))
            lines = []
        lines.append(line)
    if lines:
        yield show_block(page, _of(block, lines))[:MAX_REMEMBERED_CHARS]


def _of(block: Block, lines: list[Span]) -> Block:
    return Block(block.name, tuple(lines), is_apart=block.is_apart, end=block.end)
