"""Answers to several proposals, part by part: 第一个对，第二个改成5月2日 / "yes, but it is May 2". Pure.

A part says yes or no to what it names, or gives it another value; a bare yes is for all that no part names.
Where any part is something else, the message answers nothing, and what it states is read as said anew.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, tzinfo
from typing import Any, Final

from shared.extraction import consent_words as words
from shared.extraction.answers import MAX_ANSWER_CHARS, answer_for, read_consent
from shared.extraction.picks import place_of
from shared.extraction.statements import find_statements
from shared.ltm.schema import Schema
from shared.model.pending import PendingUpdate
from shared.turn.reading import picked

_A_LIST: Final = 2
_ASKS: Final = re.compile(r"[?？吗呢]\s*$")
_BUT: Final = re.compile(
    r"^(?:[\s，,。.；;]|不过|但是?|只是|然后|\b(?:but|and|only|though)\b)+|[\s，,。.；;]+$", re.IGNORECASE
)
_THEN_BUT: Final = re.compile(r"(?<=[，,；;。.\s])(?:不过|但是?|只是|but\s)", re.IGNORECASE)
_EDIT: Final = re.compile(
    r"(?:把|\b(?:make|change|set|put)\s+)?(?:the\s+)?(?P<which>"
    + "|".join(sorted(map(re.escape, words.ORDINALS), key=len, reverse=True))
    + r")(?:\s+one)?\s*(?:应该)?(?:改成|改为|换成|记成|是|为|:|：|=|(?:is|should\s+be|to|as)\s)?"
    r"\s*(?P<value>.+)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Mixed:
    """What an answer decides of the updates asked about, by id, and the values that it gives instead."""

    decided: dict[str, bool] = field(default_factory=dict)
    values: dict[str, Any] = field(default_factory=dict)


def read_mixed(
    text: str, asked: Sequence[PendingUpdate], *, schema: Schema, today: date, zone: tzinfo | None = None
) -> Mixed:
    """Return what each part of an answer says; nothing where one is no answer, or none gives a value."""
    if len(asked) < _A_LIST or len(text) > MAX_ANSWER_CHARS or _ASKS.search(text):
        return Mixed()
    places = {update.path: update for update in asked if update.path is not None and update.op == "set"}
    mixed, left = Mixed(), _THEN_BUT.sub("", text)
    for said in reversed(find_statements(left, schema=schema, today=today, zone=zone)):
        update = places.get(said.path)
        if update is None:
            return Mixed()
        mixed.values[update.id] = said.value
        left = f"{left[: said.start]}，{left[said.end :]}"
    is_yes = False
    for part in (_BUT.sub("", each) for each in words.PICK_BREAK.split(left)):
        consent = read_consent(part)
        if consent.picks:
            mixed.decided.update(picked(consent, asked, schema=schema))
        elif consent.answer == "yes":
            is_yes = True
        elif (
            part
            and consent.answer == "none"
            and not _take_value(part, asked, mixed=mixed, schema=schema, today=today)
        ):
            return Mixed()
    if not mixed.values:
        return Mixed()
    others = {update.id: True for update in asked if is_yes}
    decided = {**others, **mixed.decided}
    return Mixed({key: value for key, value in decided.items() if key not in mixed.values}, mixed.values)


def _take_value(
    part: str, asked: Sequence[PendingUpdate], *, mixed: Mixed, schema: Schema, today: date
) -> bool:
    """Take the value that a part gives one of the list: 第二个改成12月25日, "make the second May 2"."""
    edit = _EDIT.fullmatch(part)
    place = place_of(words.ORDINALS[edit["which"].lower()], count=len(asked)) if edit else None
    if edit is None or place is None or asked[place].path is None or asked[place].op != "set":
        return False
    value = answer_for(asked[place].path or "", edit["value"], schema=schema, today=today)
    if value is None:
        return False
    mixed.values[asked[place].id] = value
    return True
