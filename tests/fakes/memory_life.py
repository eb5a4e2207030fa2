"""Ages in a dictionary: a part of the fake of long-term memory."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, Literal

from shared.model.life import AgingMemory
from shared.model.memory import Ended, Memory
from shared.model.message import Message
from shared.model.recall import RowRecord

DAY_MS = 86_400_000
GIVEN = -1


@dataclass
class Ages:
    """What the fake keeps beside the rows: when memories ended, what weighed them, the user's days."""

    ended: dict[str, int] = field(default_factory=dict)
    replaced_by: dict[str, str | None] = field(default_factory=dict)
    versions: dict[str, int] = field(default_factory=dict)
    days: set[int] = field(default_factory=set)

    def note_days(self, moments_ms: Iterable[int]) -> None:
        self.days |= {moment_ms // DAY_MS for moment_ms in moments_ms}


class AgesReader:
    """Reads ages; the class that mixes it in has the scope's state in `_aged`, and `_now_ms`."""

    _aged: Any
    _now_ms: int

    def aging(self, ids: Collection[str] | None = None) -> list[AgingMemory]:
        return [
            self._aging(memory)
            for memory_id, memory in sorted(self._aged.memories.items())
            if memory.status in {"active", "faded", "expired"} and (ids is None or memory_id in ids)
        ]

    def _aging(self, memory: Memory) -> AgingMemory:
        record = next((row.record for row in self._aged.rows.values() if row.target_id == memory.id), None)
        last_day = None
        if memory.kind == "event" and record is not None:
            last_day = max([record.day, *(day for mention in record.mentions for day in mention)])
        named = AgingMemory.model_fields.keys() & Memory.model_fields.keys()
        return AgingMemory(
            **memory.model_dump(include=set(named)),
            ended_at_ms=self._aged.ages.ended.get(memory.id),
            last_day=last_day,
        )

    def ended(self, *, limit: int) -> list[Ended]:
        memories = [each for each in map(self._ended_memory, self._aged.memories.values()) if each]
        versions = [
            Ended(row=old, until_ms=old.valid_to_ms, newer=None if new.value is None else new)
            for history in self._aged.fields.values()
            for old, new in pairwise(history)
            if old.value is not None
        ]
        newest = [sorted(part, key=lambda each: -each.until_ms)[:limit] for part in (memories, versions)]
        return [each for part in newest for each in part]

    def _ended_memory(self, memory: Memory) -> Ended | None:
        until_ms = memory.valid_to_ms or memory.expires_at_ms or self._aged.ages.ended.get(memory.id)
        if until_ms is None or until_ms > self._now_ms or memory.status == "faded":
            return None
        newer = self._aged.memories.get(self._aged.ages.replaced_by.get(memory.id))
        is_expired = memory.status == "active"
        shown = memory.model_copy(update={"status": "expired"}) if is_expired else memory
        return Ended(row=shown, until_ms=until_ms, newer=newer)

    def active_days(self) -> list[int]:
        return sorted(self._aged.ages.days)

    def count_episodes(self) -> int:
        return len(self._aged.episodes)

    def oldest_episodes(self, *, before_ms: int | None, limit: int) -> list[str]:
        found = [(each.message.received_at_ms, name) for name, each in self._aged.episodes.items()]
        return [name for at_ms, name in sorted(found) if before_ms is None or at_ms < before_ms][:limit]

    def evidence_ids(self) -> set[str]:
        confirmed = [m for m in self._aged.memories.values() if m.status == "active" and m.origin == "user"]
        current = [versions[-1] for versions in self._aged.fields.values() if versions]
        standing = [version for version in current if version.value is not None]
        return {name for each in (*confirmed, *standing) for name in each.source.message_ids}

    def unscored(self, *, version: int, limit: int) -> list[Memory]:
        versions = self._aged.ages.versions
        found = [
            memory
            for memory_id, memory in sorted(self._aged.memories.items())
            if 0 <= versions.get(memory_id, 0) < version and memory.status == "active"
        ]
        return found[:limit]


class AgesWriter(AgesReader):
    """Ends rows and weighs them."""

    _unindex: Any
    _index_memory: Any

    def end_memory(self, memory_id: str, *, status: Literal["faded", "expired"], at_ms: int) -> bool:
        memory = self._aged.memories.get(memory_id)
        if memory is None or memory.status != "active":
            return False
        self._unindex(memory_id)
        self._aged.memories[memory_id] = memory.model_copy(update={"status": status})
        self._aged.ages.ended[memory_id] = at_ms
        return True

    def revive_memory(self, memory_id: str, *, record: RowRecord, at_ms: int) -> bool:
        memory = self._aged.memories.get(memory_id)
        if memory is None:
            return False
        has_run_out = memory.expires_at_ms is not None and memory.expires_at_ms <= self._now_ms
        if memory.status not in {"faded", "expired"} and not (memory.status == "active" and has_run_out):
            return False
        self._unindex(memory_id)
        change = {"status": "active", "expires_at_ms": None, "last_accessed_at_ms": at_ms}
        self._aged.memories[memory_id] = memory.model_copy(update=change)
        self._aged.ages.ended.pop(memory_id, None)
        self._index_memory(memory_id, record)
        return True

    def rewrite_episode(self, message: Message) -> None:
        kept = self._aged.episodes.get(message.id)
        if kept is not None:
            changed = kept.message.model_copy(update={"body": message.body})
            self._aged.episodes[message.id] = kept.model_copy(update={"message": changed})

    def delete_episodes(self, message_ids: Sequence[str]) -> int:
        gone = [name for name in message_ids if name in self._aged.episodes]
        for name in gone:
            self._unindex(name)
            del self._aged.episodes[name]
        return len(gone)

    def delete_bare_extractions(self) -> None:
        held = {(e.session_key.partition("~")[0], e.epoch) for e in self._aged.episodes.values()}
        extractions = self._aged.readings.extractions
        for place in [place for place in extractions if place not in held]:
            del extractions[place]

    def delete_digests(self) -> int:
        gone = len(self._aged.leftovers.digests)
        self._aged.leftovers.digests.clear()
        return gone

    def expire_updates(self) -> int:
        updates = self._aged.proposals.updates
        over = [
            each for each in updates.values() if each.status == "open" and each.expires_at_ms <= self._now_ms
        ]
        updates |= {each.id: each.model_copy(update={"status": "expired"}) for each in over}
        return len(over)

    def weigh_memory(self, memory_id: str, *, importance: float, version: int | None) -> None:
        memory = self._aged.memories[memory_id]
        self._aged.memories[memory_id] = memory.model_copy(update={"importance": importance})
        self._aged.ages.versions[memory_id] = GIVEN if version is None else version

    def set_expiry(self, memory_id: str, *, expires_at_ms: int) -> None:
        memory = self._aged.memories[memory_id]
        self._aged.memories[memory_id] = memory.model_copy(update={"expires_at_ms": expires_at_ms})

    def prune_ledgers(self, *, before_ms: int) -> None:
        ages = self._aged.ages
        ages.days = {day for day in ages.days if day >= before_ms // DAY_MS}
