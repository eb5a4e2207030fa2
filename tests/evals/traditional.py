"""Questions as a reader of traditional characters would write them.

Each simplified character is written as a traditional one that the product folds to it; where there are
several, they take turns. Words that Taiwan or Hong Kong say differently stay as they are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from itertools import cycle
from typing import Final

from shared.language.script_table import SIMPLIFIED, TRADITIONAL
from tests.evals.sets import Question


def _forms() -> dict[str, list[str]]:
    forms: defaultdict[str, list[str]] = defaultdict(list)
    for traditional, simplified in zip(TRADITIONAL, SIMPLIFIED, strict=True):
        forms[simplified].append(traditional)
    return dict(forms)


_FORMS: Final = _forms()


def in_traditional(questions: Sequence[Question]) -> tuple[Question, ...]:
    """Return the questions with their text in traditional characters."""
    turns = {simplified: cycle(forms) for simplified, forms in _FORMS.items()}
    return tuple(
        replace(each, text="".join(next(turns[c]) if c in turns else c for c in each.text))
        for each in questions
    )
