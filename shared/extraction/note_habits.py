"""Keeping count of the choices that a user makes, and proposing those that have become a habit.

Only messages that still stand count: what was deleted, or forgotten, is no choice any more and is not quoted.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from shared.extraction.habits import count_choice, describe_habit, is_due, without_choices
from shared.extraction.propose import Proposing
from shared.extraction.quotes import Said
from shared.extraction.still_said import is_still_said
from shared.language.scripts import detect_language
from shared.ltm.proposals import Proposal, propose_update
from shared.model.extraction import Habit
from shared.model.memory import Source
from shared.ports.ltm import LtmWriter

HABIT_CONFIDENCE: Final = 0.6


def note_habits(
    writer: LtmWriter,
    choices: Sequence[tuple[Said, Mapping[str, str]]],
    *,
    proposing: Proposing,
    mask: Callable[[str], str],
) -> int:
    """Count the choices of some messages; returns how many were proposed as habits."""
    proposed = 0
    for said, made in choices:
        for name, quote in made.items():
            if not is_still_said(writer, said.message_id, quote=quote, mask=mask):
                continue
            known = writer.habit(name)
            before = without_choices(known, [at for at in known.message_ids if writer.episode(at) is None])
            after = count_choice(before, quote, message_id=said.message_id)
            if after is before:
                continue
            writer.put_habit(after)
            if is_due(before, after):
                proposed += _propose_habit(writer, after, proposing=proposing)
    return proposed


def _propose_habit(writer: LtmWriter, habit: Habit, *, proposing: Proposing) -> bool:
    language = detect_language(" ".join(habit.quotes))
    new, text = describe_habit(habit, language)
    quote = " / ".join(habit.quotes)
    source = Source(session_id=proposing.session_id, message_ids=habit.message_ids, quote=quote)
    why = proposing.why.model_copy(update={"source": source, "origin": "rule"})
    proposal = Proposal(
        op="remember", path=None, new=new, text=text, quote=quote, origin="rule",
        confidence=HABIT_CONFIDENCE, kind="preference",
    )  # fmt: skip
    _, is_new = propose_update(writer, proposal, why=why, keep_days=proposing.keep_days)
    return is_new
