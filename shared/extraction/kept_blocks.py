"""From a block of lines to what is stored: each line's own values, or one memory of it all. Pure."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator

from shared.extraction.assignments import Reader
from shared.extraction.blocks import Block, show_block
from shared.extraction.command import Command
from shared.extraction.pages import Page, Span
from shared.extraction.payload_repairs import all_clauses, repair_over_end
from shared.extraction.payloads import MAX_REMEMBERED_CHARS, Payload, read_payload

_MOST_APART = 20
"""More lines are kept together."""


def keep_block(page: Page, block: Block, *, quote: Span, reader: Reader) -> list[Command]:
    """The commands that keep a block, all of it; `quote` is the whole command, verb and lines."""
    if block.is_apart and len(block.lines) <= _MOST_APART:
        lines = list(_keep_lines(page, block, reader=reader))
        if all(lines):
            return [command for line in lines for command in line]
    text = page.text[quote.start : quote.end]
    return [
        Command("remember", None, None, part, text, quote.start, quote.end) for part in _parts(page, block)
    ]


def _keep_lines(page: Page, block: Block, *, reader: Reader) -> Iterator[list[Command]]:
    """The commands of each line; one that only puts the line before it right (no, May 2) goes with it."""
    done = 0
    for line in block.lines:
        if line.start < done:
            continue
        pieces = _clauses_of(page, line)
        if not pieces:
            yield []
            continue
        later = repair_over_end(page, pieces, source=None, start=line.end, reader=reader)
        if later is None:
            yield read_payload(page, Payload(page, pieces, line), reader=reader)
        else:
            source, done = later
            quote = Span(line.start, done)
            yield read_payload(page, Payload(page, all_clauses(source), quote, source=source), reader=reader)


def _clauses_of(page: Page, line: Span) -> tuple[Span, ...]:
    first = bisect_right(page.sentences, line.start, key=lambda each: each.end)
    last = bisect_left(page.sentences, line.end, key=lambda each: each.start)
    return tuple(
        Span(max(clause.start, line.start), min(clause.end, line.end))
        for sentence in page.sentences[first:last]
        for clause in sentence.clauses
        if clause.end > line.start and clause.start < line.end
    )


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
