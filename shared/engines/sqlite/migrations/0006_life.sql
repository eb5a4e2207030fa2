-- The end of things: scopes that are being erased, and the receipts that stay of them.

-- A key that is `ending` opens nothing for anybody but the erasure that needs it to empty the index.
ALTER TABLE scope_keys ADD COLUMN ending INTEGER NOT NULL DEFAULT 0;

-- Ids, times and counts only. The counts grow in the transactions that delete.
CREATE TABLE erasures (
    tenant_id TEXT NOT NULL,
    erasure_id TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    generation INTEGER NOT NULL,
    state TEXT NOT NULL,
    stores TEXT NOT NULL,
    scope_created_at_ms INTEGER NOT NULL,
    requested_at_ms INTEGER NOT NULL,
    key_destroyed_at_ms INTEGER,
    signature TEXT,
    PRIMARY KEY (tenant_id, erasure_id)
) WITHOUT ROWID, STRICT;

CREATE UNIQUE INDEX erasures_by_scope ON erasures (tenant_id, scope_id);
CREATE INDEX erasures_unfinished ON erasures (state) WHERE state <> 'done';

-- Rows that were deleted on purpose: a restore leaves them out. Ids only.
CREATE TABLE forgotten_rows (
    tenant_id TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    target_id TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, scope_id, kind, target_id)
) WITHOUT ROWID, STRICT;

-- What a job was asked to do beside its target: a snapshot's id and tag, whether to change anything.
ALTER TABLE jobs ADD COLUMN options TEXT NOT NULL DEFAULT '{}';

-- Which rule set a memory's importance: 0 none yet, -1 a caller gave it. When it faded or expired.
ALTER TABLE memories ADD COLUMN score_version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE memories ADD COLUMN ended_at_ms INTEGER;
CREATE INDEX memories_by_score ON memories (score_version) WHERE status = 'active';

-- The days (since 1970, UTC) on which a user said something: a memory idles by these, not by the calendar.
CREATE TABLE active_days (
    tenant_id TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    day INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, scope_id, day)
) WITHOUT ROWID, STRICT;

INSERT INTO active_days (tenant_id, scope_id, day)
SELECT DISTINCT tenant_id, scope_id, received_at_ms / 86400000 FROM episodes WHERE role = 'user';
