"""The shapes that values of fields have: e-mail, telephone, identifier, or plain text. Pure."""

from __future__ import annotations

import re
from typing import Final, Literal

from shared.extraction.pages import Span
from shared.ltm.schema import SchemaPath

_PHONE_DIGITS: Final = (7, 15)
_IDENTIFIER_CHARS: Final = (3, 64)
_EMAIL: Final = re.compile(r"(?<![\w.+'-])[\w.+'-]++@[\w-]+(?:\.[\w-]+)+", re.ASCII)
_PHONE: Final = re.compile(r"\+?\(?\d[\d\- ()]{5,18}\d", re.ASCII)
_IDENTIFIER: Final = re.compile(r"#?[a-z0-9]+(?:[-_/.#][a-z0-9]+)*", re.ASCII)
_SHAPES: Final = {"email": _EMAIL, "phone": _PHONE, "identifier": _IDENTIFIER}


def value_shape(path: SchemaPath) -> Literal["email", "phone", "identifier"] | None:
    """The shape that a path's values have, by the last word of it; None for plain text."""
    leaf = path.leaf
    if path.type != "string":
        return None
    if leaf in {"email", "phone"}:
        return "email" if leaf == "email" else "phone"
    return "identifier" if leaf.endswith(("_id", "_no", "_number", "_code")) or leaf == "id" else None


def find_shape(folded: str, path: SchemaPath) -> Span | None:
    """Where the first thing of the path's shape stands in a folded text."""
    shape = value_shape(path)
    if shape is None:
        return None
    for match in _SHAPES[shape].finditer(folded):
        if is_shaped(match[0], shape):
            return Span(*match.span())
    return None


def is_shaped(token: str, shape: str) -> bool:
    """True where a token that matches a shape's pattern is really of it: identifiers hold a digit."""
    digits = sum(ch.isdigit() for ch in token)
    if shape == "phone":
        return _PHONE_DIGITS[0] <= digits <= _PHONE_DIGITS[1]
    return shape == "email" or (digits > 0 and _IDENTIFIER_CHARS[0] <= len(token) <= _IDENTIFIER_CHARS[1])


def is_plain_text(path: SchemaPath) -> bool:
    """True for a text of no shape: a name, a role, a phase."""
    return path.type == "string" and value_shape(path) is None
