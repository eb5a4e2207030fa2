"""What a model proposes: the shape of its answer, and the items in it. Pure; nothing here is believed yet."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal, cast, get_args

from shared.language.answer_json import read_json_answer
from shared.model.memory import MemoryKind
from shared.model.pending import PendingOp

MAX_ITEMS: Final = 200
MAX_TEXT_CHARS: Final = 500
MAX_QUOTE_CHARS: Final = 1_000
_KINDS: Final = frozenset(get_args(MemoryKind))
_OPS: Final = frozenset(get_args(PendingOp))
_NOBODY: Final = frozenset({"", "user", "the user", "用户", "me", "i", "我", "self", "本人"})

EXTRACTION_SCHEMA: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "items": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "op": {"type": "string", "enum": sorted(_OPS)},
                    "kind": {"type": "string", "enum": sorted(_KINDS)},
                    "path": {"type": ["string", "null"]},
                    "value": {},
                    "text": {"type": "string"},
                    "quote": {"type": "string"},
                    "message": {"type": "integer"},
                    "subject": {"type": "string"},
                    "confidence": {"type": "number"},
                    "expires_at": {"type": ["string", "null"]},
                },
                "required": ["op", "quote"],
            },
        }
    },
    "required": ["items"],
}
"""The JSON that the model is asked for; only `op` and `quote` must be there."""


@dataclass(frozen=True, slots=True)
class Item:
    """One proposal of a model, or of a rule. `message` is the number in the batch, None where none was given.

    `subject` is "user", or the name of whom the text speaks of; `cited` says that the model named a message.
    """

    op: PendingOp
    quote: str
    kind: MemoryKind = "fact"
    path: str | None = None
    value: Any = None
    text: str = ""
    message: int | None = None
    subject: str = "user"
    confidence: float = 0.5
    origin: Literal["model", "rule"] = "model"


@dataclass(frozen=True, slots=True)
class Answer:
    """The items of an answer; `malformed` could not be read, `surplus` are more than are looked at.

    `is_whole` is False where the answer broke off.
    """

    items: tuple[Item, ...]
    malformed: int = 0
    surplus: int = 0
    is_whole: bool = True


def read_answer(text: str) -> Answer | None:
    """The items of a model's answer; None where it holds no answer at all."""
    found = read_json_answer(text, fits=_is_answer)
    if found is None:
        return None
    raw = found.value if isinstance(found.value, list) else _items_of(found.value)
    read = raw[:MAX_ITEMS]
    items = [item for each in read if (item := _read_item(each)) is not None]
    return Answer(
        tuple(items),
        malformed=len(read) - len(items),
        surplus=len(raw) - len(read),
        is_whole=found.is_whole,
    )


def _is_answer(value: Any) -> bool:
    if isinstance(value, list):
        return all(isinstance(item, Mapping) for item in value)
    if not isinstance(value, Mapping):
        return False
    return not value or isinstance(value.get("items"), list) or ("op" in value and "quote" in value)


def _items_of(value: Mapping[str, Any]) -> list[Any]:
    if "items" in value:
        return list(value["items"])
    return [value] if value else []


def _read_item(raw: Any) -> Item | None:
    if not isinstance(raw, Mapping):
        return None
    op, quote = raw.get("op"), raw.get("quote")
    if op not in _OPS or not isinstance(quote, str) or not quote.strip() or len(quote) > MAX_QUOTE_CHARS:
        return None
    path, value, text = raw.get("path"), raw.get("value"), raw.get("text")
    if not isinstance(text, str) or not text.strip():
        text = value if isinstance(value, str) else quote
    kind = raw.get("kind")
    return Item(
        op=cast("PendingOp", op),
        quote=quote,
        kind=cast("MemoryKind", kind) if kind in _KINDS else "fact",
        path=path if isinstance(path, str) and path else None,
        value=text if op == "remember" else value,
        text=text.strip()[:MAX_TEXT_CHARS],
        message=_number(raw.get("message")),
        subject=_subject(raw.get("subject")),
        confidence=_share(raw.get("confidence")),
    )


def _number(raw: Any) -> int | None:
    """The number of the message; one that is none in any spelling is -1, which no message has."""
    if raw is None:
        return None
    if isinstance(raw, int) and not isinstance(raw, bool):
        return raw
    digits = str(raw).strip().lstrip("#[m").rstrip("]")
    return int(digits) if digits.isdecimal() and digits.isascii() and len(digits) < 10 else -1  # noqa: PLR2004 - digits


def _subject(raw: Any) -> str:
    words = raw.strip() if isinstance(raw, str) else ""
    return "user" if words.lower() in _NOBODY else words[:100]


def _share(raw: Any) -> float:
    if isinstance(raw, int | float) and not isinstance(raw, bool) and 0 <= raw <= 1:
        return float(raw)
    return 0.5
