"""Masks: what a secret becomes wherever it is kept, and how audit shows sensitive values.

110101199003071234 -> 110101********1234, a card keeps its last four digits, passwords and keys keep
nothing that helps. dev@abc.com -> d***@abc.com, 13812345678 -> 138****5678. Invariant: no secret stands
in what `mask_secrets` returns, and masking twice changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from shared.ltm.schema import Schema
from shared.model.memory import Sensitivity
from shared.privacy.classify import SensitiveKind, find_sensitive

MASK: Final = "******"
_SHORT_PHONE_DIGITS: Final = 9
_LONG_ID_CHARS: Final = 15
_KEY_PREFIXES: Final = ("sk-", "ghp_", "xox", "AKIA", "AIza", "glpat-", "hf_", "bl_")
_MAX_ROUNDS: Final = 4


def mask_secrets(text: str) -> str:
    """The text with every secret masked in place; sensitive contacts stand as they are."""
    for _ in range(_MAX_ROUNDS):
        masked = _mask_once(text)
        if masked == text:
            return text
        text = masked
    return text


def mask_value(value: Any, sensitivity: Sensitivity) -> Any:
    """A field's value as audit shows it: public and internal ones whole, the others masked by their shape."""
    if sensitivity in {"public", "internal"} or value is None:
        return mask_secrets(value) if isinstance(value, str) else value
    if sensitivity == "secret":
        return _mask_text(value) if isinstance(value, str) and find_sensitive(value) else MASK
    if isinstance(value, str):
        return _mask_text(value)
    if isinstance(value, list | tuple):
        return [mask_value(item, sensitivity) for item in value]
    return MASK


def field_masker(schema: Schema) -> Callable[[str, Any], Any]:
    """Return what masks a value, or a quote, by the sensitivity of its path."""
    return lambda path, value: mask_value(value, schema.find(path).sensitivity)


def mask_kind(text: str, kind: SensitiveKind) -> str:
    """One sensitive thing of a known kind, masked."""
    return _MASKS[kind](text)


def _mask_once(text: str) -> str:
    pieces, position = [], 0
    for span in find_sensitive(text):
        if span.level != "secret":
            continue
        pieces += [text[position : span.start], mask_kind(text[span.start : span.end], span.kind)]
        position = span.end
    return "".join([*pieces, text[position:]])


def _mask_text(text: str) -> str:
    """All that is sensitive in a text masked; a text in which nothing is keeps its first character."""
    spans = find_sensitive(text)
    if not spans:
        return text[:1] + "***" if len(text) > 1 else "***"
    pieces, position = [], 0
    for span in spans:
        pieces += [text[position : span.start], mask_kind(text[span.start : span.end], span.kind)]
        position = span.end
    return "".join([*pieces, text[position:]])


def _mask_middle(text: str, *, first: int, last: int) -> str:
    places = [index for index, ch in enumerate(text) if ch.isalnum()]
    hidden = set(places[first : len(places) - last])
    return "".join("*" if index in hidden else ch for index, ch in enumerate(text))


def _mask_id(text: str) -> str:
    """An identity number keeps its region and last four; of a shorter one that would be nearly all of it."""
    is_short = sum(ch.isalnum() for ch in text) < _LONG_ID_CHARS
    return MASK if is_short else _mask_middle(text, first=6, last=4)


def _mask_card(text: str) -> str:
    return _mask_middle(text, first=0, last=4)


def _mask_phone(text: str) -> str:
    is_short = sum(ch.isdigit() for ch in text) < _SHORT_PHONE_DIGITS
    return _mask_middle(text, first=0 if is_short else 3, last=2 if is_short else 4)


def _mask_email(text: str) -> str:
    name, _, place = text.replace("＠", "@").rpartition("@")
    return f"{name[:1]}***@{place}"


def _mask_key(text: str) -> str:
    return next((prefix for prefix in _KEY_PREFIXES if text.startswith(prefix)), "") + MASK


def _mask_all(_text: str) -> str:
    return MASK


_MASKS: Final = {
    "id_number": _mask_id,
    "card": _mask_card,
    "password": _mask_all,
    "api_key": _mask_key,
    "phone": _mask_phone,
    "email": _mask_email,
}
