"""Messages and sessions: what short-term memory holds.

A message never changes once appended. `seq` counts from 1 within a session; a session that ended and
came back under the same outside id is another *epoch* (the millisecond of its first message), so its
numbers start anew without touching the old ones.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, Literal

from shared.model.base import Value
from shared.model.session_state import AssistantResult, KeyFact, SessionSummary, TaskCard
from shared.text import cut_texts

Role = Literal["user", "assistant", "system", "tool"]
MessageState = Literal["complete", "interrupted"]
Content = str | list[dict[str, Any]] | None
EchoReasoning = Literal["never", "tool_turns", "always"]
"""Whether a model's reasoning goes back to it: some demand that (of turns that call tools), others refuse."""

MAX_REASONING_CHARS = 16_000


class MessageBody(Value):
    """The part of a message that people or models wrote: sealed wherever it lies.

    `asks_topic` is what a question of what to forget (`asks_forget`) is about, where that was only said,
    `asks_part` what of the one memory is to go where the rest stays. `is_fallback` marks a reply that was
    made from memory alone: it is kept, and never recalled. At the
    character `closing_from` the paragraphs begin that our code added to a reply (what was stored, notices,
    questions); None where there are none. `reasoning`
    is what the model thought before it spoke: no part of the words, it stays in its session's window and only
    ever goes back to the model.
    """

    content: Content
    name: str | None = None
    tool_calls: list[dict[str, Any]] | None = None
    tool_call_id: str | None = None
    client_id: str | None = None
    asks_pending: tuple[str, ...] = ()
    asks_paths: tuple[str, ...] = ()
    asks_wipe: bool = False
    asks_forget: tuple[str, ...] = ()
    asks_topic: str = ""
    asks_part: str = ""
    is_fallback: bool = False
    closing_from: int | None = None
    reasoning: str | None = None

    @classmethod
    def of_text(cls, content: str) -> MessageBody:
        """Return the body of a text that was checked before, as most messages are."""
        return cls.of_checked({**_PLAIN, "content": content})

    def with_reasoning(self, reasoning: str | None, echo: EchoReasoning) -> MessageBody:
        """Return the body with the reasoning that this policy will give back, else without any."""
        wanted = echo == "always" or (echo == "tool_turns" and bool(self.tool_calls))
        kept = reasoning if reasoning and wanted and len(reasoning) <= MAX_REASONING_CHARS else None
        return self if kept == self.reasoning else self.model_copy(update={"reasoning": kept})

    def masked(self, mask: Callable[[str], str]) -> MessageBody:
        """Return the body with `mask` run over every text that somebody wrote."""
        content, closing_from = self.content, self.closing_from
        if isinstance(content, str):
            own = mask(content[:closing_from])
            content = own if closing_from is None else own + mask(content[closing_from:])
            closing_from = None if closing_from is None else len(own)
        elif content is not None:
            content = [_masked_json(part, mask) for part in content]
        calls = self.tool_calls
        if calls is not None:
            calls = [_masked_json(call, mask) for call in calls]
        reasoning = mask(self.reasoning) if self.reasoning else None
        if content == self.content and calls == self.tool_calls and reasoning == self.reasoning:
            return self
        changed = {"content": content, "tool_calls": calls, "reasoning": reasoning}
        return self.model_copy(update={**changed, "closing_from": closing_from})


_PLAIN: Final = {name: each.default for name, each in MessageBody.model_fields.items()}


