"""What only asks what is asked now: the same question of last week is no answer to it. Pure.

预算是多少来着 and "what was my budget again" hold every word of 我的预算是多少 and "What is my budget?", and
so would come before what answers them.
"""

from __future__ import annotations

import re
from functools import cached_property
from typing import Final

from shared.language.scripts import fold
from shared.language.terms import query_terms
from shared.recall.near import near_key, near_shape

_LONGEST_ASKED: Final = 120
_ASKS: Final = re.compile(
    r"\?(?=\W*$)|？(?=\W*$)|吗(?=[\s。.!！~]*$)|呢(?=[\s。.!！~]*$)|什么|哪|谁|几|多少|怎么|如何|何时"
    r"|w(?<!\w.)(?:hat|hich|ho|hose|hom|here|hen|hy)\b|h(?<!\w.)ow\b"
)
"""Each alternative begins with a character of its own: `re` then skips all others seven times as fast."""

_BEGINS_ASKING: Final = re.compile(
    r"\W*(?:(?:so|and|hey|ok(?:ay)?|sorry|wait|well|please)\W+)*"
    r"(?:do|does|did|is|are|was|were|am|can|could|will|would|should|have|has|had|may)\b"
)
_ASKING: Final = re.compile(
    "来着|到底|究竟|你?(?:还)?(?:知道|记得|记不记得)|告诉我?|提醒我?|再说|一下|哪天|[我咱你](?:们)?家|现在|叫|名字|是不是"
    r"|\b(?:again|know|remind|tell|remember|now|exactly|actually|currently|called|named?|please|sorry|ok(?:ay)?|hey|hi|hello|day)\b"
)
"""What a question holds beside its subject: said once more, asked politely."""
_FOR_ASKING: Final = re.compile(r"问|\b(?:ask(?:ed|s|ing)?|questions?)\b")
_FIGURE: Final = re.compile(r"\d")
_CLAUSE_END: Final = re.compile(r"[。！？!?\n；;，]|[.,](?:\s|$)")


class Asked:
    """A question, as rows are held against it."""

    def __init__(self, question: str) -> None:
        self._question = question

    @cached_property
    def _shape(self) -> int:
        return near_shape(self._question)

    @cached_property
    def _key(self) -> int:
        return near_key(self._question)

    @cached_property
    def _subject(self) -> frozenset[str]:
        return _subject_of(fold(self._question))

    def is_for_what_was_asked(self) -> bool:
        """Whether questions themselves are looked for: 我问过你什么, "what did I ask?"."""
        return _FOR_ASKING.search(fold(self._question)) is not None

    def is_asked_by(self, text: str) -> bool:
        """Whether a text asks just this, or about some of it, and says nothing more."""
        if len(text) > _LONGEST_ASKED:
            return False
        folded = fold(text)
        if not _asks(folded):
            return False
        if near_shape(text) == self._shape and near_key(text) == self._key:
            return True
        subject = _subject_of(folded)
        return bool(subject) and subject <= self._subject


def only_asks(text: str) -> bool:
    """Whether a short text asks, and gives no figure: whatever it asks about, it states nothing."""
    if len(text) > _LONGEST_ASKED or _FIGURE.search(text):
        return False
    clauses = [clause for clause in _CLAUSE_END.split(text) if clause.strip()]
    return len(clauses) == 1 and _asks(fold(text))


def _asks(folded: str) -> bool:
    return _ASKS.search(folded) is not None or _BEGINS_ASKING.match(folded) is not None


def _subject_of(folded: str) -> frozenset[str]:
    return frozenset([term.term for term in query_terms(_ASKING.sub(" ", folded))])
