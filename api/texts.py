"""What a value from outside must be to be kept: text and JSON that every store can hold, times in range."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import Annotated, Any

from pydantic import AfterValidator, AwareDatetime, Field

from shared.errors import InvalidInput
from shared.text import clean_text

MAX_DEPTH = 32
_EARLIEST = datetime(1970, 1, 2, tzinfo=UTC)
_LATEST = datetime(2200, 1, 1, tzinfo=UTC)


def clean_words(text: str) -> str:
    """Return `text` without invisible marks. Raises `ValueError` for what cannot be stored."""
    try:
        return clean_text(text, field="this text")
    except InvalidInput as error:
        raise ValueError(error.detail.rstrip(".")) from None


def clean_json(value: Any, depth: int = 0) -> Any:
    """Return a JSON value whose texts can be stored, all of them, names included.

    Raises:
        ValueError: a text holds NUL or half a surrogate pair, a number is no number, or it nests too deep.
    """
    if depth > MAX_DEPTH:
        raise ValueError(f"it nests deeper than {MAX_DEPTH} levels")
    if isinstance(value, str):
        return clean_words(value)
    if isinstance(value, float) and not math.isfinite(value):
        raise ValueError("NaN and Infinity are no JSON numbers")
    if isinstance(value, list):
        return [clean_json(item, depth + 1) for item in value]
    if isinstance(value, dict):
        return {clean_words(str(name)): clean_json(item, depth + 1) for name, item in value.items()}
    return value


def _in_range(moment: datetime) -> datetime:
    if not _EARLIEST <= moment < _LATEST:
        raise ValueError("times lie between 1970 and 2200")
    return moment


def _not_blank(text: str) -> str:
    if not text.strip():
        raise ValueError("it is blank; say something")
    return text


Text = Annotated[str, AfterValidator(clean_words)]
Words = Annotated[Text, AfterValidator(_not_blank)]
Json = Annotated[Any, AfterValidator(clean_json)]
Moment = Annotated[AwareDatetime, Field(strict=False), AfterValidator(_in_range)]
