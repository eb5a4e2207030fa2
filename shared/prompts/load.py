"""Every sentence that goes to a model or a user from us: one file each, the same names in zh and en.

A text is read once a process. Users' words are only ever joined to it; no template engine runs over
the two. `{label}` in a text stands for a label of the schema and is replaced by who uses the text.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Literal

Language = Literal["zh", "en"]


@cache
def load_prompt(language: Language, name: str) -> str:
    """Return the text `name` in a language, without the newline at its end."""
    return (resources.files(__package__) / language / f"{name}.md").read_text("utf-8").rstrip("\n")
