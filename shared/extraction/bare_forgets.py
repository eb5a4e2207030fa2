"""A bare name after a verb of forgetting: 忘记团子 / "forget Pebble". Pure.

It may be a command, or tell that something slipped the mind. So it is none by itself: where a memory speaks
of the thing, the user is asked.
"""

from __future__ import annotations

import re
from typing import Final

from shared.extraction import command_words_en as en
from shared.extraction.forget_words import NO_THING, NOT_FORGOTTEN
from shared.extraction.pages import Page

_ZH: Final = re.compile(
    r"\s*(?:那就|那|就|你)?忘(?:记|掉|却)(?P<thing>[^\s,，。!！?？；;:：、]{2,12})[。.!！~～\s]*"
)
_EN: Final = re.compile(
    r"\s*(?:ok(?:ay)?,?\s+|just\s+)?forget\s+(?:about\s+)?(?P<thing>[\w'’.-]+(?:\s+[\w'’.-]+){0,2}?)[.!\s]*",
    re.ASCII,
)
_MOST_CHARS: Final = 60


def read_bare_forget(page: Page) -> str:
    """The name in a message that is nothing but a verb of forgetting and it; empty where it is no such."""
    if len(page.text) > _MOST_CHARS:
        return ""
    match = _ZH.fullmatch(page.open) or _EN.fullmatch(page.open)
    if match is None:
        return ""
    thing = match["thing"]
    if NOT_FORGOTTEN.match(thing) or NO_THING.search(thing) or en.IDIOM.match(thing):
        return ""
    return page.text[match.start("thing") : match.end("thing")]
