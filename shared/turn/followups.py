"""What code, not a model, says in a reply: what was stored, forgotten or refused, and the question. Pure.

The acknowledgement stands where the model did not name a stored value itself; the question is the
reply's last paragraph, so that a front shows it and a bare answer resolves it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from shared.extraction.command import NEEDS_TIME, NOT_KEPT, NOTHING_TO_CORRECT, QUIET, QUIET_ENDED
from shared.ltm.field_values import show_value
from shared.ltm.schema import Schema
from shared.model.turn import CommandOutcome
from shared.prompts.load import fill_prompt, load_prompt
from shared.text import clip_text
from shared.turn.context import Language
from shared.turn.forgetting import ASKED_ABOUT, OF_SYSTEM

_STORES = frozenset({"set", "append", "remove", "remember", "confirm"})
_TITLES = {"forget": "forgotten", "undo": "undone", "reject": "rejected"}


def notice_text(language: Language, name: str) -> str:
    """Return the text of a notice."""
    return load_prompt(language, f"notice_{name}")


def outcome_line(outcome: CommandOutcome, *, schema: Schema, language: Language) -> str:
    """Return what a command was about as one line: label and value, or the words themselves."""
    value = outcome.old if outcome.kind == "forget" else outcome.new
    if outcome.path is None:
        return _memory_line(outcome, language=language)
    path = schema.find(outcome.path)
    colon = "：" if language == "zh" else ": "
    if value is None and outcome.kind == "forget":
        return path.label(language)
    line = f"{path.label(language)}{colon}{show_value(path, value, language=language)}"
    if outcome.reason == OF_SYSTEM:
        return fill_prompt(language, "forgotten_of_system", gaps={"line": line})
    return line


def _memory_line(outcome: CommandOutcome, *, language: Language) -> str:
    """A memory's text; with what it took the place of, or what stands again since it was taken back."""
    if outcome.kind == "undo":
        kept, again = _joined(outcome.old), _joined(outcome.new)
        both = kept and again
        return fill_prompt(language, "again", gaps={"value": kept, "again": again}) if both else kept or again
    if outcome.kind == "remember" and outcome.old:
        gaps = {"value": str(outcome.new), "old": _joined(outcome.old)}
        return fill_prompt(language, "in_place_of", gaps=gaps)
    return str(outcome.old if outcome.kind == "forget" else outcome.new)


def _joined(texts: Any) -> str:
    return "; ".join(map(str, texts)) if isinstance(texts, list | tuple) else str(texts or "")


def refusal_line(outcome: CommandOutcome, *, schema: Schema, language: Language) -> str:
    """Return why a command was not carried out."""
    label = schema.find(outcome.path).label(language) if outcome.path is not None else None
    target = label or str(outcome.new or "")
    return fill_prompt(language, f"refused_{outcome.reason}", gaps={"target": target})


def applied_title(outcome: CommandOutcome) -> str:
    """Return the name of the text under which an outcome is told."""
    if outcome.outcome == "pending":
        return "waiting"
    if outcome.kind == "undo" and outcome.path is None:
        return "taken_back" if outcome.old else "undone"
    return "stored" if outcome.kind in _STORES else _TITLES.get(outcome.kind, "stored")


def command_notes(outcomes: Sequence[CommandOutcome], *, schema: Schema, language: Language) -> list[str]:
    """Return what the model is told that this turn has stored, forgotten and refused."""
    told: dict[str, list[str]] = {}
    for outcome in outcomes:
        if _is_asked(outcome) or outcome.reason in _TURNS:
            continue
        if outcome.outcome == "refused":
            line = refusal_line(outcome, schema=schema, language=language)
            told.setdefault("refused_note", []).append(line)
        elif outcome.kind == "undo" and outcome.path is None:
            # What was taken back is not repeated to the model either.
            told.setdefault("forgotten_note", []).append("")
        elif outcome.outcome == "applied" and outcome.kind in _STORES | {"undo"}:
            line = outcome_line(outcome, schema=schema, language=language)
            told.setdefault("stored_note", []).append(line)
        elif outcome.kind == "forget":
            # What was forgotten is not repeated to the model: only its label is.
            label = schema.find(outcome.path).label(language) if outcome.path else ""
            told.setdefault("forgotten_note", []).append(label)
    if told.get("forgotten_note") and not any(told["forgotten_note"]):
        told["forgotten_unnamed"] = told.pop("forgotten_note")
    return [
        line for title, lines in told.items() for line in (load_prompt(language, title), *filter(None, lines))
    ]


def acknowledgements(
    reply: str, *, outcomes: Sequence[CommandOutcome], schema: Schema, language: Language
) -> list[str]:
    """Return the paragraphs on what was done, but for stored values that the reply names already."""
    groups: dict[str, list[str]] = {}
    refusals: list[str] = []
    for outcome in outcomes:
        if _is_asked(outcome):
            continue
        if outcome.reason == "wiped":
            name = "wiped_one" if outcome.new == 1 else "wiped"
            refusals.append(fill_prompt(language, name, gaps={"count": str(outcome.new)}))
        elif outcome.reason in _TURNS:
            refusals.append(load_prompt(language, str(outcome.reason)))
        elif outcome.reason == NOT_KEPT:
            refusals.append(_not_kept(outcome, language=language))
        elif outcome.outcome == "refused":
            refusals.append(refusal_line(outcome, schema=schema, language=language))
        elif not _is_named(outcome, reply, schema=schema, language=language):
            line = outcome_line(outcome, schema=schema, language=language)
            groups.setdefault(applied_title(outcome), []).append(line)
    listed = [
        "\n".join([load_prompt(language, title), *(f"- {line}" for line in lines)])
        for title, lines in groups.items()
    ]
    return [*listed, *dict.fromkeys(refusals)]


def _not_kept(outcome: CommandOutcome, *, language: Language) -> str:
    """The promise, with the beginning of each message that it is about where these are several."""
    if not isinstance(outcome.old, list):
        return load_prompt(language, "not_kept")
    lines = [f"- {clip_text(' '.join(text.split()), _SHOWN_CHARS)}" for text in outcome.old]
    return "\n".join([load_prompt(language, "not_kept_these"), *lines])


_SHOWN_CHARS: Final = 60
_TURNS: Final = frozenset({QUIET, QUIET_ENDED})
_ASKED: Final = ASKED_ABOUT | {"confirm_wipe", NOTHING_TO_CORRECT, NEEDS_TIME}


def _is_asked(outcome: CommandOutcome) -> bool:
    """True for what the question at the reply's end speaks of."""
    return outcome.outcome == "pending" and outcome.reason in _ASKED


def _is_named(outcome: CommandOutcome, reply: str, *, schema: Schema, language: Language) -> bool:
    if outcome.kind not in _STORES or outcome.outcome != "applied":
        return False
    if outcome.path is None:
        return outcome.kind == "remember" or str(outcome.new) in reply
    return show_value(schema.find(outcome.path), outcome.new, language=language) in reply


def write_followups(
    reply: str,
    *,
    outcomes: Sequence[CommandOutcome],
    question: str,
    is_sealed: bool,
    schema: Schema,
    language: Language,
) -> str:
    """Return the paragraphs that code appends to a reply; empty where there is nothing to say."""
    paragraphs = acknowledgements(reply, outcomes=outcomes, schema=schema, language=language)
    if is_sealed:
        paragraphs.append(load_prompt(language, "sealed"))
    if question:
        paragraphs.append(question)
    text = "\n\n".join(paragraphs)
    return f"\n\n{text}" if text and reply else text
