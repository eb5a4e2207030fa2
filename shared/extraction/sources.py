"""Questions about where a fact comes from: 你怎么知道我的预算？ / "when did I say that?". Pure."""

from __future__ import annotations

import re
from typing import Final

from shared.language.scripts import fold, fold_aligned
from shared.language.sieve import Sieve
from shared.ltm.raw_words import spellings
from shared.ltm.schema import Schema

_KNOW: Final = r"(?:是|又)?(?:怎么|咋|如何|从哪里?|哪儿)(?:会)?(?:知道|晓得|得知|来的)"
_WHEN: Final = r"(?:是)?(?:什么时候|何时|啥时候|哪天|在哪里?)(?:跟你)?(?:说|提|讲|告诉)"
_ASKS_ZH: Final = re.compile(
    rf"你{_KNOW}|您{_KNOW}|我{_WHEN}|咱{_WHEN}|谁告诉[你您]|有什么(?:依据|根据|来源)|你的(?:依据|根据|来源)|(?<!外)出处(?!理|置)"
)
_HOW: Final = "怎么 怎么会 咋 咋会 如何 如何会 从哪 从哪会 从哪里 从哪里会 哪儿 哪儿会"
_SINCE: Final = "什么时候 何时 啥时候 哪天 在哪 在哪里"
_ASKS_EN: Final = re.compile(
    r"(?<![a-z0-9_])how\s+(?:do|did|would|come)\s+you\s+(?:know|learn|find\s+out)"
    r"|(?<![a-z0-9_])when\s+(?:did|have)\s+i\s+(?:say|said|tell|told|mention)"
    r"|(?<![a-z0-9_])where\s+(?:did|do|does|is)\s+(?:you\s+(?:get|know)(?!\s+your\b)|(?:that|this|it)\s+(?:come|from))"
    r"|(?<![a-z0-9_])who\s+told\s+you\b|(?<![a-z0-9_])did\s+i\s+(?:really\s+)?(?:say|tell\s+you|mention)\b"
    r"|(?<![a-z0-9_])what\s+makes\s+you\s+(?:say|think)\b"
)
MAX_FACT_CHARS: Final = 200
_MARKS: Final = " \t\n,，.。?？!！:：;；\"“”'"
_FACT_LEAD: Final = re.compile(r"(?:过|了|你|\s|[,，:：]|\b(?:that|about|to\s+you|you)\b)*+")
_NO_FACT: Final = re.compile(
    r"(?:[\s,，。.?？!！]|那|这|你|您|请问|请|问一下|个|件|条|些|事情?|点|话|一点|的|了|过|是|吗|呢|啊|呀|我|它"
    r"|\b(?:that|this|it|so|and|ok|okay|then|all|these|those|about|me|you|by|the|way|please|from|say|tell|told|hey|wait|hi)\b)*+"
)
_CUES: Final = Sieve(
    [
        *spellings(how + known for how in _HOW.split() for known in ("知道", "晓得", "得知", "来的")),
        *spellings(since + said for since in _SINCE.split() for said in ("说", "提", "讲", "告诉", "跟你")),
        *spellings("谁告诉 什么依据 什么根据 什么来源 你的依据 你的根据 你的来源 出处".split()),  # noqa: SIM905 (a table of words)
        _ASKS_EN.pattern,
    ],
    ignore_case=True,
)


def asks_source(text: str) -> bool:
    """True where the user asks how something is known."""
    if not _CUES.may_hold(text):
        return False
    folded = fold(text)
    return _ASKS_ZH.search(folded) is not None or _ASKS_EN.search(folded) is not None


def asked_fact(text: str) -> str:
    """What a question of source asks about: I live in Porto, of "how do you know that I live in Porto?".

    Empty where it asks about what was said last (你怎么知道的).
    """
    if len(text) > MAX_FACT_CHARS or not asks_source(text):
        return ""
    aligned = fold_aligned(text).replace("’", "'")
    match = _ASKS_ZH.search(aligned) or _ASKS_EN.search(aligned)
    if match is None:
        return ""
    after = text[match.end() :]
    lead = _FACT_LEAD.match(aligned, match.end())
    after = text[lead.end() :] if lead else after
    before = text[: match.start()]
    said = after if after.strip(_MARKS) and not _NO_FACT.fullmatch(fold(after)) else before
    return "" if _NO_FACT.fullmatch(fold(said)) else said.strip(_MARKS)


def asked_sources(text: str, *, schema: Schema) -> tuple[str, ...] | None:
    """The paths whose source is asked for; empty where none is named, None where it is no such question."""
    if not asks_source(text):
        return None
    return tuple(dict.fromkeys(label.path.path for label in schema.find_labels(text)))
