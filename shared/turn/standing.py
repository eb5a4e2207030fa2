"""What stands in the prompt's head beside fields and memories: the session's own memory. Pure.

Key facts, the last session's digest, the summary, results, the task card, banned topics: each a block of
text that stays byte-equal until it changes. Where the head has too little room, blocks are left out in
the order of their rank, the key facts and the bans last. Nothing of a banned topic is shown.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, NamedTuple

from shared.ltm.schema import Schema
from shared.model.memory import MemoryKind
from shared.model.message import Message, Session, SessionNotes
from shared.model.moment import to_ms
from shared.model.session_state import Digest, Summary, TaskCard
from shared.ports.ltm import LtmReader, MemoryFilter
from shared.prompts.load import Language, load_prompt
from shared.stm.ban_cuts import cut_bans
from shared.stm.digest import render_digest
from shared.stm.gone import cut_summary
from shared.stm.key_facts import fit_key_facts, render_key_facts
from shared.stm.lift import drop_revoked
from shared.stm.results import render_results
from shared.stm.summary import render_summary
from shared.stm.task_card import RequiredField, derive_task_card, render_task_card
from shared.stm.topic_words import matches_topic
from shared.stm.topics import render_topic_bans
from shared.turn.fence import fence_block

FIRST_MESSAGES = 20
"""The last session's digest stands in the head of the next one's first ten turns."""

DIGEST_DAYS = 14

_KEPT_READ = 20
_LONGEST_KEPT = 200
"""In characters: the head carries sentences over, recall finds stories."""

SUMMARY_SHARE = 0.2
"""The summary's block takes at most this share of the prompt, but for its text and one of each list."""

_FENCE_TOKENS = 16

TASK_TYPE = "current_task.type"

STANDING_KINDS: Final[tuple[MemoryKind, ...]] = ("preference", "constraint")
"""Memories of these kinds stand in the head whatever is asked."""


class Block(NamedTuple):
    """A block of the head; the lowest rank is left out first."""

    text: str
    rank: int


@dataclass(frozen=True, slots=True)
class Standing:
    """What a session's head is made of; `topics` are all bans that hold now.

    `kept` is what memory keeps from the session of the digest.
    """

    notes: SessionNotes
    summary: Summary | None = None
    digest: Digest | None = None
    kept: tuple[str, ...] = ()
    card: TaskCard | None = None
    topics: tuple[str, ...] = ()


def standing_of(
    session: Session | None,
    notes: SessionNotes,
    *,
    digest: Digest | None,
    topics: Sequence[str],
    required: Iterable[RequiredField] = (),
    values: Mapping[str, Any] | None = None,
) -> Standing:
    """Return what stands in a session's head; its own card comes before the last session's open one."""
    front = notes.task_card
    if front is None and digest is not None:
        front = digest.card
    known = values or {}
    card = derive_task_card(front, task_type=known.get(TASK_TYPE), required=required, values=known)
    last_seq = session.last_seq if session is not None else 0
    return Standing(
        notes=notes,
        summary=session.summary.summary if session is not None and session.summary else None,
        digest=digest if last_seq <= FIRST_MESSAGES else None,
        card=card,
        topics=tuple(dict.fromkeys(topics)),
    )


def read_last_digest(reader: LtmReader, *, session_key: str, now: datetime) -> Digest | None:
    """Return what the user's last session left, if that was in the last 14 days."""
    since_ms = to_ms(now) - DIGEST_DAYS * 86_400_000
    return reader.newest_digest(without_key=session_key, since_ms=since_ms)


def read_kept(reader: LtmReader, digest: Digest | None) -> tuple[str, ...]:
    """Return what memory keeps from the last session beside standing memory, oldest first."""
    if digest is None:
        return ()
    found = reader.memories(MemoryFilter(session_id=digest.session_id, limit=_KEPT_READ))
    return tuple(
        " ".join(memory.text.split())
        for memory in reversed(found)
        if memory.kind not in STANDING_KINDS and len(memory.text) <= _LONGEST_KEPT
    )


def system_text(own: str | None, notes: SessionNotes) -> str | None:
    """Return the system text of a turn: the turn's own or the session's, then instructions of messages."""
    texts = [text for text in (own or notes.system, *notes.instructions) if text]
    return "\n\n".join(texts) or None


