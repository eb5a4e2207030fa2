"""A bare noun of the user's, of which nothing is said: 我老板, 我妈的生日. Pure, for folded text.

There is nothing in it to remember. In English a verb is asked for anyway ("don't forget my boss").
"""

from __future__ import annotations

import re
from typing import Final

from shared.language.attributes import HEAD_ZH
from shared.ltm.slots import BEING

_MOST_CHARS: Final = 40
_OWNER: Final = re.compile(r"(?:我|咱|俺)们?家?里?的?")
_AND: Final = re.compile(r"[和跟与及、]")
_MAY_BE_SAID: Final = re.compile(r"过敏|工作|计划|安排|要求|规定|习惯|偏好|喜好|爱好|报价|约束|忌口")
"""Right behind whom they speak of, these say something: 我妈过敏."""


def is_bare_noun(folded: str) -> bool:
    """Whether a folded text names only whom, or what, of the user's, and says nothing of it."""
    words = folded.strip(" \t\r\n。.!！~～")
    owner = _OWNER.match(words) if len(words) <= _MOST_CHARS else None
    return owner is not None and all(_is_name(part) for part in _AND.split(words[owner.end() :]))


def _is_name(words: str) -> bool:
    own = _OWNER.match(words)
    bare = words[own.end() :] if own else words
    head = HEAD_ZH.search(bare)
    if head is not None and (bare[: head.start()].endswith("的") or not _MAY_BE_SAID.fullmatch(head[0])):
        bare = bare[: head.start()].removesuffix("的")
    return BEING.fullmatch(bare) is not None
