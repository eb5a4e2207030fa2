"""Values of fields: of the right path and type, standing in the quote, said of that field. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date
from typing import Any, Final

from shared.errors import InvalidInput
from shared.extraction.evidence_checks import Reason
from shared.extraction.evidence_words import NAMES_SELF, WORKS_AS
from shared.extraction.field_shapes import value_shape
from shared.extraction.items import Item
from shared.extraction.pattern_words import DUE
from shared.extraction.quotes import Clause
from shared.language.dates import DateSpan, find_dates
from shared.language.numbers import canonical_number, find_numbers
from shared.language.scripts import fold
from shared.ltm.schema import Schema, SchemaPath, normalise_value
from shared.stm.key_facts import kind_of_clause

_PER_PERSON: Final = re.compile(r"人均|每人|一个人|每位|\b(?:per (?:person|head|capita)|each|a head)\b")
_BUDGET: Final = re.compile(r"预算|上限|经费|封顶|\b(?:budget|cap|ceiling|limit|spend)\b")
_EXCLUDES: Final = re.compile(
    r"排除|不用|不要|不考虑|弃用|\b(?:exclud(?:e|ed|es|ing)|avoid|rule[sd]? out|without|no)\b"
)
_CONTACT: Final = frozenset({"email", "phone"})


def read_item_value(
    item: Item, quote: str, *, clauses: Sequence[Clause], schema: Schema, day: date
) -> tuple[Any, Reason | None]:
    """The value that an item would store, in its normal form, or why it may not be stored.

    A text to remember needs no path and is its own value.
    """
    if item.op == "remember":
        return item.text, None
    path = next((each for each in schema.paths if each.path == item.path), None)
    if path is None or path.policy == "never" or (item.op != "set") != path.is_list:
        return None, "path"
    try:
        value = normalise_value(path, _raw(item), today=day)
    except InvalidInput:
        return None, "value"
    words = " ".join(clause.folded for clause in clauses)
    if path.is_list and isinstance(value, list):
        value = value[0] if len(value) == 1 else value
    if not _stands(path, value, quote=quote, day=day):
        return None, _missing(value)
    return (value, None) if _is_said_of(path, words) else (None, "label")


def _raw(item: Item) -> Any:
    return item.text if item.value is None else item.value


def _stands(path: SchemaPath, value: Any, *, quote: str, day: date) -> bool:
    if isinstance(value, list):
        return bool(value) and all(_stands(path, each, quote=quote, day=day) for each in value)
    if isinstance(value, bool):
        return False
    if isinstance(value, int | float):
        wanted = canonical_number(abs(_decimal(value)))
        return any(canonical_number(abs(number.value)) == wanted for number in find_numbers(quote))
    if path.type in {"date", "datetime"}:
        return any(_means(path, span, value=str(value), day=day) for span in find_dates(quote, today=day))
    return isinstance(value, str) and _holds_whole(fold(quote), fold(value))


def _means(path: SchemaPath, span: DateSpan, *, value: str, day: date) -> bool:
    """Whether a date of the quote is a value, as said or as the field reads it (a deadline lies ahead)."""
    if value[:10] in {span.start.isoformat(), span.end.isoformat()}:
        return True
    try:
        return path.type == "date" and normalise_value(path, span.quote, today=day) == value
    except InvalidInput:
        return False


def _decimal(value: float) -> Any:
    found = find_numbers(repr(value))
    return found[0].value if found else value


def _holds_whole(text: str, value: str) -> bool:
    pattern = rf"(?<![a-z0-9]){re.escape(value)}(?![a-z0-9])" if value else r"(?!)"
    return re.search(pattern, text) is not None


def _missing(value: Any) -> Reason:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return "number"
    is_day = isinstance(value, str) and re.fullmatch(r"\d{4}-\d\d-\d\d.*", value)
    return "date" if is_day else "value"


def _is_said_of(path: SchemaPath, words: str) -> bool:
    """Whether the clause speaks of the field at all: its label, its cue, or a value of its own shape."""
    if any(label.path.path == path.path for label in Schema(paths=(path,)).find_folded_labels(words)):
        return True
    leaf = path.leaf
    if path.expires == "deadline":
        return DUE.search(words) is not None
    if path.is_list:
        excludes = leaf.startswith("excluded") and _EXCLUDES.search(words) is not None
        return excludes or kind_of_clause(words) is not None
    cues = {"name": NAMES_SELF, "role": WORKS_AS, "per_person": _PER_PERSON, "ceiling": _BUDGET}
    cue = cues.get(leaf)
    return (cue is not None and cue.search(words) is not None) or value_shape(path) in _CONTACT
