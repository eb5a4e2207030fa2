"""Texts that say no more than what a field holds: 我的项目预算是五十五万 beside a budget of 550000. Pure.

A text restates a value where it names the field (its label, or a cue: 叫, "works as"), gives just this value in
whatever form, and no word is left over. One that says more (预算55万，其中20万给市场), speaks of somebody else or
denies it is another statement.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from datetime import date
from decimal import Decimal
from typing import Any, Final

from shared.errors import InvalidInput
from shared.extraction.evidence_words import AT_MOST
from shared.extraction.field_shapes import value_shape
from shared.extraction.polarity import denies
from shared.extraction.support import content_units, people_in, strip_values
from shared.language.dates import find_dates
from shared.language.numbers import find_numbers
from shared.language.scripts import fold_aligned
from shared.ltm.schema import SchemaPath, normalise_value
from shared.ltm.telling import VALUE_CUES, item_pattern, names_pattern, plain_text

MAX_CHARS: Final = 200
_CURRENCY: Final = re.compile(r"人民币|美元|元|块钱?|\b(?:yuan|rmb|cny|usd|eur|dollars?|euros?)\b|[$¥￥€£]")
_FRAME: Final = re.compile(
    r"用户|本人|项目|公司|我司|本次|本期|目前|设定|定在|定为|设为|确定|更新|改为|改成|保存|记录|联系|限制|控制|限定|截至|完成|阶段|处于|处在"
    r"|\b(?:project|company|team|set|fixed|limited|capped|contact|current|total|value|field|recorded|now|due|on|by|stage|phase)\b"
)
"""Words beside a label that make no other fact of it."""

_OTHER: Final = re.compile(r"[每各]|已用|用[了掉去完]|以前|之前|\b(?:each|every|per|used|spent)\b")
"""Words that make one: 每个项目预算55万, "we used 550k of the budget"."""

_BY_THEN: Final = re.compile(r"\s*[之以]?前")


def restates_field(text: str, path: SchemaPath, *, value: Any, day: date) -> bool:
    """True where a text says no more than that the field has this value; `day` is the day it was said."""
    rest = _without_value(text, path, value=value, day=day) if 0 < len(text) <= MAX_CHARS else None
    if rest is None or denies(rest) or people_in(rest) or _OTHER.search(rest) or strip_values(rest) != rest:
        return False
    names, cue = names_pattern(path), VALUE_CUES.get(path.leaf)
    is_named = value_shape(path) is not None or names.search(rest) is not None
    if not is_named and (cue is None or cue.search(rest) is None):
        return False
    rest = names.sub(" ", rest)
    rest = rest if cue is None else cue.sub(" ", rest)
    return not content_units(_FRAME.sub(" ", rest))


def _without_value(text: str, path: SchemaPath, *, value: Any, day: date) -> str | None:
    """The folded text without the value; None where it gives another one, or none."""
    folded = fold_aligned(text).replace("’", "'")
    if path.type in {"number", "integer"}:
        return _without_number(text, folded, value=value)
    if path.type == "date":
        return _without_day(text, folded, path=path, value=value, day=day)
    items = value if isinstance(value, list | tuple) else [value]
    if path.type not in {"string", "string[]"} or not items:
        return None
    for item in sorted((plain_text(str(item)) for item in items), key=len, reverse=True):
        if not item or (place := item_pattern(item).search(folded)) is None:
            return None
        folded = f"{folded[: place.start()]} {folded[place.end() :]}"
    return folded


def _without_number(text: str, folded: str, *, value: Any) -> str | None:
    found = find_numbers(text)
    if len(found) != 1 or isinstance(value, bool) or not isinstance(value, int | float):
        return None
    if found[0].value != Decimal(str(value)):
        return None
    rest = f"{folded[: found[0].start]} {folded[found[0].end :]}"
    return _CURRENCY.sub(" ", AT_MOST.sub(" ", rest))


def _without_day(text: str, folded: str, *, path: SchemaPath, value: Any, day: date) -> str | None:
    found = find_dates(text, today=day)
    if len(found) != 1:
        return None
    try:
        said = normalise_value(path, found[0].quote, today=day)
    except InvalidInput:
        return None
    if said != value:
        return None
    by_then = _BY_THEN.match(folded, found[0].text_end)
    end = by_then.end() if by_then else found[0].text_end
    return f"{folded[: found[0].text_start]} {folded[end:]}"
