"""The value that a clause's value gives way to in the same sentence: set it to 500k, no, 600k. Pure."""

from __future__ import annotations

import re
from typing import Any, Final

from shared.extraction import command_words_en as en
from shared.extraction import command_words_zh as zh
from shared.extraction.assignments import Reader, read_value
from shared.extraction.pages import Page, Sentence, Span
from shared.ltm.schema import SchemaPath

MAX_FOLLOWING: Final = 8
"""Clauses behind the value that are looked at."""

WEAK: Final = re.compile(
    r"[\s,，]*(?:(?:哦|啊|呃|嗯|哎|诶|噢){0,2}不{1,2}"
    r"|(?:(?:oh|um|uh|er)\s+){0,2}(?:no|nope|actually|sorry|oops|wait|hold\s+on))\s*$"
)
"""What takes a value back only where another of its kind follows: "May 1, no, May 2"."""


def last_value(
    page: Page, clause: Span, *, sentence: Sentence, path: SchemaPath, reader: Reader
) -> tuple[Any, int] | None:
    """The last value said in place of the clause's one, and where it ends; None where none is."""
    if sentence.is_marked_question:
        return None
    following = [each for each in sentence.clauses if each.start >= clause.end][:MAX_FOLLOWING]
    found: tuple[Any, int] | None = None
    takes_back = False
    for each in following:
        span = (page.folded, each.start, each.end)
        match = zh.REPAIR.match(*span) or en.REPAIR.match(*span) or WEAK.match(*span)
        begin = match.end() if match else each.start
        takes_back = takes_back or match is not None
        if not page.text[begin : each.end].strip():
            continue
        value = read_value(page, Span(begin, each.end), path=path, reader=reader) if takes_back else None
        if value is None:
            break
        found, takes_back = (value, each.end), False
    return found
