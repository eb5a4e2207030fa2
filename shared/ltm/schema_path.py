"""One place of the schema: a dotted path, its type, its names in both languages, and how it is treated.

A label is what the product calls the field (the first one of a language is shown); an alias is what users
also call it. `expires` is "deadline" (the value itself is the last day), a time to live in seconds, or None.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal

from pydantic import BeforeValidator, Field, field_validator

from shared.model.base import Value
from shared.model.memory import Sensitivity

FieldType = Literal["string", "integer", "number", "boolean", "date", "datetime", "string[]", "object"]
Policy = Literal["auto", "confirm", "never"]
Priority = Literal["high", "normal", "low"]
Ask = Literal["never", "when_mentioned"]

MAX_PATH_CHARS: Final = 128
PRIORITY_ORDER: Final[dict[Priority, int]] = {"high": 0, "normal": 1, "low": 2}
MAX_LABEL_CHARS: Final = 64
_PATH: Final = re.compile(r"[a-z][a-z0-9_]*(?:\.[a-z][a-z0-9_]*)*")


def _read_expiry(raw: Any) -> Any:
    if raw == "path is a deadline":
        return "deadline"
    if raw is None or raw == "deadline" or (type(raw) is int and raw > 0):
        return raw
    raise ValueError('it is "deadline", a time to live in whole seconds, or null')


Label = Annotated[str, Field(min_length=1, max_length=MAX_LABEL_CHARS)]
Expires = Annotated[
    Literal["deadline"] | Annotated[int, Field(gt=0, strict=True)] | None, BeforeValidator(_read_expiry)
]


class Labels(Value):
    """The names of a path in the two languages, the shown one first."""

    zh: tuple[Label, ...] = ()
    en: tuple[Label, ...] = ()


class SchemaPath(Value):
    """A field that may be stored."""

    path: str = Field(max_length=MAX_PATH_CHARS)
    type: FieldType
    labels: Labels = Labels()
    aliases: tuple[Label, ...] = ()
    sensitivity: Sensitivity = "internal"
    policy: Policy = "confirm"
    priority: Priority = "normal"
    expires: Expires = None
    ask: Ask = "never"
    required_for: tuple[str, ...] = ()

    @field_validator("path")
    @classmethod
    def _check_path(cls, path: str) -> str:
        if not _PATH.fullmatch(path):
            raise ValueError("a path is lower-case words of letters, digits and _, joined by dots")
        return path

    @property
    def is_list(self) -> bool:
        """True where the field holds several strings, to which items are appended."""
        return self.type == "string[]"

    @property
    def is_money(self) -> bool:
        """True where the field holds an amount of money, by its path."""
        return any(word in self.path for word in ("budget", "cost", "price"))

    @property
    def may_be_negative(self) -> bool:
        """False for a budget: nobody has less than nothing to spend."""
        return "budget" not in self.path

    @property
    def leaf(self) -> str:
        """The last word of the path: `ceiling` of `business_context.budget.ceiling`."""
        return self.path.rpartition(".")[2]

    @property
    def names(self) -> tuple[str, ...]:
        """All labels and aliases, and the path itself."""
        return (*self.labels.zh, *self.labels.en, *self.aliases, self.path)

    def label(self, language: Literal["zh", "en"]) -> str:
        """The name shown in a language, or else in the other one, or else the last word of the path."""
        own, other = (
            (self.labels.zh, self.labels.en) if language == "zh" else (self.labels.en, self.labels.zh)
        )
        return (own or other or (self.leaf.replace("_", " "),))[0]
