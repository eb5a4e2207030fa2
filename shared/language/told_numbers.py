"""Whether a text tells a number as that of a thing: beside its name, right after, or with nothing else. Pure.

预算改成60万 and "it comes to 600,000" (after a sentence on it) tell a budget of 600,000; 月薪是60万 is as
much of something else.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from decimal import Decimal
from typing import Final

from shared.language.numbers import find_numbers
from shared.language.same_thing import sentences_of, stands_in
from shared.language.scripts import fold
from shared.language.terms import query_terms

_SETTING: Final = re.compile(
    r"(?:决定|打算)?了?(?:[改调降减升提]|提高|增加|降低|减少|上调|下调)[成为到至]|好的|记[住下]了?"
    r"|\b(?:noted|got it|saved|remembered|changed?|set|raised?|reduced?|increased?|decided?)\b"
)
"""What a number is said with that names nothing: 改成60万吧, "noted: 1,200"."""


def is_number_told(number: Decimal, text: str, *, names: Collection[str]) -> bool:
    """Whether a text tells a number as that of what has these folded names; without names, of anything."""
    before = ""
    for sentence in sentences_of(text):
        if any(found.value == number for found in find_numbers(sentence)):
            folded = fold(f"{before} {sentence}")
            if not names or any(stands_in(name, folded) for name in names) or not _names_anything(sentence):
                return True
        before = sentence
    return False


def _names_anything(sentence: str) -> bool:
    words = _SETTING.sub(" ", fold(sentence))
    return any(term.term.isalpha() for term in query_terms(words) if not term.single_character)
