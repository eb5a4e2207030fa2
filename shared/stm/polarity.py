"""Polarity: whether a clause says something or denies it, and whether a summary turned that round. Pure.

Counted by the words of denial in it (客户没有同意 / "did not agree"); two of them cancel out (并非不同意).
What looks like denial and is none (不仅, 不错, "no later than") does not count. Invariant: a clause is called
turned round only where the same thing was said, and only ever the other way.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from shared.language.terms import index_terms
from shared.stm.clauses import split_clauses

SAME_SHARE: Final = 0.75
"""A clause of which this share of the terms stands in another one says the same, denial left aside."""

_NEGATION: Final = re.compile(
    r"没有|没(?!收|问题|关系|事)|不(?!仅|但|过(?!敏|问|期|关|来|去|重|量)|错|同|断|少|久|止|管|论|妨|如|只|然|好意思)|未(?!来|必)|无(?!论|锡|线|人机)|别(?!人|的|处|墅|名)|勿|并非|拒绝"
    r"|\b(?:not(?! only)|never|nobody|nothing|without|neither|nor|cannot|none"
    r"|no(?! (?:later|more|less|fewer) than\b| matter\b))\b|n't\b"
)
_ASPECT: Final = re.compile(r"已经|[已了还尚过都也就的]")
"""Words of time and stress, which part the words around them: 合同已经签了 and 合同签 claim the same."""

_ASKS_BOTH: Final = re.compile(r"(.)[不没]\1")
_LEAST_TERMS: Final = 2


@dataclass(frozen=True, slots=True)
class Claim:
    """What a clause says, denial left aside, as terms; and whether it denies it."""

    terms: frozenset[str]
    is_denied: bool


def denies(folded: str) -> bool:
    """Return whether folded words deny anything; 要不要 asks both ways and denies nothing."""
    return _NEGATION.search(_ASKS_BOTH.sub(" ", folded)) is not None


def count_denials(folded: str) -> tuple[str, int]:
    """Return folded words without those of denial, and how many they were."""
    return _NEGATION.subn(" ", folded)


def read_claims(texts: Iterable[str]) -> list[Claim]:
    """Return the claims of texts; questions are none, and neither is what has less than two terms."""
    clauses = (clause for text in texts for clause in split_clauses(text) if not clause.is_question)
    claims = (_read(clause.folded) for clause in clauses if not _ASKS_BOTH.search(clause.folded))
    return [claim for claim in claims if len(claim.terms) >= _LEAST_TERMS]


def is_turned_round(claim: Claim, said: Sequence[Claim]) -> bool:
    """Return whether what is claimed was said, and only ever the other way."""
    least = SAME_SHARE * len(claim.terms)
    ways = {other.is_denied for other in said if len(claim.terms & other.terms) >= least}
    return bool(ways) and claim.is_denied not in ways


def _read(folded: str) -> Claim:
    bare, count = count_denials(folded)
    words = bare if bare.isascii() else _ASPECT.sub("", bare).replace(" ", "")
    return Claim(frozenset(index_terms(words)), count % 2 == 1)
