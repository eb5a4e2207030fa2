"""Every sentence that goes to a model or a user from us: one file each, the same names in zh and en.

A text is read once a process. Users' words are only ever joined to it; no template engine runs over
the two. A name in braces (`{label}`) is a gap of our own text; what fills one gap is never looked at again.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Literal

Language = Literal["zh", "en"]
_GAP = re.compile(r"\{([a-z]+)\}")


@cache
def load_prompt(language: Language, name: str) -> str:
    """Return the text `name` in a language, without the newline at its end."""
    return (resources.files(__package__) / language / f"{name}.md").read_text("utf-8").rstrip("\n")


def fill_prompt(language: Language, name: str, *, gaps: Mapping[str, str]) -> str:
    """Return the text `name` with its gaps filled; braces in what fills them stand as they are."""
    pieces = _GAP.split(load_prompt(language, name))
    return "".join(gaps[piece] if place % 2 else piece for place, piece in enumerate(pieces))
