"""Taking what was forgotten out of the sessions: out of their messages, notes and summaries, in Redis itself.

Long-term memory has forgotten it before, in its transaction: an archive or a summary that runs meanwhile
leaves it out by what stands there. A message that is left without words is unsaid, the reply to it too.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from contextlib import suppress
from typing import Any

from shared.errors import Missing
from shared.extraction.spoken import Topic
from shared.model.message import Message, MessageBody, Session, SessionNotes
from shared.model.scope import Scope
from shared.model.session_state import SessionSummary, TaskCard
from shared.ports.stm import ShortTermMemory, TurnStart
from shared.stm.gone import cut_summary
from shared.turn.ending import put_notes
from shared.turn.said_of import Redaction

MOST_SESSIONS = 50
MOST_MESSAGES = 2_000


async def redact_sessions(scope: Scope, redactions: Iterable[Redaction], *, stm: ShortTermMemory) -> None:
    """Take what redactions name out of their sessions, as far as these live."""
    for redaction in redactions:
        for session_id in redaction.session_ids[:MOST_SESSIONS]:
            with suppress(Missing):
                await _redact(scope, session_id, redaction=redaction, stm=stm)


async def _redact(scope: Scope, session_id: str, *, redaction: Redaction, stm: ShortTermMemory) -> None:
    session = await stm.read_session(scope, session_id, window_tokens=0)
    messages = await stm.read_messages(scope, session_id, after_seq=0, limit=MOST_MESSAGES)
    left = redacted_messages(messages, redaction)
    changed = [new for new, old in zip(left, messages, strict=True) if new is not old]
    summary = redacted_summary(session.summary, redaction)
    await stm.rewrite_session(
        scope, session, messages=changed, summary=None if summary is session.summary else summary
    )
    notes = redacted_notes(session.notes, redaction)
    if notes != session.notes:
        await put_notes(scope, session_id, base=session.notes, mine=notes, stm=stm)


def redacted_start(start: TurnStart, redaction: Redaction) -> TurnStart:
    """Return a turn's start without what is to leave its session; the message itself stays as it came."""
    session = start.session
    before = redacted_messages(session.window[:-1], redaction)
    return start.model_copy(update={"session": _redacted(session, before, redaction=redaction)})


def _redacted(session: Session, before: Sequence[Message], *, redaction: Redaction) -> Session:
    changes = {
        "window": (*before, *session.window[-1:]),
        "notes": redacted_notes(session.notes, redaction),
        "summary": redacted_summary(session.summary, redaction),
    }
    return session.model_copy(update=changes)


def redacted_messages(messages: Sequence[Message], redaction: Redaction) -> list[Message]:
    """Return messages without what speaks of the topic; one that says nothing of it is the same object.

    Where only some messages are named, the others of the user stay; replies echo any of them.
    """
    left: list[Message] = []
    is_unsaid = False
    for message in messages:
        if message.role != "user":
            is_reply = message.role == "assistant"
            left.append(_redacted_message(message, redaction.topic, is_unsaid=is_unsaid and is_reply))
            continue
        is_named = not redaction.message_ids or message.id in redaction.message_ids
        goes_on = message.id in redaction.following
        new = _redacted_message(message, redaction.topic, goes_on=goes_on) if is_named else message
        is_unsaid = bool(message.text) and not new.text
        left.append(new)
    return left


def _redacted_message(
    message: Message, topic: Topic, *, is_unsaid: bool = False, goes_on: bool = False
) -> Message:
    if message.role == "system":
        return message
    is_user = message.role == "user"
    calls = message.body.tool_calls
    plain = message.body.model_copy(update={"tool_calls": None, **_unasked(message.body)})
    body = plain.masked(
        lambda text: "" if is_unsaid else topic.without(text, is_user=is_user, goes_on=goes_on)
    )
    left = [_redacted_call(call, topic) for call in calls] if calls else calls
    if body.content == message.body.content and left == calls and body.reasoning == message.body.reasoning:
        return message
    return message.model_copy(update={"body": body.model_copy(update={"tool_calls": left})})


def _unasked(body: MessageBody) -> dict[str, Any]:
    """Return the content without the list of what there was to forget, where a reply asked about one."""
    if not body.asks_topic or not isinstance(body.content, str) or body.closing_from is None:
        return {}
    return {"content": body.content[: body.closing_from].rstrip(), "closing_from": None}


def _redacted_call(call: dict[str, Any], topic: Topic) -> dict[str, Any]:
    """Return a tool call, bare of its arguments where they speak of the topic: a part of them is no JSON."""
    function = call.get("function")
    if not isinstance(function, dict) or not topic.is_told(str(function.get("arguments")), is_user=False):
        return call
    return {**call, "function": {**function, "arguments": "{}"}}


def redacted_notes(notes: SessionNotes, redaction: Redaction) -> SessionNotes:
    """Return notes without key facts, results and items of the card that speak of the topic."""
    if redaction.message_ids:
        named = redaction.message_ids
        topic = redaction.topic
        facts = tuple(
            fact for fact in notes.key_facts if fact.message_id not in named or not topic.is_told(fact.text)
        )
        return notes.model_copy(update={"key_facts": facts})
    is_told = redaction.topic.is_told
    changes = {
        "key_facts": tuple(fact for fact in notes.key_facts if not is_told(fact.text)),
        "revoked": tuple(fact for fact in notes.revoked if not is_told(fact.text)),
        "results": tuple(each for each in notes.results if not is_told(each.quote, is_user=False)),
        "task_card": _redacted_card(notes.task_card, redaction),
    }
    return notes.model_copy(update=changes)


def _redacted_card(card: TaskCard | None, redaction: Redaction) -> TaskCard | None:
    if card is None:
        return None
    is_told = redaction.topic.is_told
    done = {label: value for label, value in card.done.items() if not is_told(f"{label} {value}")}
    return TaskCard(
        intent=None if card.intent and is_told(card.intent) else card.intent,
        done=done,
        waiting=tuple(label for label in card.waiting if not is_told(label)),
    )


def redacted_summary(summary: SessionSummary | None, redaction: Redaction) -> SessionSummary | None:
    """Return a summary without what speaks of the topic; the same object where nothing does."""
    if summary is None:
        return None
    topic = redaction.topic
    left = cut_summary(summary.summary, lambda text: topic.is_told(text, is_user=False))
    return summary if left == summary.summary else summary.model_copy(update={"summary": left})
