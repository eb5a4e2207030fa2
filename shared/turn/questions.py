"""The question that ends a reply: written by code, from templates, at most one kind a turn. Pure.

A conflict comes first and stops the turn; then a passed deadline, then what a task lacks, then proposals, of
which at most three are asked about, most important first, at most one block in three turns. The ids and
paths that a question is about are kept with its message, so that the next answer resolves just these.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Final

from shared.ltm.field_values import show_value
from shared.ltm.schema import Schema
from shared.ltm.schema_path import PRIORITY_ORDER
from shared.model.memory import FieldVersion
from shared.model.message import SessionNotes
from shared.model.moment import from_ms
from shared.model.pending import PendingUpdate
from shared.prompts.load import Language, fill_prompt, load_prompt
from shared.turn.forgetting import ForgetChoice
from shared.turn.heartbeat import HeartbeatPolicy

MOST_ASKED: Final = 3
_TURNS_BETWEEN_BLOCKS: Final = 3
_MESSAGES_A_TURN: Final = 2


@dataclass(frozen=True, slots=True)
class Questions:
    """What is asked. `is_stop`: instead of a reply; `is_block`: unasked proposals."""

    text: str = ""
    asks_pending: tuple[str, ...] = ()
    asks_paths: tuple[str, ...] = ()
    is_stop: bool = False
    is_block: bool = False
    asks_wipe: bool = False
    asks_forget: tuple[str, ...] = ()
    asks_topic: str = ""
    asks_part: str = ""


@dataclass(frozen=True, slots=True)
class Asking:
    """What there is to ask about in this turn.

    `wanted` is what a correction says that corrects nothing; `again` was asked before, and a yes meant it.
    `is_filling`: the message filled a field that was asked for, so that the rest may be asked for again.
    `untimed` maps paths to the days that commands gave them without a clock time.
    """

    language: Language
    schema: Schema
    policy: HeartbeatPolicy
    now: datetime
    seq: int
    notes: SessionNotes
    session_id: str
    created: Sequence[PendingUpdate] = ()
    waiting: Sequence[PendingUpdate] = ()
    missing: Sequence[str] = ()
    expired: Sequence[FieldVersion] = ()
    wipe_count: int | None = None
    choice: ForgetChoice | None = None
    wanted: PendingUpdate | None = None
    again: Sequence[PendingUpdate] = ()
    is_filling: bool = False
    untimed: Mapping[str, str] = field(default_factory=dict)


def choose_questions(asking: Asking) -> Questions:
    """Return the question of this turn, empty where there is none."""
    if asking.wipe_count is not None:
        name = "ask_wipe_one" if asking.wipe_count == 1 else "ask_wipe"
        text = fill_prompt(asking.language, name, gaps={"count": str(asking.wipe_count)})
        return Questions(text=text, asks_wipe=True)
    if asking.choice is not None:
        return _ask_which(asking.choice, language=asking.language)
    for path, day in asking.untimed.items():
        gaps = {"label": asking.schema.find(path).label(asking.language), "day": day}
        return Questions(text=fill_prompt(asking.language, "ask_time", gaps=gaps), asks_paths=(path,))
    return _ask_of_updates(asking) or _ask_of_fields(asking) or _ask_proposals(asking)


def _ask_of_updates(asking: Asking) -> Questions | None:
    """What the message raised: a contradiction, a correction of nothing, a yes to an older question."""
    conflicts = [update for update in asking.created if update.origin == "heartbeat"]
    if conflicts and asking.policy.conflict == "ask":
        return _ask_conflicts(conflicts[:MOST_ASKED], asking=asking)
    if asking.wanted is not None:
        return _asked_of([asking.wanted], asking=asking)
    if asking.again:
        asked = _asked_of(asking.again[:MOST_ASKED], asking=asking)
        text = fill_prompt(asking.language, "ask_again", gaps={"question": asked.text})
        return replace(asked, text=text)
    return None


def _ask_of_fields(asking: Asking) -> Questions | None:
    if asking.expired and asking.policy.expired == "ask":
        text = "\n\n".join(ask_expired(field, asking=asking) for field in asking.expired[:MOST_ASKED])
        return Questions(text=text, asks_paths=tuple(field.path for field in asking.expired[:MOST_ASKED]))
    before = () if asking.is_filling else asking.notes.asked_paths
    missing = [path for path in asking.missing if path not in before][:MOST_ASKED]
    if missing and asking.policy.missing == "ask":
        return Questions(text=ask_missing(missing, asking=asking), asks_paths=tuple(missing))
    return None


def _ask_which(choice: ForgetChoice, *, language: Language) -> Questions:
    lines = [f"{place}. {text}" for place, text in enumerate(choice.texts, start=1)]
    lines += ["…"] if len(choice.ids) > len(choice.texts) else []
    gaps = {"target": choice.target, "count": str(len(choice.ids)), "lines": "\n".join(lines)}
    name = "ask_forget" if len(choice.ids) > 1 else "ask_forget_one"
    if choice.is_said:
        name += "_said"
    elif choice.rest:
        name, gaps = "ask_forget_part", {**gaps, "rest": choice.rest}
    return Questions(
        text=fill_prompt(language, name, gaps=gaps),
        asks_forget=choice.ids,
        asks_topic=choice.target if choice.is_said else "",
        asks_part=choice.target if choice.rest else "",
    )


def ask_missing(paths: Sequence[str], *, asking: Asking) -> str:
    """Return the question for fields that have no value."""
    labels = [asking.schema.find(path).label(asking.language) for path in paths]
    joined = "、".join(labels) if asking.language == "zh" else " and the ".join(labels)
    return fill_prompt(asking.language, "ask_missing", gaps={"label": joined})


def ask_expired(field: FieldVersion, *, asking: Asking) -> str:
    """Return the question for a field whose day has passed; it quotes the user where there is a quote."""
    path = asking.schema.find(field.path)
    value = show_value(path, field.value, language=asking.language)
    quote = field.source.quote
    if quote:
        value += f"（原话“{quote}”）" if asking.language == "zh" else f" (“{quote}”)"
    gaps = {"label": path.label(asking.language), "value": value}
    return fill_prompt(asking.language, "ask_expired", gaps=gaps)


def update_gaps(update: PendingUpdate, *, schema: Schema, language: Language) -> dict[str, str]:
    """Return label, old and new value, and the words of a proposal, as a question shows them."""
    if update.path is None:
        return {"label": "", "value": str(update.new), "old": str(update.old or ""), "quote": update.quote}
    path = schema.find(update.path)
    return {
        "label": path.label(language),
        "value": show_value(path, update.new, language=language),
        "old": show_value(path, update.old, language=language),
        "quote": update.quote,
    }


def _ask_conflicts(updates: Sequence[PendingUpdate], *, asking: Asking) -> Questions:
    text = "\n\n".join(_ask_conflict(update, asking=asking) for update in updates)
    if len(updates) > 1:
        text += "\n\n" + load_prompt(asking.language, "ask_conflicts_end")
    return Questions(text=text, asks_pending=tuple(update.id for update in updates), is_stop=True)


def _ask_conflict(update: PendingUpdate, *, asking: Asking) -> str:
    gaps = update_gaps(update, schema=asking.schema, language=asking.language)
    name = "ask_conflict" if update.path else "ask_conflict_text"
    return fill_prompt(asking.language, name, gaps=gaps)


def _ask_proposals(asking: Asking) -> Questions:
    last, notes = asking.notes.proposed_at_seq, asking.notes
    if asking.expired:
        return Questions()
    if last and asking.seq - last < _TURNS_BETWEEN_BLOCKS * _MESSAGES_A_TURN:
        return Questions()
    known = {update.id: update for update in (*asking.created, *asking.waiting)}
    fresh = [
        update
        for update in known.values()
        if update.id not in notes.asked_pending
        and (update.origin != "heartbeat" or asking.policy.conflict == "ask")
        and (update.session_id == asking.session_id or _is_unasked_there(update))
    ]
    asked = sorted(fresh, key=lambda update: _importance(update, asking.schema))[:MOST_ASKED]
    return replace(_asked_of(asked, asking=asking), is_block=True) if asked else Questions()


def _is_unasked_there(update: PendingUpdate) -> bool:
    """Whether no turn of its own session can have asked about it: what a job, or an app, put forward."""
    return update.origin in {"model", "api"} or (update.origin == "rule" and update.path is None)


def _asked_of(asked: Sequence[PendingUpdate], *, asking: Asking) -> Questions:
    """The question of one proposal, or of several as a list."""
    ids = tuple(update.id for update in asked)
    if len(asked) == 1:
        return Questions(text=_ask_one(asked[0], asking=asking), asks_pending=ids)
    is_unsaid = any(not update.quote for update in asked)
    lines = [load_prompt(asking.language, "ask_proposals_unsaid" if is_unsaid else "ask_proposals")]
    for place, update in enumerate(asked, start=1):
        gaps = update_gaps(update, schema=asking.schema, language=asking.language)
        quote = f"（“{gaps['quote']}”）" if asking.language == "zh" else f" (“{gaps['quote']}”)"
        colon = "：" if asking.language == "zh" else ": "
        label = f"{gaps['label']}{colon}" if gaps["label"] else ""
        lines.append(
            f"{place}. {label}{gaps['value']}{quote if gaps['quote'] else _unsaid_mark(asking.language)}"
        )
    lines.append(load_prompt(asking.language, "ask_proposals_end"))
    return Questions(text="\n".join(lines), asks_pending=ids)


def _unsaid_mark(language: Language) -> str:
    mark = load_prompt(language, "unsaid_mark")
    return f"（{mark}）" if language == "zh" else f" ({mark})"


def _importance(update: PendingUpdate, schema: Schema) -> tuple[int, float]:
    """Return what sorts proposals; equal ones stay in the order in which the user said them."""
    priorities = {path.path: path.priority for path in schema.paths}
    priority = PRIORITY_ORDER[priorities.get(update.path or "", "normal")]
    return priority, -update.confidence


def _ask_one(update: PendingUpdate, *, asking: Asking) -> str:
    gaps = update_gaps(update, schema=asking.schema, language=asking.language)
    if not update.quote:
        return _ask_unsaid(update, gaps, language=asking.language)
    if update.path is None and update.old is None:
        return fill_prompt(asking.language, "ask_remember", gaps=gaps)
    if update.rejected_at_ms is not None:
        day = from_ms(update.rejected_at_ms).astimezone(asking.now.tzinfo).date().isoformat()
        return fill_prompt(asking.language, "ask_proposal_again", gaps={**gaps, "date": day})
    if update.old is not None and update.op in {"set", "remember"}:
        return _ask_conflict(update, asking=asking)
    return fill_prompt(asking.language, "ask_proposal", gaps=gaps)


def _ask_unsaid(update: PendingUpdate, gaps: Mapping[str, str], *, language: Language) -> str:
    """Return the question of what an app proposes: it rests on no words of the user, and says so."""
    if update.path is None:
        return fill_prompt(language, "ask_unsaid_text", gaps=gaps)
    replaces = update.op == "set" and update.old is not None
    return fill_prompt(language, "ask_unsaid_change" if replaces else f"ask_unsaid_{update.op}", gaps=gaps)
