"""What a correction puts in place of a field's value, or of a remembered sentence. Pure.

To whom the words are said is for the caller; here they are read as a value of just that, or not at all.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from shared.extraction.assignments import Reader, read_value
from shared.extraction.corrections import Correction
from shared.extraction.field_shapes import value_shape
from shared.extraction.pages import Span, read_page
from shared.extraction.value_shapes import Shaped, find_shaped
from shared.extraction.value_swaps import may_replace, swap_named, swap_shaped
from shared.extraction.worded_swaps import swap_worded
from shared.language.scripts import fold_aligned
from shared.ltm.schema import SchemaPath
from shared.ltm.slots import contradicts
from shared.ltm.tombstones import normal_value

MAX_STATED_CHARS: Final = 80
MAX_NEW_WORDS: Final = 4
MAX_NEW_CHARS: Final = 16
_SCALE_GAP: Final = 10
_SCALED_FROM: Final = 10_000
"""What is as large is often said in thousands or 万."""

_TELLS_MORE: Final = re.compile(r"\b(?:who|where|which|whose|that)\b", re.IGNORECASE)
"""It is Tom who sings: the new words say more than a value."""

_PREPOSITION: Final = re.compile(r"(?:on|at|in|by|around|about|with|from|for|to)\s")


def corrected_value(correction: Correction, path: SchemaPath, *, standing: Any, reader: Reader) -> Any | None:
    """The value that a correction gives a field; None where it gives none, or takes back another value."""
    is_text = path.type in {"string", "string[]"}
    is_free = is_text and value_shape(path) is None
    if not correction.new or (is_free and not _is_whole(correction)):
        return None
    if is_text and not _is_of_its_shape(correction.new, standing):
        return None
    if path.is_list:
        return _corrected_items(correction, standing)
    value = _read(correction.new, path=path, reader=reader)
    if correction.old:
        return value if names_value(correction, path, value=standing, reader=reader) else None
    is_part = path.type == "date" and any(each.is_year for each in find_shaped(correction.new))
    return None if is_part or _lacks_scale(correction.new, value, standing=standing) else value


def _is_whole(correction: Correction) -> bool:
    """True of a few words that are said to be the value, as free text needs."""
    is_apart = _PREPOSITION.match(fold_aligned(correction.new)) is not None
    return correction.is_worded and _is_short(correction.new) and not is_apart


def _is_of_its_shape(new: str, standing: Any) -> bool:
    """True where a day or a figure takes the place of one; 2026 is neither a name nor PROJ-7."""
    items = standing if isinstance(standing, list | tuple) else [standing]
    held = [shaped for item in items if isinstance(item, str) for shaped in find_shaped(item)]
    return all(_has_place(value, held) for value in find_shaped(new) if value.shapes != {"code"})


def _has_place(value: Shaped, held: Iterable[Shaped]) -> bool:
    return any(may_replace(value, old) for old in held)


def _lacks_scale(said: str, value: Any, *, standing: Any) -> bool:
    """True of a bare 60 in the place of 550,000: nobody knows of what it is 60."""
    if not (isinstance(value, int | float) and isinstance(standing, int | float)):
        return False
    is_small = abs(value) * _SCALE_GAP <= abs(standing) and abs(standing) >= _SCALED_FROM
    return is_small and not any(each.is_scaled for each in find_shaped(said))


def names_value(correction: Correction, path: SchemaPath, *, value: Any, reader: Reader) -> bool:
    """True where a correction takes back just this value of a field."""
    old = _read(correction.old, path=path, reader=reader) if correction.old else None
    return old is not None and normal_value(old) == normal_value(value)


def _read(said: str, *, path: SchemaPath, reader: Reader) -> Any | None:
    page = read_page(said)
    return read_value(page, Span(0, len(said)), path=path, reader=reader)


def _corrected_items(correction: Correction, standing: Any) -> list[Any] | None:
    """A list with the item that is taken back replaced; the last one where none is named."""
    items = list(standing) if isinstance(standing, list | tuple) else []
    named = [item for item in items if normal_value(item) == normal_value(correction.old)]
    wrong = named[0] if named else items[-1] if items and not correction.old else None
    return None if wrong is None else [correction.new if item == wrong else item for item in items]


def corrected_text(correction: Correction, text: str) -> str | None:
    """A memory's text as a correction puts it; None where the correction is of something else, or unclear."""
    if len(text) > MAX_STATED_CHARS or _TELLS_MORE.search(correction.new):
        return None
    if correction.whole and contradicts(text, correction.whole, is_change=True):
        if not _takes_back(correction, text):
            return None
        return swap_shaped(text, correction.whole) or correction.whole
    if not correction.new:
        return swap_shaped(text, correction.whole) if correction.whole and not correction.old else None
    if correction.old:
        return swap_named(text, correction.old, new=correction.new)
    swapped = swap_shaped(text, correction.new)
    if swapped is None and correction.is_worded and _is_short(correction.new):
        swapped = swap_worded(text, correction.new)
    return swapped


def _takes_back(correction: Correction, text: str) -> bool:
    """True where what a correction takes back, if it says so at all, is what the text says."""
    if correction.old and fold_aligned(correction.old) not in fold_aligned(text):
        return False
    return not correction.denied or contradicts(text, correction.denied, is_change=True)


def _is_short(new: str) -> bool:
    return len(new.split()) <= MAX_NEW_WORDS if new.isascii() else len(new) <= MAX_NEW_CHARS
