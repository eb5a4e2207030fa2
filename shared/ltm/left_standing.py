"""What a memory still tells once a newer one has taken the place of one of its clauses. Pure.

我住在北京 takes the place of 我住在上海 in 我住在上海，在腾讯上班, and leaves 我在腾讯上班.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Final

from shared.language.scripts import HAN, fold_aligned
from shared.ltm.index import normal_text
from shared.ltm.own_clauses import clauses_of
from shared.ltm.slots import contradicts

_MOST_CLAUSES: Final = 12
_FEWEST_ZH: Final = 4
_VERBS_ZH: Final = r"在|是|有|会|住|喜欢|讨厌|爱|不|没|叫|养|做|学|当|姓|吃|喝|用|开|对"
_VERBS_EN: Final = (
    r"(?:work|live|have|like|love|am|own|speak|study|prefer|hate|drive|play|use|eat|drink|teach|run|collect"
    r"|don't|do\s+not|can't|cannot)\b"
)
_NO_SUBJECT: Final = re.compile(rf"(?:(?:也|还|又)*(?:{_VERBS_ZH})|(?:also\s+|now\s+)?{_VERBS_EN})")
_TELLS: Final = re.compile(
    rf"(?=.*(?:{_VERBS_ZH}))(?=.*[{HAN}])|(?:also\s+|now\s+)?{_VERBS_EN}"
    r"|(?:i|we|he|she|it|they|my|our|his|her|its|their|the)(?:'\w+)?\s+\S+"
)
"""A clause of its own; Pudong or France after a town only say more of it."""
_SAYS_OF_IT: Final = re.compile(
    r"[a-z]+(?:\s+[a-z]+)?\s+(?:is|are|has|have|was|likes?|hates?|lives?|works?)\b|.{2,12}\d+岁"
)
"""A clause with its own subject and verb: dad has diabetes, 儿子8岁."""
_OF_THE_OLD: Final = re.compile(
    r"(?:而)?不是|不再|以前|之前|原来|not\b|no\s+longer|used\s+to|(?:and\s+)?(?:since|until)\b"
)
_FIRST_PERSON: Final = re.compile(r"(?:我(?!们?的|家)|i\b)(?!')")
_PRONOUN: Final = re.compile(r"(?:[她他它]|(?:she|he|it)\b)(?!们|的|')")
_SUBJECT: Final = re.compile(
    r"(?P<subject>(?:我们?的?|我家的?|my\s+|our\s+).{1,30}?)(?:的名字|'s\s+name)?\s*(?:现在|目前)?(?:叫|名叫|是|\bis\b)"
)


def rest_of(old: str, new: str) -> str:
    """Return what an older text tells beside what a newer one contradicts, as a text of its own, or ""."""
    clauses = [old[start:end].strip() for start, end in clauses_of(old)]
    newer = [new[start:end].strip() for start, end in clauses_of(new)]
    if not (1 < len(clauses) <= _MOST_CLAUSES and len(newer) <= _MOST_CLAUSES):
        return ""
    gone = _overtaken(clauses, newer, is_change=False) or _overtaken(clauses, newer, is_change=True)
    if not gone:
        return ""
    said_again = {normal_text(each) for each in newer}
    left = [
        each
        for each in clauses
        if each not in gone and normal_text(each) not in said_again and _tells(fold_aligned(each))
    ]
    if not left:
        return ""
    if left[0] != clauses[0]:
        left[0] = _with_subject(left[0], before=clauses[0])
    return ("，" if re.search(f"[{HAN}]", old) else ", ").join(left)


def halves_of(text: str, *, is_gone: Callable[[str], bool]) -> tuple[list[str], str]:
    """Return the clauses of a text that are to go, and what the others tell as a text of its own.

    That is "" where all of it goes, or where what is left would not tell it without what goes (…、游泳).
    """
    clauses = [text[start:end].strip() for start, end in clauses_of(text)]
    gone = [each for each in clauses if is_gone(each)]
    left = [each for each in clauses if each not in gone]
    if not gone or not left or len(clauses) > _MOST_CLAUSES:
        return gone, ""
    if left[0] != clauses[0]:
        left[0] = _with_subject(left[0], before=clauses[0])
    if _PRONOUN.match(fold_aligned(left[0])) or not all(_stands_alone(fold_aligned(each)) for each in left):
        return gone, ""
    return gone, ("，" if re.search(f"[{HAN}]", text) else ", ").join(left)


def _stands_alone(folded: str) -> bool:
    return _TELLS.match(folded) is not None or _SAYS_OF_IT.match(folded) is not None


def _overtaken(clauses: Sequence[str], newer: Sequence[str], *, is_change: bool) -> list[str]:
    return [each for each in clauses if any(contradicts(each, said, is_change=is_change) for said in newer)]


def _tells(folded: str) -> bool:
    if _OF_THE_OLD.match(folded) or _TELLS.match(folded) is None:
        return False
    return folded.isascii() or len(folded) >= _FEWEST_ZH


def _with_subject(clause: str, *, before: str) -> str:
    """Return a clause with what it is said of, where the clause before had named that."""
    folded, leading = fold_aligned(clause), fold_aligned(before)
    pronoun, subject = _PRONOUN.match(folded), _SUBJECT.match(leading)
    end = subject.end("subject") if subject is not None else 0
    if subject is None and pronoun is None:
        first = _FIRST_PERSON.match(leading)
        end = first.end() if first is not None else 0
    if not end or (pronoun is None and _NO_SUBJECT.match(folded) is None):
        return clause
    named, rest = before[:end].strip(), clause[pronoun.end() if pronoun else 0 :].strip()
    return f"{named} {rest}" if named.isascii() else named + rest
