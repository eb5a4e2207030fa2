"""What a speaker puts right before the message ends: 记住预算50万，不对，60万 is about 600,000. Pure."""

from __future__ import annotations

import re
from typing import Final

from shared.extraction.value_shapes import find_shaped
from shared.extraction.value_swaps import swap_shaped
from shared.language.scripts import fold_aligned

MAX_CHARS: Final = 200
"""Longer messages tell stories."""

_REPAIR: Final = re.compile(
    r"[,，;；。.、\s–—-]+(?:"
    r"(?:[哦噢啊]?不对|[哦噢啊]?不是?|不不|等等|等一下|(?:我)?(?:说|记|打|写)?错了)[,，:：。…\s]+(?:应该)?是?"
    r"|(?:oh,?\s+|actually,?\s+)?(?:no\s+wait|wait\s+no|wait|no|sorry|scratch\s+that|i\s+meant?|make\s+that)[,:]?\s+"
    r"(?:no,?\s+)?(?:it's\s+|it\s+is\s+|make\s+it\s+|i\s+meant?\s+)?"
    r")(?P<new>[^,，。;；!！?？\n]{1,40})[。.!！\s]*$"
)


def mend(text: str) -> str | None:
    """The message with the value that its end gives in the place of the one before; None where it mends none.

    Only a bare value of the same shape mends: "no, thanks" and 不对称 are parts of what is said.
    """
    if len(text) > MAX_CHARS:
        return None
    found = _REPAIR.search(fold_aligned(text))
    if found is None:
        return None
    new = text[found.start("new") : found.end("new")].strip()
    values = find_shaped(new)
    if len(values) != 1 or (values[0].start, values[0].end) != (0, len(new)):
        return None
    return swap_shaped(text[: found.start()], new)
