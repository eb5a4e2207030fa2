"""A first look at a text: may it hold anything of what a reader reads?

Most messages hold nothing, and a reader with its look-arounds takes many times as long to find that out as a
look for its words does. A sieve is made of the reader's own patterns, so that the two stay one; it runs on
RE2, which is linear in the text whatever the pattern. Invariant: False is certain, True is not.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from re import _constants as ops  # type: ignore[attr-defined]  # the tree that every version of re builds
from re import _parser  # type: ignore[attr-defined]  # and what reads that
from typing import Any, Final

import re2

_CATEGORIES: Final = {
    ops.CATEGORY_DIGIT: r"\p{Nd}",
    ops.CATEGORY_WORD: r"\pL\pM\pN_",
    ops.CATEGORY_SPACE: r"\s\v\p{Z}\x{1c}-\x{1f}\x{85}",
    ops.CATEGORY_NOT_DIGIT: r"\P{Nd}",
}
_ANYTHING: Final = r"(?s:.)"
_REPEATS: Final = frozenset({ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT})
_LOOKS: Final = frozenset({ops.ASSERT, ops.ASSERT_NOT, ops.AT})
_GROUPS: Final = frozenset({ops.SUBPATTERN, ops.ATOMIC_GROUP})
_MOST_COUNTED: Final = 6
_MOST_BYTES: Final = 16 << 20


class Sieve:
    """Answers whether a text may hold a match of one of several patterns of Python's `re`.

    Raises:
        ValueError: the empty text would pass, so that nothing would ever be held back.
    """

    def __init__(self, patterns: Iterable[str], *, ignore_case: bool = False) -> None:
        options = re2.Options()
        options.case_sensitive = not ignore_case
        options.never_capture = True
        options.max_mem = _MOST_BYTES
        loosened = "|".join(loosen(pattern) for pattern in patterns)
        self._search = re2.compile(loosened, options).search if loosened else None
        if self.may_hold(""):
            raise ValueError(f"A sieve that lets every text through holds nothing back: {loosened}")

    def may_hold(self, text: str) -> bool:
        """False where no pattern matches anywhere in the text, which is looked at as it is."""
        return self._search is not None and self._search(text.encode("utf-8", "replace")) is not None


def loosen(pattern: str) -> str:
    """Return, in RE2's syntax, a pattern that matches wherever one of Python's does, and perhaps elsewhere.

    Look-arounds, anchors and word boundaries go; a count above six becomes "any number", and so does what was
    matched before. Raises `ValueError` for conditions.
    """
    tree = _parser.parse(pattern)
    return _with_flags(_sequence(tree), tree.state.flags)


def _sequence(tree: Iterable[tuple[Any, Any]]) -> str:
    return "".join(_piece(op, value) for op, value in tree)


def _piece(op: Any, value: Any) -> str:
    if op in _LOOKS:
        return ""
    if op is ops.LITERAL:
        return _character(value)
    if op in _REPEATS:
        least, most, inner = value
        return f"(?:{_sequence(inner)}){_count(int(least), int(most))}"
    if op is ops.BRANCH:
        return f"(?:{'|'.join(map(_sequence, value[1]))})"
    if op in _GROUPS:
        flags, inner = (value[1], value[3]) if op is ops.SUBPATTERN else (0, value)
        return _with_flags(_sequence(inner), flags)
    return _one_of(op, value)


def _with_flags(loosened: str, flags: int) -> str:
    return f"(?{'i' if flags & re.IGNORECASE else ''}:{loosened})"


def _one_of(op: Any, value: Any) -> str:
    if op is ops.GROUPREF:
        return f"{_ANYTHING}*"
    if op is ops.ANY or op is ops.NOT_LITERAL:
        return _ANYTHING
    if op is not ops.IN:
        raise ValueError(f"No sieve can be made of {op}.")
    is_negated = any(kind is ops.NEGATE for kind, _ in value)
    names_kinds = any(kind is ops.CATEGORY for kind, _ in value)
    parts = [_member(kind, inner) for kind, inner in value if kind is not ops.NEGATE]
    if None in parts or (
        is_negated and names_kinds
    ):  # the kinds of characters differ a little between the two
        return _ANYTHING
    return f"[{'^' if is_negated else ''}{''.join(filter(None, parts))}]"


def _member(kind: Any, value: Any) -> str | None:
    """Return a member of a class of characters; None where RE2 has no word for it inside a class."""
    if kind is ops.LITERAL:
        return _character(value)
    if kind is ops.RANGE:
        return f"{_character(value[0])}-{_character(value[1])}"
    return _CATEGORIES.get(value)


def _character(code: int) -> str:
    return f"\\x{{{code:x}}}"


def _count(least: int, most: int) -> str:
    if most > _MOST_COUNTED:
        return "+" if least else "*"
    return f"{{{least},{most}}}"
