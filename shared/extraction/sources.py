"""Questions about where a fact comes from: 你怎么知道我的预算？ / "when did I say that?". Pure."""

from __future__ import annotations

import re
from typing import Final

from shared.language.scripts import fold
from shared.ltm.schema import Schema

_ASKS: Final = re.compile(
    r"(?:你|您)(?:是|又)?(?:怎么|咋|如何|从哪里?|哪儿)(?:会)?(?:知道|晓得|得知|来的)|(?:我|咱)(?:是)?(?:什么时候|何时|啥时候|哪天|在哪里?)(?:跟你)?"
    r"(?:说|提|讲|告诉)|谁告诉(?:你|您)|(?:有什么|你的)(?:依据|根据|来源)|出处"
    r"|\bhow\s+(?:do|did|would|come)\s+you\s+(?:know|learn|find)|\bwhen\s+(?:did|have)\s+i\s+(?:say|said|tell|told|mention)"
    r"|\bwhere\s+(?:did|do|does|is)\s+(?:you\s+(?:get|know)|(?:that|this|it)\s+(?:come|from))|\bwho\s+told\s+you\b"
    r"|\bdid\s+i\s+(?:really\s+)?(?:say|tell\s+you|mention)\b|\bwhat\s+makes\s+you\s+(?:say|think)\b"
)


def asks_source(text: str) -> bool:
    """True where the user asks how something is known."""
    return _ASKS.search(fold(text)) is not None


def asked_sources(text: str, *, schema: Schema) -> tuple[str, ...] | None:
    """The paths whose source is asked for; empty where none is named, None where it is no such question."""
    if not asks_source(text):
        return None
    return tuple(dict.fromkeys(label.path.path for label in schema.find_labels(text)))
