"""Text of others on a terminal: without control characters, which could move the cursor or worse."""

import unicodedata

HIDDEN = frozenset({"Cc", "Zl", "Zp"})
# Marks that reorder a line unseen.
REORDERING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


def plain_text(text: str) -> str:
    """Return the text as it may be printed; line feeds and tabs stay."""
    return "".join(sign for sign in text if sign in "\n\t" or not is_hidden(sign))


def plain_line(text: str) -> str:
    """Return the text on one line."""
    return " ".join(plain_text(text).split())


def is_hidden(sign: str) -> bool:
    return sign in REORDERING or unicodedata.category(sign) in HIDDEN
