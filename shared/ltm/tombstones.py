"""What keeps a rejected or forgotten value away: the keys under which it would be known again. Pure.

A field's value is known by its path and normal form; a free text by its folded words, and by its slot (the
words that are no numbers) with the same numbers and polarity: 不要短信验证码 and 短信验证码不要 are one,
"the fee is 0.6%" and "the fee is 0.8%" are two.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, Final

from shared.language.numbers import find_numbers
from shared.language.scripts import fold
from shared.language.terms import index_terms
from shared.ltm.index import normal_text

_DENIES: Final = re.compile(
    r"不|没|别|勿|未|非|拒|讨厌|\b(?:no|not|never|none|without|hate|dislike|avoid|refuse)\b|n't\b"
)
_DIGIT: Final = re.compile(r"\d")


def normal_value(value: Any) -> str:
    """The form in which two values of a field are the same: SaaS = saas, 500000 = 500000.0."""
    if isinstance(value, str):
        return normal_text(value)
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return json.dumps(value, ensure_ascii=False, sort_keys=True)


def value_keys(path: str, value: Any) -> tuple[str, ...]:
    """The keys of a field's value; a list has those of its items."""
    items: Sequence[Any] = value if isinstance(value, list | tuple) else (value,)
    return tuple(f"field:{path}={normal_value(item)}" for item in items)


def text_keys(text: str) -> tuple[str, ...]:
    """The keys of a free text: its words, and its slot with numbers and polarity."""
    return f"text:{normal_text(text)}", f"slot:{_slot(text)}"


def keys_of(path: str | None, value: Any) -> tuple[str, ...]:
    """The keys of what a proposal would store: a field's value, or for no path a text."""
    return text_keys(str(value)) if path is None else value_keys(path, value)


def is_denied(text: str) -> bool:
    """True where a text says that something is not so: 不喜欢, can't stand … never."""
    return _DENIES.search(fold(text)) is not None


def _slot(text: str) -> str:
    numbers = sorted(str(number.value.normalize()) for number in find_numbers(text))
    words = sorted({term for term in index_terms(_DENIES.sub(" ", fold(text))) if not _DIGIT.search(term)})
    return json.dumps([words, numbers, is_denied(text)], ensure_ascii=False)
