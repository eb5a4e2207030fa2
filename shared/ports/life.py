"""What long-term memory tells of the age of a scope's rows, and how it lets them go."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal, Protocol

from shared.model.life import AgingMemory
from shared.model.memory import Ended, Memory
from shared.model.recall import RowRecord


class LifeReader(Protocol):
    """Reads of one scope, on one consistent view."""

    def aging(self, ids: Collection[str] | None = None) -> list[AgingMemory]:
        """Return the memories that are active, faded or expired, oldest first; of these ids only."""

    def ended(self, *, limit: int) -> list[Ended]:
        """Return superseded and expired memories, and former versions of fields, `limit` of each, newest."""

    def active_days(self) -> list[int]:
        """Return the days on which the user said something (since 1970, UTC), in order."""

    def count_episodes(self) -> int: ...

    def oldest_episodes(self, *, before_ms: int | None, limit: int) -> list[str]:
        """Return message ids of episodes by their arrival, oldest first, those that came before a time."""

    def evidence_ids(self) -> set[str]:
        """Return the ids of messages on which current fields and confirmed memories stand."""

    def unscored(self, *, version: int, limit: int) -> list[Memory]:
        """Return memories whose importance no rule of this version has set, nor a caller given."""


class LifeWriter(LifeReader, Protocol):
    """Writes of one scope, inside one transaction."""

    def end_memory(self, memory_id: str, *, status: Literal["faded", "expired"], at_ms: int) -> bool:
        """End an active memory: it leaves the index and may be revived; False where none is active."""

    def revive_memory(self, memory_id: str, *, record: RowRecord, at_ms: int) -> bool:
        """Make a faded or expired memory active again, without an end; it counts as used at that time."""

    def delete_episodes(self, message_ids: Sequence[str]) -> int:
        """Delete episodes with every trace of their terms; returns how many."""

    def delete_digests(self) -> int:
        """Remove what all sessions left to the next one; returns how many."""

    def expire_updates(self) -> int:
        """Write down which open pending updates have run out; returns how many."""

    def weigh_memory(self, memory_id: str, *, importance: float, version: int | None) -> None:
        """Set an importance by a rule's version; None: a caller gave it, and no rule touches it."""

    def set_expiry(self, memory_id: str, *, expires_at_ms: int) -> None:
        """Let a memory end at another time than it was to."""

    def prune_ledgers(self, *, before_ms: int) -> None:
        """Forget active days before a time, and ids of deleted rows that no snapshot can hold any more."""
