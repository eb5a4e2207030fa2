"""The dialogues of the adversarial set: what is said, what a bad model answers, what must come of it.

A dialogue is a block of lines, cells parted by tabs; `zh.tsv` and `en.tsv` begin by telling the marks.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

FOLDER: Final = Path(__file__).with_name("dialogues")
LANGUAGES: Final = ("zh", "en")


@dataclass(frozen=True, slots=True)
class Expected:
    """An item of the scripted answer, and whether it is good."""

    raw: dict[str, Any]
    is_good: bool

    @property
    def shown(self) -> str:
        """What a reader would look for in memory: the text, or the field's value."""
        return str(self.raw.get("text") or self.raw.get("value"))


@dataclass(slots=True)
class Dialogue:
    """A dialogue: `before` are rows that stand already, as (mark, cells)."""

    name: str
    wrong: str
    language: str
    messages: list[tuple[str, str]] = field(default_factory=list)
    before: list[tuple[str, list[str]]] = field(default_factory=list)
    items: list[Expected] = field(default_factory=list)

    @property
    def answer(self) -> str:
        """The answer that the scripted model gives."""
        return json.dumps({"items": [item.raw for item in self.items]}, ensure_ascii=False)


def load_dialogues(*languages: str) -> list[Dialogue]:
    """Return the dialogues of these languages, of all where none is named."""
    return [found for language in languages or LANGUAGES for found in _read(language)]


def _read(language: str) -> Iterator[Dialogue]:
    current: Dialogue | None = None
    for line in (FOLDER / f"{language}.tsv").read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        mark, *cells = line.split("\t")
        if mark == "=":
            if current is not None:
                yield current
            current = Dialogue(cells[0], cells[1], language)
            continue
        assert current is not None, line
        if mark in {"+", "-"}:
            current.items.append(Expected(_item(cells), is_good=mark == "+"))
        elif mark in {"U", "A", "TOOL", "S"}:
            current.messages.append((_ROLES[mark], cells[0].replace("\\n", "\n")))
        else:
            assert mark in {"M", "P", "T", "F"}, line
            current.before.append((mark, cells))
    if current is not None:
        yield current


_ROLES: Final = {"U": "user", "A": "assistant", "TOOL": "tool", "S": "system"}


def _item(cells: list[str]) -> dict[str, Any]:
    what, message, quote, text = cells
    head, _, path = what.partition(" ")
    kind, _, subject = head.partition("@")
    raw: dict[str, Any] = {"message": int(message), "quote": quote.replace("\\n", "\n"), "confidence": 0.9}
    if path:
        return {**raw, "op": kind, "path": path, "value": json.loads(text) if text.isdecimal() else text}
    return {
        **raw,
        "op": "remember",
        "kind": kind,
        "text": text,
        "subject": subject.replace("_", " ") or "user",
    }
