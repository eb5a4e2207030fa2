-- Structured state: proposals that wait for the user, values that may not return, each tenant's schema.
-- What people wrote is sealed in `content`; `match_hash` is the keyed hash of a value's normal form.

CREATE TABLE pending_updates (
    tenant_id TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    update_id TEXT NOT NULL,
    op TEXT NOT NULL,
    path TEXT,
    origin TEXT NOT NULL,
    confidence REAL NOT NULL,
    status TEXT NOT NULL,
    match_hash TEXT NOT NULL,
    session_key TEXT,
    created_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER NOT NULL,
    resolved_at_ms INTEGER,
    content BLOB NOT NULL,
    PRIMARY KEY (tenant_id, scope_id, update_id)
) WITHOUT ROWID, STRICT;

CREATE INDEX pending_updates_open ON pending_updates (tenant_id, scope_id, match_hash) WHERE status = 'open';

CREATE TABLE tombstones (
    tenant_id TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    tombstone_id TEXT NOT NULL,
    path TEXT,
    cause TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    restated INTEGER NOT NULL DEFAULT 0,
    content BLOB NOT NULL,
    PRIMARY KEY (tenant_id, scope_id, tombstone_id)
) WITHOUT ROWID, STRICT;

-- One value has several keys: its normal form, and its slot with numbers and polarity.
CREATE TABLE tombstone_keys (
    tenant_id TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    match_hash TEXT NOT NULL,
    tombstone_id TEXT NOT NULL,
    PRIMARY KEY (tenant_id, scope_id, match_hash, tombstone_id)
) WITHOUT ROWID, STRICT;

CREATE TABLE schemas (
    tenant_id TEXT NOT NULL,
    version INTEGER NOT NULL,
    document TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, version)
) WITHOUT ROWID, STRICT;

-- The field that a memory says the same as: setting the field supersedes the memory.
ALTER TABLE memories ADD COLUMN path TEXT;
CREATE INDEX memories_by_path ON memories (tenant_id, scope_id, path) WHERE path IS NOT NULL;
