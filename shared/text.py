"""What happens to text at the edge, once: refuse what cannot be stored, clean what cannot be seen, cut.

NUL and lone surrogates are refused, since some store or encoder down the line fails on them. A byte
order mark and zero-width spaces are dropped, since they hide commands (记<ZWSP>住). The zero-width
joiners stay: emoji and several scripts are spelled with them. Normal forms are kept as typed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from shared.errors import InvalidInput

_UNSEEN = re.compile("[\ufeff\u200b\u2060\u180e]")


def clean_text(text: str, *, field: str) -> str:
    """Return `text` without invisible marks.

    Raises:
        InvalidInput: the text holds NUL or half of a surrogate pair; `field` is named.
    """
    if "\x00" in text:
        raise InvalidInput(f"{field} contains a NUL character; remove it and send again.", field=field)
    if _holds_half_pair(text):
        raise InvalidInput(
            f"{field} contains half of a surrogate pair (a broken emoji?); remove it and send again.",
            field=field,
        )
    return text if text.isascii() else _UNSEEN.sub("", text)


def clip_text(text: str, max_chars: int) -> str:
    """Return `text` cut to `max_chars`, its last character an ellipsis where something was cut."""
    return text if len(text) <= max_chars else text[: max_chars - 1] + "…"


def cut_texts(text: str, spans: Iterable[str]) -> str:
    """Return `text` without the given pieces of it."""
    for span in spans:
        text = text.replace(span, " ") if span else text
    return text


def ends_of(text: str, most_chars: int) -> str:
    """Return `text`, of a longer one its first and its last `most_chars / 2`, on two lines."""
    half = most_chars // 2
    return text if len(text) <= most_chars else f"{text[:half]}\n{text[-half:]}"


def _holds_half_pair(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False
