"""What the user commanded was carried out, or refused, in its own turn: it is never proposed again. Pure."""

from __future__ import annotations

from shared.extraction.commands import parse_commands
from shared.extraction.quotes import Said
from shared.ltm.schema import Schema


def is_commanded(said: Said, *, start: int, end: int, schema: Schema) -> bool:
    """True where most of the message's [start:end] lies in a command: 记住：周一不开会 / "Remember: …".

    A correction (更新一下，… / "Update: …") is none here: it did nothing where it contradicted nothing.
    """
    commands = parse_commands(said.text, schema=schema, today=said.day, page=said.page)
    done = [each for each in commands if not each.is_correction]
    inside = sum(max(0, min(end, each.end) - max(start, each.start)) for each in done)
    return inside * 2 > end - start
