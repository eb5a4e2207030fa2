"""Topics that a user banned for good, and the digests that sessions leave; both sealed, a row each."""

from __future__ import annotations

from shared.engines.sqlite.connections import Row
from shared.engines.sqlite.forgotten_rows import note_forgotten
from shared.engines.sqlite.view import View
from shared.model.session_state import BannedTopic, Digest

SELECT_TOPICS = """
SELECT topic_hash, content FROM topics
WHERE tenant_id = :tenant_id AND scope_id = :scope_id ORDER BY at_ms, topic_hash
"""
INSERT_TOPIC = """
INSERT INTO topics (tenant_id, scope_id, topic_hash, at_ms, content)
VALUES (:tenant_id, :scope_id, :topic_hash, :at_ms, :content)
ON CONFLICT (tenant_id, scope_id, topic_hash) DO NOTHING
"""
DELETE_TOPIC = """
DELETE FROM topics
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND topic_hash = :topic_hash
"""
SELECT_DIGEST = """
SELECT content FROM digests
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND session_key = :session_key
"""
SELECT_NEWEST = """
SELECT session_key, content FROM digests
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND session_key <> :without_key
ORDER BY at_ms DESC, session_key LIMIT 1
"""
SELECT_DIGESTS = """
SELECT session_key, content FROM digests
WHERE tenant_id = :tenant_id AND scope_id = :scope_id
"""
REPLACE_DIGEST = """
INSERT INTO digests (tenant_id, scope_id, session_key, at_ms, content)
VALUES (:tenant_id, :scope_id, :session_key, :at_ms, :content)
ON CONFLICT (tenant_id, scope_id, session_key) DO UPDATE SET at_ms = :at_ms, content = :content
"""
DELETE_DIGEST = """
DELETE FROM digests
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND session_key = :session_key
"""
DELETE_OLD_DIGESTS = """
DELETE FROM digests
WHERE tenant_id = :tenant_id AND scope_id = :scope_id AND at_ms < :oldest_ms
"""
_DIGEST_KEPT_MS = 14 * 86_400_000


def read_topics(view: View) -> list[BannedTopic]:
    """Return the topics that are banned for good, oldest first."""
    return view.open_rows(view.all(SELECT_TOPICS), _open_topic, table="topics")


def ban_topic(view: View, topic: BannedTopic) -> bool:
    """Ban a topic; False where it is banned already."""
    topic_hash = _hash_of(view, topic.topic)
    content = view.seal_json(topic.model_dump(mode="json"), f"topics:{topic_hash}")
    return view.run(INSERT_TOPIC, topic_hash=topic_hash, at_ms=topic.at_ms, content=content) > 0


def lift_topic(view: View, topic: str) -> bool:
    """Lift a ban; False where there is none."""
    return view.run(DELETE_TOPIC, topic_hash=_hash_of(view, topic)) > 0


def read_digest(view: View, session_key: str) -> Digest | None:
    """Return what one session left."""
    found = view.one(SELECT_DIGEST, session_key=session_key)
    return view.open_row(found and (session_key, *found), _open_digest, table="digests")


def read_newest_digest(view: View, *, without_key: str) -> Digest | None:
    """Return the newest digest of any other session."""
    found = view.one(SELECT_NEWEST, without_key=without_key)
    return view.open_row(found, _open_digest, table="digests")


def put_digest(view: View, digest: Digest) -> None:
    """Put a session's digest in the place of its former one, and drop those older than 14 days."""
    content = view.seal_json(digest.model_dump(mode="json"), f"digests:{digest.session_key}")
    view.run(REPLACE_DIGEST, session_key=digest.session_key, at_ms=digest.at_ms, content=content)
    view.run(DELETE_OLD_DIGESTS, oldest_ms=view.now_ms - _DIGEST_KEPT_MS)


def delete_digest(view: View, session_id: str) -> bool:
    """Remove a session's digest, found by what it says of itself; False where there is none."""
    for digest in view.open_rows(view.all(SELECT_DIGESTS), _open_digest, table="digests"):
        if digest.session_id == session_id:
            note_forgotten(view, kind="d", target_id=digest.session_key)
            return view.run(DELETE_DIGEST, session_key=digest.session_key) > 0
    return False


def _hash_of(view: View, topic: str) -> str:
    return view.sealer.blind_id("topic", topic.casefold())


def _open_topic(view: View, row: Row) -> BannedTopic:
    topic_hash, content = row
    return BannedTopic.model_validate(view.open_json(content, f"topics:{topic_hash}"))


def _open_digest(view: View, row: Row) -> Digest:
    session_key, content = row
    return Digest.model_validate(view.open_json(content, f"digests:{session_key}"))
