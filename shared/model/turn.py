"""What a chat turn yields: commands and their outcomes, notices, recalled rows, the reply."""

from __future__ import annotations

from typing import Any, Literal

from shared.model.base import Value

CommandKind = Literal[
    "set", "append", "remove", "remember", "forget", "ban_topic", "lift_topic", "confirm", "reject", "undo"
]
NoticeKind = Literal[
    "missing", "expired", "conflict", "sealed", "degraded", "recall_unavailable", "topic", "limit"
]


class CommandOutcome(Value):
    """A command of the user's and what became of it."""

    kind: CommandKind
    path: str | None = None
    old: Any = None
    new: Any = None
    outcome: Literal["applied", "pending", "refused"] = "applied"
    reason: str | None = None


class Notice(Value):
    """Something that the user or the front should know about this turn."""

    kind: NoticeKind
    path: str | None = None
    text: str


class Recalled(Value):
    """A row that was recalled for a turn; `why` holds the parts of its score."""

    id: str
    kind: str
    text: str
    score: float
    why: dict[str, float]


class Usage(Value):
    """Tokens of a turn; `memory_tokens` is what recall and fields added to the prompt."""

    prompt_tokens: int
    completion_tokens: int
    memory_tokens: int


class TurnResult(Value):
    """The whole answer of a turn, as the API gives it and as a claim keeps it for 24 hours."""

    turn_id: str
    session_id: str
    reply: dict[str, str]
    commands: tuple[CommandOutcome, ...] = ()
    asks_pending: tuple[str, ...] = ()
    pending: tuple[dict[str, Any], ...] = ()
    notices: tuple[Notice, ...] = ()
    recalled: tuple[Recalled, ...] = ()
    usage: Usage
    model: str
    degraded: bool


class Delta(Value):
    """A piece of the reply, as it streams."""

    content: str


TurnEvent = tuple[Recalled, ...] | Delta | Notice | TurnResult
