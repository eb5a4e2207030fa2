-- How far each session has been read for proposals. `ruled_to` is what rules have read, `extracted_to` what a
-- model has; messages after it up to `archived_to` wait. `version` is that of the oldest prompt that has read
-- any of them, 0 where none has. Numbers and keyed hashes only.

CREATE TABLE extractions (
    tenant_id TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    session_key TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    archived_to INTEGER NOT NULL,
    ruled_to INTEGER NOT NULL DEFAULT 0,
    extracted_to INTEGER NOT NULL DEFAULT 0,
    version INTEGER NOT NULL DEFAULT 0,
    awaits_model INTEGER NOT NULL DEFAULT 0,
    tokens INTEGER NOT NULL DEFAULT 0,
    oldest_at_ms INTEGER NOT NULL,
    asked_at_ms INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, scope_id, session_key, epoch)
) WITHOUT ROWID, STRICT;

CREATE INDEX extractions_open ON extractions (tenant_id, scope_id) WHERE extracted_to < archived_to;

INSERT /* all scopes: what was archived before */ INTO extractions (
    tenant_id, scope_id, session_key, epoch, archived_to, tokens, oldest_at_ms)
SELECT s.tenant_id, s.scope_id, s.session_key, s.epoch, max(e.seq), sum(e.tokens), min(e.received_at_ms)
FROM sessions AS s JOIN episodes AS e
  ON e.tenant_id = s.tenant_id AND e.scope_id = s.scope_id AND e.session_no = s.session_no
GROUP BY s.tenant_id, s.scope_id, s.session_key, s.epoch;

-- A choice that the user keeps making: how often, and sealed, which one and in which words.
CREATE TABLE habits (
    tenant_id TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    habit_hash TEXT NOT NULL,
    count INTEGER NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (tenant_id, scope_id, habit_hash)
) WITHOUT ROWID, STRICT;
