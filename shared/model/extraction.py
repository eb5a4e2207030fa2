"""How far sessions have been read for proposals, and what a user keeps choosing."""

from __future__ import annotations

from shared.model.base import Value


class Extraction(Value):
    """One session's reading. Messages after `extracted_to` up to `archived_to` wait for a model.

    `ruled_to` is the last one that rules have read; `version` the oldest prompt that has read any of them;
    `tokens` those that wait; `asked_at_ms` when a model was last asked (0: never).
    """

    session_key: str
    epoch: int
    archived_to: int
    ruled_to: int = 0
    extracted_to: int = 0
    version: int = 0
    awaits_model: bool = False
    tokens: int = 0
    oldest_at_ms: int = 0
    asked_at_ms: int = 0

    @property
    def waiting(self) -> int:
        """How many messages wait for a model."""
        return self.archived_to - self.extracted_to


class ExtractionStep(Value):
    """A range that was read: `to_seq` is its last message, `tokens` what it took off what waits."""

    session_key: str
    epoch: int
    from_seq: int
    to_seq: int
    tokens: int
    version: int = 0
    oldest_at_ms: int = 0


class ExtractionDebt(Value):
    """Messages not extracted, over all scopes: those that will be by themselves, those without a model."""

    count: int = 0
    oldest_ms: int | None = None
    awaiting_model: int = 0


class Habit(Value):
    """A choice that a user keeps making (`format:table`): how often, in which words and messages."""

    name: str
    count: int = 0
    quotes: tuple[str, ...] = ()
    message_ids: tuple[str, ...] = ()
