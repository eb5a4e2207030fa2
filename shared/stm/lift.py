"""What a message leaves in a session's notes: constraints, results, instructions, topic bans.

Lifting follows the order of the messages and notes how far it came (`lifted_to`), so that a turn that
broke off is made up for by the next one. Lifting the same messages again changes nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from shared.language.tokens import estimate_tokens
from shared.model.message import Message, SessionNotes
from shared.model.session_state import AssistantResult, KeyFact, Summary
from shared.stm.clauses import split_clauses
from shared.stm.key_facts import (
    FindSecrets,
    lift_key_facts,
    merge_key_facts,
    no_secrets,
    revoke_key_facts,
    same_subject,
)
from shared.stm.quiet import next_stretches
from shared.stm.results import find_results, merge_results
from shared.stm.topics import decide_topics

MAX_SESSION_TOPICS = 20
MAX_REVOKED = 20


@dataclass(frozen=True, slots=True)
class LiftRules:
    """The prompt's budget in tokens, which bounds what is kept, and what counts as a secret."""

    prompt_tokens: int
    find_secrets: FindSecrets = no_secrets


def lift_messages(notes: SessionNotes, messages: Iterable[Message], *, rules: LiftRules) -> SessionNotes:
    """Return the notes with what the messages after `lifted_to` say; messages are oldest first."""
    for message in messages:
        if message.seq > notes.lifted_to:
            notes = _lift_one(notes, message, rules=rules)
            notes = notes.model_copy(update={"lifted_to": message.seq})
    return notes


def lift_reply(notes: SessionNotes, reply: Message, *, rules: LiftRules) -> SessionNotes:
    """Return the notes with the results of a reply that has no number yet."""
    results = _safe_results(reply, notes, rules=rules)
    return notes.model_copy(update={"results": merge_results(notes.results, results)}) if results else notes


def rebase_notes(fresh: SessionNotes, *, base: SessionNotes, mine: SessionNotes) -> SessionNotes:
    """Return notes that somebody else has changed with what changed from `base` to `mine`.

    Of lists, what came and what went is carried over; of all else, the value.
    """
    changes = {
        name: _rebase(getattr(fresh, name), old=getattr(base, name), new=getattr(mine, name))
        for name in SessionNotes.model_fields
        if getattr(mine, name) != getattr(base, name)
    }
    changes["lifted_to"] = max(fresh.lifted_to, mine.lifted_to)
    return fresh.model_copy(update=changes)


def _rebase(fresh: Any, *, old: Any, new: Any) -> Any:
    if not isinstance(new, tuple):
        return new
    kept = [item for item in fresh if item in new or item not in old]
    return (*kept, *(item for item in new if item not in old and item not in kept))


def _lift_one(notes: SessionNotes, message: Message, *, rules: LiftRules) -> SessionNotes:
    if message.role == "user":
        return _lift_user(notes, message, rules=rules)
    if message.role == "assistant":
        return lift_reply(notes, message, rules=rules)
    text = message.text.strip() if message.role == "system" else ""
    if not text or text in notes.instructions or text == notes.system:
        return notes
    instructions = _newest_within((*notes.instructions, text), room=rules.prompt_tokens // 2)
    return notes.model_copy(update={"instructions": instructions})


def _lift_user(notes: SessionNotes, message: Message, *, rules: LiftRules) -> SessionNotes:
    remaining, revoked = revoke_key_facts(notes.key_facts, message)
    lifted = lift_key_facts(message, find_secrets=rules.find_secrets)
    plan = decide_topics(message.text, session=notes.banned_topics, standing=())
    topics = [topic for topic in notes.banned_topics if topic not in plan.lifted]
    topics += [ban.topic for ban in plan.banned if not ban.lasting and ban.topic not in topics]
    changes: dict[str, object] = {"banned_topics": tuple(topics[-MAX_SESSION_TOPICS:])}
    changes["quiet"] = next_stretches(notes, message)
    if plan.banned:
        changes["ban_messages"] = (*notes.ban_messages, message.id)[-MAX_SESSION_TOPICS:]
    if lifted or revoked:
        merged = merge_key_facts(remaining, lifted, budget_tokens=rules.prompt_tokens)
        changes["key_facts"] = merged.facts
        changes["overflow"] = notes.overflow + merged.overflow
        said_again = {fact.text for fact in lifted}
        gone = [fact for fact in (*notes.revoked, *revoked) if fact.text not in said_again]
        changes["revoked"] = tuple(gone[-MAX_REVOKED:])
    return notes.model_copy(update=changes)


def _safe_results(reply: Message, notes: SessionNotes, *, rules: LiftRules) -> list[AssistantResult]:
    """Return a reply's results; what only says again what the user has said is none."""
    stated = [fact.text for fact in notes.key_facts]
    return [
        result
        for result in find_results(reply)
        if not rules.find_secrets(result.quote)
        and not any(text in result.quote or result.quote in text for text in stated)
    ]


def drop_revoked(summary: Summary, revoked: Sequence[KeyFact]) -> Summary:
    """Return a summary without constraints and preferences that the user has taken back."""
    if not revoked:
        return summary
    lists = {
        name: tuple(
            item
            for item in getattr(summary, name)
            if not any(fact.text == item or same_subject(item, fact) for fact in revoked)
        )
        for name in ("constraints", "preferences")
    }
    clauses = split_clauses(summary.text)
    kept = [clause.text for clause in clauses if not any(same_subject(clause.text, fact) for fact in revoked)]
    glue = ", " if summary.text.isascii() else "，"
    text = summary.text if len(kept) == len(clauses) else glue.join(kept)
    return summary.model_copy(update={**lists, "text": text})


def _newest_within(texts: Sequence[str], *, room: int) -> tuple[str, ...]:
    """Return the newest texts that fit, in their order; the newest one always does."""
    kept: list[str] = []
    for text in reversed(texts):
        room -= estimate_tokens(text)
        if kept and room < 0:
            break
        kept.append(text)
    return tuple(reversed(kept))
