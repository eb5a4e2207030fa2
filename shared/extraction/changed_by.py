"""By how much a field changes: 预算加10万, "push the deadline back a week". Pure.

What it comes to is known only beside the value that stands, so that none of these is a value by itself.
All patterns are for folded text.
"""

# ruff: noqa: E501  (an alternation is read best on one line)
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Final

from shared.errors import InvalidInput
from shared.extraction.commands import MAX_READ_CLAUSES
from shared.extraction.guards import states_nothing
from shared.extraction.owners import is_others_label
from shared.extraction.pages import Page, Span
from shared.extraction.pattern_words import THIRD_PARTY
from shared.language.calendar_ranges import shift_days, shift_months
from shared.language.numbers import PERCENT, find_numbers
from shared.ltm.schema import Schema, SchemaPath, normalise_value

_UP_ZH: Final = r"增加|追加|上调|提高|提升|多加|涨|加"
_DOWN_ZH: Final = r"减少|削减|下调|降低|缩减|砍|减|降"
_LATER_ZH: Final = r"推迟|延迟|延后|延期|延长|顺延|往后(?:推|延|挪)"
_SOONER_ZH: Final = r"提前|提早|往前(?:推|挪)"
_BEHIND_ZH: Final = re.compile(
    rf"\s*(?:的?(?:上限|总额|额度|日期?))?(?:再|又|还|要|得|想|可以|给我|帮我|统一|已经|都|能)*(?:(?P<up>{_UP_ZH}|{_LATER_ZH})|(?P<down>{_DOWN_ZH}|{_SOONER_ZH}))(?:了|掉|上)?\s*(?:个)?(?=[\d一二两三四五六七八九十百半])"
)
_UP_EN: Final = r"increas(?:e|ed)|rais(?:e|ed)|bump(?:ed)?(?:\s+up)?|lift(?:ed)?|went\s+up|gone\s+up"
_DOWN_EN: Final = (
    r"cut|reduc(?:e|ed)|lower(?:ed)?|decreas(?:e|ed)|trim(?:med)?|slash(?:ed)?|went\s+down|gone\s+down"
)
_LATER_EN: Final = r"(?:mov(?:e|ed)|push(?:ed)?|shift(?:ed)?)(?!\s+(?:up|forward))|delay(?:ed)?|postpon(?:e|ed)|extend(?:ed)?|slip(?:ped)?"
_SOONER_EN: Final = r"bring\s+forward|brought\s+forward|move[d]?\s+up|pull(?:ed)?\s+in"
_VERB_EN: Final = rf"(?:(?P<up>{_UP_EN}|{_LATER_EN})|(?P<down>{_DOWN_EN}|{_SOONER_EN}))"
_BEFORE_EN: Final = re.compile(rf"\b{_VERB_EN}(?:\s+(?:back|out))?\s+(?:my|our|the)\s+(?:project\s+)?$")
_BY_EN: Final = re.compile(
    r"\s+(?:(?:back|out)\s+(?:by\s+)?|by\s+)(?:another\s+|about\s+|up\s+to\s+)?(?=[\d$€£¥]|an?\b|one\b|two\b|three\b|four\b|five\b|six\b|seven\b|ten\b|half\b)"
)
_BEHIND_EN: Final = re.compile(
    rf"\s+(?:(?:has|have|had|was|were|is|got|gets|been|being|just|now)\s+)*{_VERB_EN}(?={_BY_EN.pattern})"
)
_TIME: Final = re.compile(
    r"(?P<count>\d{1,3}|[一二两三四五六七八九十半]|an?|one|two|three|four|five|six|seven|ten)\s*个?(?P<unit>天|日|周|星期|礼拜|月|days?|weeks?|months?)"
)
_COUNTS: Final[dict[str, int]] = {
    **dict(zip("一二两三四五六七八九十", (1, 2, 2, 3, 4, 5, 6, 7, 8, 9, 10), strict=True)),
    "a": 1,
    "an": 1,
    "one": 1,
    "two": 2,
    "three": 3,
    "four": 4,
    "five": 5,
    "six": 6,
    "seven": 7,
    "ten": 10,
}
_SAYS_RESULT: Final = re.compile(r"到|至|成|为|\bto\b")
"""Behind the amount stands what it comes to: 增加10万到60万."""

