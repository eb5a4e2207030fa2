"""Banned topics and digests in a dictionary: a part of the fake of long-term memory."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from shared.model.session_state import BannedTopic, Digest

_DIGEST_KEPT_MS = 14 * 86_400_000


@dataclass
class Leftovers:
    """What outlives the sessions of one scope."""

    topics: dict[str, BannedTopic] = field(default_factory=dict)
    digests: dict[str, Digest] = field(default_factory=dict)
    deleted: dict[str | None, int] = field(default_factory=dict)


class LeftoversReader:
    """Reads topics and digests."""

    def __init__(self, kept: Leftovers, *, now_ms: int) -> None:
        self._kept = kept
        self._now_ms = now_ms

    def deleted_sessions(self, session_ids: Collection[str]) -> dict[str, int]:
        deleted = self._kept.deleted
        times = {name: max(deleted.get(name, 0), deleted.get(None, 0)) for name in session_ids}
        return {name: at_ms for name, at_ms in times.items() if at_ms}

    def topics(self) -> list[BannedTopic]:
        return sorted(self._kept.topics.values(), key=lambda topic: topic.at_ms)

    def digest(self, session_key: str) -> Digest | None:
        return self._kept.digests.get(session_key)

    def newest_digest(self, *, without_key: str, since_ms: int) -> Digest | None:
        found = [
            digest
            for key, digest in self._kept.digests.items()
            if key != without_key and digest.at_ms >= since_ms
        ]
        return max(found, key=lambda digest: digest.at_ms, default=None)


class LeftoversWriter(LeftoversReader):
    """Writes topics and digests."""

    def note_deleted_session(self, session_id: str | None) -> None:
        self._kept.deleted[session_id] = max(self._kept.deleted.get(session_id, 0), self._now_ms)

    def ban_topic(self, topic: BannedTopic) -> bool:
        is_new = topic.topic.casefold() not in self._kept.topics
        self._kept.topics.setdefault(topic.topic.casefold(), topic)
        return is_new

    def lift_topic(self, topic: str) -> bool:
        return self._kept.topics.pop(topic.casefold(), None) is not None

    def put_digest(self, digest: Digest) -> None:
        self._kept.digests[digest.session_key] = digest
        oldest_ms = self._now_ms - _DIGEST_KEPT_MS
        self._kept.digests = {
            key: each for key, each in self._kept.digests.items() if each.at_ms >= oldest_ms
        }

    def delete_digest(self, session_id: str) -> bool:
        keys = [key for key, each in self._kept.digests.items() if each.session_id == session_id]
        for key in keys:
            del self._kept.digests[key]
        return bool(keys)
