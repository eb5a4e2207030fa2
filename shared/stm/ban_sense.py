"""What only sounds like a ban of a topic: somebody else's words, and sayings that ban nothing. Pure."""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from typing import Final

from shared.stm.clauses import Clause

_REPORTED: Final = re.compile(
    r"(?:说|讲|告诉|提醒|嘱咐|叮嘱|交代|吩咐|要求|命令|警告|恳求|求|劝|让|叫)(?:过|了|我们?|大家|他|她|过我)*[，,:：\s]*$"
    r"|(?:剧本|台词|对白|独白|旁白)[^，,]{0,12}[:：]\s*\S{0,8}[:：]?\s*$|\b(?:script|scene|dialogue|screenplay)\s*:\s*\S{0,12}:?\s*$"
    r"|\b(?:said|says|told (?:me|us|him|her|them)|asks?(?:ed)? (?:me|us)|reminded (?:me|us)|instruct(?:s|ed)(?: (?:me|us))?"
    r"|order(?:s|ed) (?:me|us)|begg?(?:s|ed) (?:me|us)|warn(?:s|ed) (?:me|us)|wants? (?:me|us))\b[^,.]*$"
)
_HEAD_END_ZH: Final = re.compile(
    r"(?:以后|今后|永远|先|今天|现在|暂时|也|就|都|所以|那|请|麻烦|你|您|千万|\s)+$"
)
_REPORTED_AFTER: Final = re.compile(
    r"[\s\"”」』]*(?:这(?:话)?是?|是)?(?!我们?(?:都|也|早|就|已经|跟|对|和|说|讲|告诉|这么|刚|昨天|可)|咱|你)[^，,。]{1,8}?(?:这么|这样|就|一直|总是|总|老是|也|都|刚才?|昨天|今天|曾)*(?:跟我|对我|和我|给我)?"
    r"(?:说|讲|告诉我|要求我?|嘱咐我?|叮嘱我?|劝我?|提醒我?|骂我?)(?:的|过|了)*[\s。.!！]*$"
    r"|[\s\"'”]*(?:(?:or )?so |that's what |as |that is what )?(?!i\b|i'|you\b|we\b)(?:(?:my|our|the|his|her|their) )?[\w'-]+(?: [\w'-]+)? "
    r"(?:(?:always|just|also|once|then) )?(?:said|says|told (?:me|us)|tells (?:me|us)|keeps? (?:saying|telling me)|yell(?:s|ed)|shout(?:s|ed)|begged|asked me"
    r"|insist(?:s|ed)|replied|warned me|wrote)\b"
)
"""Who said the words before: …，老板这么跟我说, "…, she said"."""
_SAYING: Final = re.compile(
    r"[别甭]提[^，,。]{0,8}?(?:有)?多(?![余少年次])[^，,。]{1,8}?(?:了|啦|呢|的)*[\s。.!！]*$|[别甭]提钱.{0,6}(?:感情|见外|生分|俗|客气)"
)
"""别提多开心了 says how glad one is, and 别提钱，伤感情 that no pay is due: neither bans anything."""
_OWN_WORDS: Final = re.compile(
    r"(?<![跟和对向给让叫])我(?:们)?(?:都|已经|早就|刚才?|之前)*(?:跟你|和你|对你)?(?:都|已经|再|又)*(?:说|讲|提醒|要求|让|告诉)(?:你|过|了)*[^，,]*$"
    r"|\bi(?:'ve| have)? (?:already |just )?(?:said|told you|asked you)\b[^,.]*$"
)


def is_reported(head: str, *, before: Clause | None, after: Clause | None) -> bool:
    """Return whether a ban is somebody else's words; `head` leads to it in its own clause.

    Who said it is named in front (老板说以后别提…; "my lawyer said, …") or behind ("…, she said").
    """
    head = _HEAD_END_ZH.sub("", head)
    if not head.strip(" \"'“「") and before is not None:
        head = before.folded
    if _REPORTED.search(head) and not _OWN_WORDS.search(head):
        return True
    return after is not None and _REPORTED_AFTER.match(after.folded) is not None


def is_saying(clause: Clause, after: Clause | None) -> bool:
    """Return whether a clause is a saying, by itself or with the clause behind it."""
    if _SAYING.search(clause.folded):
        return True
    return after is not None and _SAYING.search(f"{clause.folded}，{after.folded}") is not None
