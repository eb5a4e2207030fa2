"""The task card: what the user is about, what is done, what still waits; it survives every trimming.

What the front sets wins. With `current_task.type` set, the schema's required fields fill the rest: a field
that stands is done, one that does not waits. Invariant: nothing is both done and waiting.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from shared.model.base import Value
from shared.model.session_state import TaskCard

__all__ = ["UNFILLED", "RequiredField", "TaskCard", "derive_task_card", "render_task_card"]

UNFILLED: Final = "UNFILLED"
MAX_VALUE_CHARS: Final = 200
"""What of a done item's value stands in the block."""

_WORDS: Final = {
    "zh": {
        "head": "【任务卡】",
        "intent": "目标: ",
        "done": "已完成（不要再问）:",
        "waiting": "待填写（只问这些）:",
        "rule": "已完成的内容不要再次询问用户。",
        "yes": "是",
        "no": "否",
        "and": "、",
    },
    "en": {
        "head": "[Task card]",
        "intent": "Goal: ",
        "done": "Done (do not ask again):",
        "waiting": "Waiting (ask only for these):",
        "rule": "Do not ask again for what is done.",
        "yes": "yes",
        "no": "no",
        "and": ", ",
    },
}


class RequiredField(Value):
    """A field that a task needs: its path and its label in the language of the conversation."""

    path: str
    label: str


def derive_task_card(
    front: TaskCard | None,
    *,
    task_type: str | None,
    required: Iterable[RequiredField],
    values: Mapping[str, Any],
) -> TaskCard:
    """Return the card of this turn: the front's, filled up from the fields that the task needs.

    `required` are the schema's fields whose `required_for` names `task_type`; `values` are confirmed fields
    by path. Without a task type the front's card stands alone.
    """
    card = front or TaskCard()
    waiting = [label for label in card.waiting if label not in card.done]
    done: dict[str, Any] = {}
    for field in required if task_type else ():
        if field.label in card.done or field.label in waiting:
            continue
        if values.get(field.path) in (None, "", [], {}):
            waiting.append(field.label)
        else:
            done[field.label] = values[field.path]
    return TaskCard(
        intent=card.intent or task_type, done={**done, **card.done}, waiting=tuple(dict.fromkeys(waiting))
    )


def render_task_card(card: TaskCard, language: str) -> str:
    """Return the fixed block for the prompt's head, or the empty text for an empty card."""
    if card.is_empty:
        return ""
    words = _WORDS[language]
    lines = [words["head"]]
    if card.intent:
        lines.append(words["intent"] + _one_line(card.intent))
    if card.done:
        lines.append(words["done"])
        lines += [
            f"- {_one_line(label)}: {_shorten(_render(value, words))}" for label, value in card.done.items()
        ]
    if card.waiting:
        lines.append(words["waiting"])
        lines += [f"- {_one_line(label)}: {UNFILLED}" for label in card.waiting]
    return "\n".join([*lines, words["rule"]])


def _render(value: Any, words: Mapping[str, str]) -> str:
    if isinstance(value, bool):
        return words["yes" if value else "no"]
    if isinstance(value, list | tuple):
        return words["and"].join(_render(item, words) for item in value)
    if isinstance(value, Mapping):
        return words["and"].join(f"{key}={_render(item, words)}" for key, item in value.items())
    return _one_line(str(value))


def _shorten(text: str) -> str:
    return text if len(text) <= MAX_VALUE_CHARS else text[: MAX_VALUE_CHARS - 1].rstrip() + "…"


def _one_line(text: str) -> str:
    """Return the text without line breaks, so that no value can pass for a line of the card."""
    return " ".join(text.split())
