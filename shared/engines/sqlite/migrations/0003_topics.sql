-- What outlives a session: topics that the user banned for good, and what a session left to the next one.
-- `topic_hash` and `session_key` are keyed hashes; `content` is sealed.

CREATE TABLE topics (
    tenant_id TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    topic_hash TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (tenant_id, scope_id, topic_hash)
) WITHOUT ROWID, STRICT;

CREATE TABLE digests (
    tenant_id TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    session_key TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (tenant_id, scope_id, session_key)
) WITHOUT ROWID, STRICT;

CREATE INDEX digests_by_time ON digests (tenant_id, scope_id, at_ms);