_TOLD: Final = re.compile(r"说|听|\b(?<!i )(?:says?|said|tells?|told|claims?|heard|wants?)\b")
_TYPES: Final = frozenset({"number", "integer", "date"})
_DAYS: Final = {"天": 1, "日": 1, "周": 7, "星期": 7, "礼拜": 7, "day": 1, "week": 7}


@dataclass(frozen=True, slots=True)
class ChangedBy:
    """By how much a path changes: `by` in the path's own units, or a share of 1, or days, or months."""

    path: SchemaPath
    by: Decimal
    unit: str
    quote: str
    start: int
    end: int

    def applied_to(self, value: Any, *, today: date) -> Any | None:
        """Return the value that it makes of the one which stands; None where it makes none."""
        try:
            return normalise_value(self.path, str(self._reckoned(value)), today=today)
        except (InvalidInput, ValueError, ArithmeticError):
            return None

    def _reckoned(self, value: Any) -> Decimal | date | None:
        if self.unit == "day":
            return shift_days(date.fromisoformat(str(value)), int(self.by))
        if self.unit == "month":
            return shift_months(date.fromisoformat(str(value)), int(self.by))
        standing = Decimal(str(value))
        return standing * (1 + self.by) if self.unit == "share" else standing + self.by


def find_changed_by(page: Page, schema: Schema) -> tuple[ChangedBy, ...]:
    """Return by how much a message says that fields change, in order."""
    labels = [each for each in schema.find_folded_labels(page.folded) if each.path.type in _TYPES]
    found: list[ChangedBy] = []
    for label in labels[:MAX_READ_CLAUSES]:
        sentence = next((each for each in page.sentences if each.start <= label.start < each.end), None)
        clauses = sentence.clauses if sentence is not None else ()
        clause = next((each for each in clauses if each.start <= label.start < each.end), None)
        if sentence is None or clause is None or states_nothing(page, sentence, clause=clause):
            continue
        before = page.text[clause.start : label.start]
        if (
            _TOLD.search(before.lower())
            or THIRD_PARTY.search(before.lower())
            or is_others_label(before, path=label.path)
        ):
            continue
        found.extend(_read(page, clause, path=label.path, place=Span(label.start, label.end)))
    return tuple(found)


def _read(page: Page, clause: Span, *, path: SchemaPath, place: Span) -> Iterator[ChangedBy]:
    folded, end = page.folded, clause.end
    lead = _BEFORE_EN.search(folded, clause.start, place.start)
    behind = (
        None
        if lead
        else (_BEHIND_ZH.match(folded, place.end, end) or _BEHIND_EN.match(folded, place.end, end))
    )
    verb = lead or behind
    if verb is None:
        return
    begin = behind.end() if behind else place.end
    by = _BY_EN.match(folded, begin, end)
    begin = by.end() if by else begin
    if lead and by is None:
        return
    amount = _amount(page.text, folded=folded, span=Span(begin, end), path=path)
    if amount is None:
        return
    value, unit, stop = amount
    if _SAYS_RESULT.search(folded, stop, end):
        return
    signed = -value if verb["down"] else value
    yield ChangedBy(
        path, signed, unit, page.text[clause.start : clause.end].strip(), clause.start, clause.end
    )


def _amount(text: str, *, folded: str, span: Span, path: SchemaPath) -> tuple[Decimal, str, int] | None:
    """Return how much stands at the beginning of a stretch, its unit and where it ends."""
    if path.type == "date":
        time = _TIME.match(folded, span.start, span.end)
        if time is None or time["count"] == "半":
            return None
        count = int(time["count"]) if time["count"].isdigit() else _COUNTS[time["count"]]
        unit = time["unit"].rstrip("s")
        if unit in {"月", "month"}:
            return Decimal(count), "month", time.end()
        return Decimal(count * _DAYS[unit]), "day", time.end()
    number = next(iter(find_numbers(text[span.start : span.end])), None)
    if number is None or text[span.start : span.start + number.start].strip(" $€£¥￥约"):
        return None
    stop = span.start + number.end
    return (number.value / 100, "share", stop) if number.unit == PERCENT else (number.value, "amount", stop)
