"""What code, not a model, says in a reply: what was stored, and the question that ends it. Pure.

The acknowledgement stands where the model did not name a stored value itself; the question is the
reply's last paragraph, so that a front shows it and a bare answer resolves it.
"""

from __future__ import annotations

from collections.abc import Sequence

from shared.ltm.field_values import show_value
from shared.ltm.schema import Schema
from shared.model.turn import CommandOutcome
from shared.prompts.load import load_prompt
from shared.turn.context import Language


def notice_text(language: Language, name: str) -> str:
    """Return the text of a notice."""
    return load_prompt(language, f"notice_{name}")


def outcome_line(outcome: CommandOutcome, *, schema: Schema, language: Language) -> str:
    """Return what a command did as one line: label and value, or the remembered words."""
    if outcome.path is None:
        return str(outcome.new)
    path = schema.find(outcome.path)
    colon = "：" if language == "zh" else ": "
    return f"{path.label(language)}{colon}{show_value(path, outcome.new, language=language)}"


def command_notes(outcomes: Sequence[CommandOutcome], *, schema: Schema, language: Language) -> list[str]:
    """Return what the model is told that this turn has stored."""
    if not outcomes:
        return []
    stored = [outcome_line(outcome, schema=schema, language=language) for outcome in outcomes]
    return [load_prompt(language, "stored_note"), *stored]


def write_followups(
    reply: str,
    *,
    outcomes: Sequence[CommandOutcome],
    asks_paths: Sequence[str],
    schema: Schema,
    language: Language,
) -> str:
    """Return the paragraphs that code appends to a reply; empty where there is nothing to say."""
    paragraphs = []
    lines = [
        outcome_line(outcome, schema=schema, language=language)
        for outcome in outcomes
        if outcome.path is not None
        and show_value(schema.find(outcome.path), outcome.new, language=language) not in reply
    ]
    if lines:
        paragraphs.append("\n".join([load_prompt(language, "stored"), *(f"- {line}" for line in lines)]))
    for path in asks_paths:
        label = schema.find(path).label(language)
        paragraphs.append(load_prompt(language, "ask_missing").replace("{label}", label))
    return "".join(f"\n\n{paragraph}" for paragraph in paragraphs)
