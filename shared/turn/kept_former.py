"""Keeping what the user said a message ago, on their word now: 我车停在B2, then 记住这个. Pure.

The former message and the request are read as one text, so that all that holds of …，帮我记一下 holds here:
no question and no courtesy is kept. It has to speak of the user: after "recommend a place" the words
"remember that" mean the reply, and nobody but the user states facts. What it did by itself is not done again.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Final

from shared.extraction.commands import MAX_PARSED_CHARS, parse_commands
from shared.extraction.pages import read_page
from shared.extraction.unsaid import read_not_kept
from shared.language.scripts import fold
from shared.turn.applying import Applying
from shared.turn.reading import Reading

_KEEPS: Final = frozenset({"set", "append", "remember"})
_OF_SELF: Final = re.compile(
    r"\s*(?:(?:well|so|oh|and|also|btw|对了|其实|另外)[\s,，]*)?(?:我|咱|本人|(?:i|i'm|i've|my|we|we're|our)\b)"
)


def with_former(reading: Reading, applying: Applying) -> tuple[Reading, Applying]:
    """Return the reading with the commands that it makes of the user's message before, and their source."""
    former = next((each for each in reversed(reading.exchange) if each.role == "user"), None)
    if not reading.keeps_former or reading.asked or former is None:
        return reading, applying
    said, today, zone = former.text, applying.today, applying.zone
    if not said or len(said) > MAX_PARSED_CHARS or read_not_kept(read_page(said), ()):
        return reading, applying
    if parse_commands(said, schema=applying.schema, today=today, zone=zone):
        return reading, applying
    text = f"{said}\n{reading.text}"
    found = parse_commands(text, schema=applying.schema, today=today, zone=zone)
    kept = tuple(
        replace(each, quote=text[each.start : min(each.end, len(said))].strip())
        for each in found
        if each.kind in _KEEPS
        and each.start < len(said)
        and _OF_SELF.match(fold(text[each.start : each.end]))
    )
    if not kept:
        return reading, applying
    ids = (former.id, *applying.why.source.message_ids)
    source = applying.why.source.model_copy(update={"message_ids": ids})
    why = applying.why.model_copy(update={"source": source})
    return replace(reading, text=text, commands=kept), replace(applying, why=why)