def required_fields(schema: Schema, *, task_type: str | None, language: Language) -> list[RequiredField]:
    """Return the fields that a task of this type needs, by the schema."""
    return [
        RequiredField(path=path.path, label=path.label(language))
        for path in schema.paths
        if task_type is not None and task_type in path.required_for
    ]


def render_blocks(standing: Standing, language: Language, *, budget_tokens: int) -> list[Block]:
    """Return the blocks in the head's order; `budget_tokens` is the prompt's."""
    notes, topics = standing.notes, standing.topics
    facts = [fact for fact in notes.key_facts if not is_banned(fact.text, topics)]
    facts = fit_key_facts(facts, budget_tokens=budget_tokens)
    shown = {fact.text for fact in facts}
    summary = _shown_summary(standing, shown)
    results = [result for result in notes.results if not is_banned(result.quote, topics)]
    digest, kept = standing.digest, [text for text in standing.kept if not is_banned(text, topics)]
    if digest is not None:
        digest = digest.model_copy(update={"summary": leave_out(digest.summary, topics), "card": None})
    blocks = [
        Block(render_key_facts(facts, language), 6),
        Block(_digest_block(digest, language, timezone=notes.timezone, kept=kept), 1),
        Block(
            _summary_block(summary, language, shown=shown, room_tokens=int(budget_tokens * SUMMARY_SHARE)), 4
        ),
        Block(render_results(results, language), 2),
        Block(render_task_card(standing.card or TaskCard(), language), 5),
        Block(render_topic_bans(topics, language), 7),
    ]
    return [block for block in blocks if block.text]


def _digest_block(
    digest: Digest | None, language: Language, *, timezone: str | None, kept: Sequence[str]
) -> str:
    if digest is None:
        return ""
    return fence_block(render_digest(digest, language, timezone=timezone, kept=kept))


def _summary_block(
    summary: Summary | None, language: Language, *, shown: Collection[str], room_tokens: int
) -> str:
    if summary is None:
        return ""
    return fence_block(
        render_summary(summary, language, without=shown, room_tokens=max(room_tokens - _FENCE_TOKENS, 0))
    )


def waiting_question(waiting: Sequence[str], *, language: Language) -> str | None:
    """Return what a reply without a model asks for: what the task card still waits for; None for nothing."""
    if not waiting:
        return None
    labels = ("、" if language == "zh" else ", ").join(waiting)
    return load_prompt(language, "ask_waiting").replace("{label}", labels)


def _shown_summary(standing: Standing, shown: Collection[str]) -> Summary | None:
    """Return the summary without banned topics, what was taken back, and values that `shown` facts hold."""
    if standing.summary is None:
        return None
    summary = drop_revoked(standing.summary, standing.notes.revoked)
    pairs = {
        label: value for label, value in summary.confirmed.items() if not any(value in text for text in shown)
    }
    return leave_out(summary.model_copy(update={"confirmed": pairs}), standing.topics)


def is_banned(text: str, topics: Iterable[str]) -> bool:
    """Return whether a text speaks of a banned topic."""
    return any(matches_topic(text, topic) for topic in topics)


def leave_out(summary: Summary, topics: Sequence[str]) -> Summary:
    """Return a summary without what it says of banned topics."""
    return cut_summary(summary, lambda text: is_banned(text, topics)) if topics else summary


def shown_window(window: Sequence[Message], *, notes: SessionNotes, topics: Sequence[str]) -> list[Message]:
    """Return the window as the prompt shows it; the last message is the current one and always stays.

    What the head holds already is left out (system messages), and so is what speaks of a banned topic,
    the reply to it included. A ban is cut out of the message that stated it: the head says what holds.
    """
    shown: list[Message] = []
    is_skipping = False
    held = {*notes.instructions, notes.system}
    for message in window[:-1]:
        if message.role == "system":
            shown += [] if message.text.strip() in held else [message]
            continue
        if message.role == "user" and not topics and message.text and message.id not in notes.ban_messages:
            is_skipping = False
        elif message.role == "user":
            text = cut_bans(message.text) if message.id in notes.ban_messages else message.text
            is_skipping = not text or is_banned(text, topics)
            if not is_skipping and text != message.text and isinstance(message.body.content, str):
                body = message.body.model_copy(update={"content": text})
                message = message.model_copy(update={"body": body})  # noqa: PLW2901 - a copy for the prompt
        is_empty = message.body.content == ""  # forgotten
        if not (is_skipping or is_empty or is_banned(message.text, topics)):
            shown.append(message)
    return [*shown, *window[-1:]]
