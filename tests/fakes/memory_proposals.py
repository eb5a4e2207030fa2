"""Pending updates and tombstones in dictionaries: a part of the fake of long-term memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from shared.model.pending import PendingStatus, PendingUpdate, Tombstone
from shared.ports.ltm import PendingFilter


@dataclass
class ProposalState:
    """What one scope has of them; `keys` are those of open updates and of tombstones."""

    updates: dict[str, PendingUpdate] = field(default_factory=dict)
    update_keys: dict[str, str] = field(default_factory=dict)
    tombstones: dict[str, Tombstone] = field(default_factory=dict)
    tombstone_keys: dict[str, frozenset[str]] = field(default_factory=dict)


class ProposalReader:
    """Reads of one scope."""

    _proposals: ProposalState
    _now_ms: int

    def pending_update(self, update_id: str) -> PendingUpdate | None:
        update = self._proposals.updates.get(update_id)
        return None if update is None else self._present_update(update)

    def _present_update(self, update: PendingUpdate) -> PendingUpdate:
        has_expired = update.status == "open" and update.expires_at_ms <= self._now_ms
        return update.model_copy(update={"status": "expired"}) if has_expired else update

    def pending_updates(self, wanted: PendingFilter) -> list[PendingUpdate]:
        found = [
            update
            for update in map(self._present_update, self._proposals.updates.values())
            if (wanted.status is None or update.status == wanted.status)
            and (wanted.path is None or update.path == wanted.path)
            and (wanted.session_id is None or update.session_id == wanted.session_id)
            and (wanted.after_id is None or update.id < wanted.after_id)
        ]
        return sorted(found, key=lambda update: update.id, reverse=True)[: wanted.limit]

    def open_update_like(self, key: str) -> PendingUpdate | None:
        found = self.pending_updates(PendingFilter(limit=1_000))
        return next((update for update in found if self._proposals.update_keys[update.id] == key), None)

    def tombstones(self, keys: Sequence[str] | None = None) -> list[Tombstone]:
        kept = self._proposals
        return [
            kept.tombstones[name]
            for name in sorted(kept.tombstones)
            if keys is None or not kept.tombstone_keys[name].isdisjoint(keys)
        ]


class ProposalWriter(ProposalReader):
    """Writes of one scope."""

    def add_update(self, update: PendingUpdate, *, key: str, most_open: int) -> None:
        self._proposals.updates[update.id] = update
        self._proposals.update_keys[update.id] = key
        for old in self.pending_updates(PendingFilter(limit=1_000))[most_open:]:
            self.close_update(old.id, status="expired")

    def close_update(self, update_id: str, *, status: PendingStatus) -> bool:
        update = self.pending_update(update_id)
        if update is None or update.status != "open":
            return False
        self._proposals.updates[update_id] = update.model_copy(update={"status": status})
        return True

    def note_stored(self, update_id: str, *, value: Any) -> None:
        update = self._proposals.updates[update_id]
        self._proposals.updates[update_id] = update.model_copy(update={"stored": value})

    def add_tombstone(self, tombstone: Tombstone, *, keys: Sequence[str]) -> None:
        self._proposals.tombstones[tombstone.id] = tombstone
        self._proposals.tombstone_keys[tombstone.id] = frozenset(keys)

    def note_restated(self, tombstone_id: str) -> None:
        kept = self._proposals.tombstones
        kept[tombstone_id] = kept[tombstone_id].model_copy(update={"restated": True})

    def lift_tombstones(self, keys: Sequence[str]) -> int:
        found = self.tombstones(keys)
        for tombstone in found:
            del self._proposals.tombstones[tombstone.id]
            del self._proposals.tombstone_keys[tombstone.id]
        return len(found)

    def drop_updates_of(self, session_id: str) -> None:
        for update in self.pending_updates(PendingFilter(session_id=session_id, limit=1_000)):
            del self._proposals.updates[update.id]
