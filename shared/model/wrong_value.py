"""What is wrong with a value from outside, in JSON's words: text, number, list, object, true or false. Pure.

Pydantic tells it in Python's words, and names the branches of a union among the names of the document.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

MAX_PLACE_CHARS: Final = 200
_NO_NAME: Final = re.compile(r"\(|\[|function-|constrained-|nullable|(?:list|tuple|dict|union)\[")
_OWN: Final = "Value error, "
_QUOTED: Final = re.compile(r"'([^']*)'")

_HELD: Final = {"List": "item", "Tuple": "item", "Set": "item", "Dictionary": "name"}
"""What is counted of a value; of a text, characters."""

Context = Mapping[str, Any]


def place_of(where: Sequence[int | str]) -> str:
    """Return the place of a value as `messages.0.content`; empty for the document itself."""
    names = [str(part) for part in where if isinstance(part, int) or not _NO_NAME.match(part)]
    return ".".join(names)[:MAX_PLACE_CHARS]


def tell_wrong(place: str, error: Context) -> str:
    """Return the sentence that says what the value at a place must be; `error` is a pydantic error.

    A message of our own stands as it is.
    """
    message = str(error["msg"])
    if message.startswith(_OWN):
        return f"{place}: {message.removeprefix(_OWN)}."
    kind = str(error["type"])
    told = _WORDS.get(kind) or next((words for start, words in _KINDS if kind.startswith(start)), message)
    return f"{place} {told if isinstance(told, str) else told(error.get('ctx', {}))}."


def _one_of(context: Context) -> str:
    expected = str(context.get("expected", ""))
    return "must be " + _QUOTED.sub(r"\1", expected)


def _size(name: str, bound: str) -> Callable[[Context], str]:
    def tell(context: Context) -> str:
        count = context[name]
        noun = _HELD.get(str(context.get("field_type")), "character")
        return f"must have {bound} {count} {noun}{'' if count == 1 else 's'}" if count else "must be empty"

    return tell


def _bound(name: str, words: str) -> Callable[[Context], str]:
    def tell(context: Context) -> str:
        bound = context[name]
        is_whole = isinstance(bound, float) and bound.is_integer()
        return f"must be {words} {int(bound) if is_whole else bound}"

    return tell


_OBJECT: Final = "must be an object"
_WORDS: Final[Mapping[str, str | Callable[[Context], str]]] = {
    "missing": "is missing",
    "extra_forbidden": "is no name that is known here",
    "dict_type": _OBJECT,
    "mapping_type": _OBJECT,
    "model_type": _OBJECT,
    "model_attributes_type": _OBJECT,
    "none_required": "must be null",
    "literal_error": _one_of,
    "enum": _one_of,
    "too_short": _size("min_length", "at least"),
    "too_long": _size("max_length", "at most"),
    "string_too_short": _size("min_length", "at least"),
    "string_too_long": _size("max_length", "at most"),
    "string_pattern_mismatch": lambda context: f"must match {context['pattern']}",
    "greater_than": _bound("gt", "more than"),
    "greater_than_equal": _bound("ge", "at least"),
    "less_than": _bound("lt", "less than"),
    "less_than_equal": _bound("le", "at most"),
    "finite_number": "must be a finite number",
    "string_unicode": "holds half of a surrogate pair (a broken emoji?); remove it and send again",
    "timezone_aware": "must name its time zone, as 2026-03-01T09:00:00Z does",
}
_KINDS: Final = (
    ("string_", "must be a text"),
    ("int_", "must be a whole number"),
    ("float_", "must be a number"),
    ("decimal_", "must be a number"),
    ("bool_", "must be true or false"),
    ("list_", "must be a list"),
    ("tuple_", "must be a list"),
    ("set_", "must be a list"),
    ("frozen_set_", "must be a list"),
    ("datetime_", "must be a time, as 2026-03-01T09:00:00Z"),
    ("date_", "must be a day, as 2026-03-01"),
    ("model_", _OBJECT),
)