def _masked_json(value: Any, mask: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return mask(value)
    if isinstance(value, list):
        return [_masked_json(item, mask) for item in value]
    if isinstance(value, dict):
        return {name: _masked_json(item, mask) for name, item in value.items()}
    return value


class NewMessage(Value):
    """A message to append; the store gives it its `seq` and its time of arrival.

    `kept_body` is the body with its secrets masked, where it has any: what the tail holds, which other
    sessions read. The body itself stays in its session's window.
    """

    id: str
    role: Role
    body: MessageBody
    tokens: int
    turn_id: str | None = None
    state: MessageState = "complete"
    created_at_ms: int | None = None
    kept_body: MessageBody | None = None


class Message(Value):
    """An appended message. `created_at_ms` is when it was said, `received_at_ms` when it arrived."""

    id: str
    seq: int
    role: Role
    body: MessageBody
    tokens: int
    turn_id: str | None
    state: MessageState
    created_at_ms: int
    received_at_ms: int

    @property
    def text(self) -> str:
        """The message's words: its content, or the text parts of it; empty where it has none."""
        content = self.body.content
        if content is None:
            return ""
        if isinstance(content, str):
            return content
        texts = (part.get("text") for part in content if part.get("type") == "text")
        return "\n".join(text for text in texts if isinstance(text, str))

    @property
    def said(self) -> str:
        """The words of whoever speaks: nothing of a reply made from memory, nothing that our code added."""
        return "" if self.body.is_fallback else self.text[: self.body.closing_from]

    def without(self, spans: Sequence[str]) -> Message:
        """Return the message without pieces of its words, bare of words where none is left.

        A part of it that is no text (a picture) stays beside the words that are left.
        """
        if not any(spans):
            return self
        left = cut_texts(self.text, spans).strip()
        content: str | list[dict[str, Any]] = left
        if left and self.body.content is not None and not isinstance(self.body.content, str):
            others = [part for part in self.body.content if part.get("type") != "text"]
            content = [{"type": "text", "text": left}, *others]
        closing_from = None if self.body.closing_from is None else min(self.body.closing_from, len(left))
        body = self.body.model_copy(update={"content": content, "closing_from": closing_from})
        return self.model_copy(update={"body": body})

    def without_words(self) -> Message:
        """Return the message with nothing that anybody said in it."""
        bare = {"content": "", "tool_calls": None, "reasoning": None, "closing_from": None}
        return self.model_copy(update={"body": self.body.model_copy(update=bare)})


class SessionNotes(Value):
    """What a session knows beside its messages; sealed as one piece, changed by compare-and-set.

    `asked_again` are those of `asked_pending` that were asked a second time, on a yes that answered nothing;
    `instructions` are texts of system messages; `ban_messages` are ids of messages that
    state a ban; `overflow` counts key facts that did not fit; `revoked` are
    those that the user took back last; `quiet` are the first and last numbers of stretches that are off the
    record, the last 0 while it lasts; up to the message `lifted_to` all that is to be lifted was lifted.
    """

    system: str | None = None
    timezone: str | None = None
    ttl_seconds: int | None = None
    language: Literal["zh", "en"] | None = None
    asked_paths: tuple[str, ...] = ()
    asked_pending: tuple[str, ...] = ()
    asked_again: tuple[str, ...] = ()
    proposed_at_seq: int = 0
    instructions: tuple[str, ...] = ()
    key_facts: tuple[KeyFact, ...] = ()
    overflow: int = 0
    revoked: tuple[KeyFact, ...] = ()
    results: tuple[AssistantResult, ...] = ()
    task_card: TaskCard | None = None
    banned_topics: tuple[str, ...] = ()
    ban_messages: tuple[str, ...] = ()
    quiet: tuple[tuple[int, int], ...] = ()
    lifted_to: int = 0

    def is_quiet_at(self, seq: int) -> bool:
        """Whether the message of this number is off the record."""
        return any(start <= seq and (not end or seq <= end) for start, end in self.quiet)


class Session(Value):
    """A session's state. The three `…_to` are seq numbers, 0 for none; `last_seq` is the newest.

    `open_tokens` are those of messages that no summary holds.
    """

    id: str
    key: str
    epoch: int
    last_seq: int
    archived_to: int
    extracted_to: int
    compacted_to: int
    total_tokens: int
    created_at_ms: int
    last_at_ms: int
    expires_at_ms: int
    notes: SessionNotes
    notes_version: int = 0
    open_tokens: int = 0
    summary: SessionSummary | None = None
    window: tuple[Message, ...] = ()


class SessionEpoch(Value):
    """One life of a session: its key, and the number of that epoch."""

    session_key: str
    epoch: int


class DeletedSessions(Value):
    """What went with sessions that were deleted: how many messages, and which epochs held them.

    `unarchived_ids` are those of messages that no archive had taken.
    """

    messages: int
    epochs: tuple[SessionEpoch, ...] = ()
    unarchived_ids: tuple[str, ...] = ()


def applied_keys(message_id: str) -> tuple[str, ...]:
    """Return the names under which it is noted what a message has done to long-term memory."""
    return f"turn:{message_id}", f"topics:{message_id}"


class TailMessage(Value):
    """A user's message that no archive has taken yet, with the session it stands in."""

    session_id: str
    session_key: str
    epoch: int
    message: Message
