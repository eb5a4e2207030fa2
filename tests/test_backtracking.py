"""No compiled pattern of the product tries a text in exponentially many ways.

Every repeat of a pattern is fed 48 samples of what it repeats, and then a character that nothing expects. In
two ways each these are 2^48 tries, in one way a few thousand: a second of computing for one text lies far
from both, whatever machine runs it. What grows with the square of a text is `test_linear_time`'s. The
patterns of RE2 are not looked at: they take linear time by construction.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
import signal
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from itertools import islice, product
from re import _constants as ops  # type: ignore[attr-defined]  # the tree that every version of re builds
from re import _parser  # type: ignore[attr-defined]
from types import FrameType
from typing import Any, Final

import pytest

import api
import shared
import workers

TIMES: Final = 48
UNEXPECTED: Final = "\x1f"
MOST_SECONDS: Final = 1.0
FIRST_MATCH_ONLY: Final = frozenset({"shared.language.terms._TOKEN"})
"""Read by `finditer` alone: of a run of underscores the first way that it is tried in matches."""

_MOST_SAMPLES: Final = 12
_PAIRED: Final = 4
_MOST_DEPTH: Final = 4
_REPEATS: Final = {ops.MAX_REPEAT, ops.MIN_REPEAT, ops.POSSESSIVE_REPEAT}
_KINDS: Final = {
    ops.CATEGORY_SPACE: " ",
    ops.CATEGORY_DIGIT: "1",
    ops.CATEGORY_WORD: "a",
    ops.CATEGORY_NOT_SPACE: "a",
    ops.CATEGORY_NOT_WORD: "!",
    ops.CATEGORY_NOT_DIGIT: "a",
}


def compiled_patterns() -> dict[str, re.Pattern[str]]:
    """Return the patterns that modules hold, each by the first name that holds it."""
    found: dict[str, re.Pattern[str]] = {}
    seen: set[tuple[str, int]] = set()
    for package in (shared, api, workers):
        for module in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if module.name.endswith("__main__"):
                continue
            for name, value in vars(importlib.import_module(module.name)).items():
                for number, pattern in enumerate(_patterns_in(value, 0)):
                    if isinstance(pattern.pattern, str) and (pattern.pattern, pattern.flags) not in seen:
                        seen.add((pattern.pattern, pattern.flags))
                        found[f"{module.name}.{name}[{number}]"] = pattern
    return found


def _patterns_in(value: Any, depth: int) -> Iterator[re.Pattern[str]]:
    if isinstance(value, re.Pattern):
        yield value
    elif depth < _MOST_DEPTH and isinstance(value, (tuple, list, set, frozenset, dict)):
        for each in value.values() if isinstance(value, dict) else value:
            yield from _patterns_in(each, depth + 1)
    elif depth < _MOST_DEPTH and is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from _patterns_in(getattr(value, field.name, None), depth + 1)


def hostile(pattern: re.Pattern[str]) -> Iterator[str]:
    """Return texts that lead up to a repeat of the pattern and then repeat what it repeats."""
    for lead, pieces in _repeats(_parser.parse(pattern.pattern, pattern.flags), ""):
        few = pieces[:_PAIRED]
        for piece in [*pieces, *(one + other for one, other in product(few, few) if one != other)]:
            yield f"{lead}{piece * TIMES}{UNEXPECTED}"


def _repeats(tree: Iterable[tuple[Any, Any]], lead: str) -> Iterator[tuple[str, list[str]]]:
    """Return each unbounded repeat of a tree: a text that leads there, and samples of what it repeats."""
    for op, value in tree:
        if op is ops.BRANCH:
            for branch in value[1]:
                yield from _repeats(branch, lead)
        elif op in {ops.SUBPATTERN, ops.ATOMIC_GROUP}:
            yield from _repeats(value[3] if op is ops.SUBPATTERN else value, lead)
        elif op in {ops.ASSERT, ops.ASSERT_NOT}:
            yield from _repeats(value[1], lead)
        elif op in _REPEATS:
            pieces = [piece for piece in _samples(value[2]) if piece]
            if value[1] > _PAIRED and pieces:
                yield lead, pieces
            yield from _repeats(value[2], lead)
        lead += next(iter(_samples([(op, value)])), "")


def _samples(tree: Iterable[tuple[Any, Any]]) -> list[str]:
    """Return a few texts that a tree may match, shortest first; look-arounds are passed over."""
    found = [""]
    for op, value in tree:
        found = [before + after for before in found for after in _samples_of(op, value)]
        found = sorted(dict.fromkeys(found), key=len)[:_MOST_SAMPLES]
    return found


def _samples_of(op: Any, value: Any) -> list[str]:
    if op in {ops.LITERAL, ops.ANY, ops.NOT_LITERAL}:
        return [chr(value) if op is ops.LITERAL else "a"]
    if op is ops.IN:
        return ["a"] if value[0][0] is ops.NEGATE else list(islice(_members(value), _MOST_SAMPLES))
    if op is ops.BRANCH:
        return [each for branch in value[1] for each in _samples(branch)]
    if op in {ops.SUBPATTERN, ops.ATOMIC_GROUP}:
        return _samples(value[3] if op is ops.SUBPATTERN else value)
    if op in _REPEATS:
        least, _, inner = value
        return ([""] if least == 0 else []) + [each * max(least, 1) for each in _samples(inner)]
    return [""]


def _members(value: Iterable[tuple[Any, Any]]) -> Iterator[str]:
    for kind, inner in value:
        if kind is ops.LITERAL:
            yield chr(inner)
        elif kind is ops.RANGE:
            yield chr(inner[0])
        elif kind is ops.CATEGORY:
            yield _KINDS.get(inner, "a")


class _TooManyTriesError(Exception):
    """A pattern has used up its time of computing."""


def _stop(_signal: int, _frame: FrameType | None) -> None:
    raise _TooManyTriesError


def explodes(pattern: re.Pattern[str], *, is_whole: bool = True) -> str:
    """Return the text on which a pattern does not come to an end; empty where there is none."""
    before = signal.signal(signal.SIGVTALRM, _stop)  # the clock of this process: a busy machine stops none
    try:
        return next((text for text in hostile(pattern) if _runs_on(pattern, text, is_whole=is_whole)), "")
    finally:
        signal.signal(signal.SIGVTALRM, before)


def _runs_on(pattern: re.Pattern[str], text: str, *, is_whole: bool) -> bool:
    signal.setitimer(signal.ITIMER_VIRTUAL, MOST_SECONDS)
    try:
        pattern.search(text)
        if is_whole:
            pattern.fullmatch(text)
    except _TooManyTriesError:
        return True
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
    return False


@pytest.mark.parametrize(
    ("pattern", "is_wild"),
    [
        (r"(?:a|aa)*b", True),
        (r"x(?:\s*,?\s*)*y", True),
        (r"(?:请|你|请你)*记住", True),
        (r"(?:a|aa)*+b", False),
        (r"(?:请|你|麻烦)*记住", False),
        (r"\s*a+b", False),
    ],
)
def test_a_pattern_is_known_by_its_tries(pattern: str, is_wild: bool) -> None:
    assert bool(explodes(re.compile(pattern))) == is_wild


@pytest.mark.timeout(300)
def test_no_pattern_tries_a_text_in_exponentially_many_ways() -> None:
    patterns = compiled_patterns()
    assert len(patterns) > 500
    wild = {
        name: explodes(pattern, is_whole=name.partition("[")[0] not in FIRST_MATCH_ONLY)[:40]
        for name, pattern in patterns.items()
    }
    assert {name: text for name, text in wild.items() if text} == {}
