"""The clauses of a memory that each tell something of their own: 婆婆不吃香菜 | 爸爸有糖尿病. Pure.

Who forgets one of them, or puts a newer word in its place, means no other.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final

from shared.language.terms import query_terms

_BETWEEN: Final = re.compile(
    r"[，;；。!！?？、\n]|[,.](?=\s|$)|,(?=[^\d\s])|\b(?:and|but|while|whereas)\b", re.IGNORECASE
)
_GOES_ON: Final = re.compile(
    r"\s*(?:也|还|又|而且|并且|但|[她他它]|(?:she|he|it|they|her|his|its|their|also|who|which)\b)",
    re.IGNORECASE,
)
_LEAD: Final = re.compile(
    r"\s*(?:(?:顺便|另外|忘了|跟你|和你|告诉你)(?:再?[说提讲](?:一?[下声句])?(?:个事)?|一声|个事)?|对了|话说|其实|哦|嗯|说起来"
    r"|by the way|btw|fyi|oh|ok(?:ay)?|so|well|actually|you know|(?:i )?forgot to (?:say|mention)|also)\s*",
    re.IGNORECASE,
)
"""A clause that leads in another, and tells nothing."""


def clauses_of(text: str) -> list[tuple[int, int]]:
    """Return where the clauses of a text stand, without the marks and words between them."""
    bounds: list[tuple[int, int]] = []
    start = 0
    for start_of_mark, end_of_mark in [*(m.span() for m in _BETWEEN.finditer(text)), (len(text), len(text))]:
        if text[start:start_of_mark].strip():
            bounds.append((start, start_of_mark))
        start = end_of_mark
    return bounds


def goes_with(text: str, *, is_meant: Callable[[str], bool], of_person: bool) -> Callable[[str], bool]:
    """Return what tells whether a clause of a text goes with what is meant, as one with "she" behind it does.

    A clause that leads in (对了) goes with it.
    """
    clauses = [text[start:end].strip() for start, end in clauses_of(text)]
    gone, is_hers = set(), False
    for clause in clauses:
        is_hers = is_meant(clause) or (of_person and is_hers and _GOES_ON.match(clause) is not None)
        if is_hers or _LEAD.fullmatch(clause):
            gone.add(clause)
    return gone.__contains__


def tells_more(text: str, target: str, *, is_meant: Callable[[str], bool], of_person: bool) -> bool:
    """Whether a text tells of what a target means in one clause, and of something else in another.

    A clause that goes on with "she" is still of the target where that is a person (`of_person`); where it is
    only one thing that is known of her (my wife's name), it is not.
    """
    clauses = [text[start:end] for start, end in clauses_of(text)]
    clauses = [clause for clause in clauses if not _LEAD.fullmatch(clause)]
    meant = [is_meant(clause) for clause in clauses]
    if not any(meant) or all(meant):
        return False
    named = {term.term for term in query_terms(target)}
    return any(
        not {term.term for term in query_terms(clause)} <= named
        and not (of_person and _GOES_ON.match(clause))
        for clause, of_target in zip(clauses, meant, strict=True)
        if not of_target
    )
