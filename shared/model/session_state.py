"""What a session carries beside its messages: the shapes that outlive the window.

Key facts, results of the assistant, the task card and the summary are values here, so that ports can
speak of them; what they mean and how they are made is told in `shared/stm`.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, Final, Literal

from pydantic import Field

from shared.model.base import Value

FactKind = Literal["prohibition", "requirement", "preference", "value"]
LISTS: Final = ("done", "pending", "constraints", "preferences", "decisions", "open_questions")


class KeyFact(Value):
    """One key fact: the clause as the user wrote it; `label` is the noun of its number, if it has one."""

    kind: FactKind
    label: str | None
    text: str
    message_id: str


class AssistantResult(Value):
    """A value that the assistant gave: folded label, number, unit (ISO code, %, measure) and clause."""

    label: str
    value: Decimal
    unit: str | None
    quote: str
    message_id: str


class TaskCard(Value):
    """Intent, done items with their values, and the labels of what waits; all in the user's language."""

    intent: str | None = None
    done: dict[str, Any] = Field(default_factory=dict)
    waiting: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.intent or self.done or self.waiting)


class Summary(Value):
    """The fixed shape; all lists and `confirmed` may be empty, `text` is at most 150 Han or 100 words."""

    goal: str = ""
    confirmed: dict[str, str] = Field(default_factory=dict)
    done: tuple[str, ...] = ()
    pending: tuple[str, ...] = ()
    constraints: tuple[str, ...] = ()
    preferences: tuple[str, ...] = ()
    decisions: tuple[str, ...] = ()
    open_questions: tuple[str, ...] = ()
    text: str = ""

    @property
    def is_empty(self) -> bool:
        return not (self.goal or self.confirmed or self.text or any(getattr(self, name) for name in LISTS))

    def phrases(self) -> list[str]:
        """Return everything it says, one phrase each."""
        pairs = [f"{label} {value}" for label, value in self.confirmed.items()]
        lists = [item for name in LISTS for item in getattr(self, name)]
        return [phrase for phrase in (self.goal, *pairs, *lists, self.text) if phrase]


class SessionSummary(Value):
    """A session's summary as it is stored: `version` counts rounds, `to_seq` is the last message it holds."""

    summary: Summary
    version: int
    to_seq: int
    made_at_ms: int
    made_by: Literal["model", "rule"]


class Digest(Value):
    """What a session leaves to the user's next one: its summary and its open task card, with its date."""

    session_id: str
    session_key: str
    at_ms: int
    summary: Summary
    card: TaskCard | None = None


class BannedTopic(Value):
    """A topic that the user wants left alone in all sessions, with the words that banned it."""

    topic: str
    quote: str
    session_id: str | None
    message_id: str | None
    at_ms: int
