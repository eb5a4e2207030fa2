-- What took a memory's place, where that was a memory too.
ALTER TABLE memories ADD COLUMN replaced_by TEXT;

-- What holds no longer is read in every turn, and is little beside what does.
CREATE INDEX memories_ended ON memories (tenant_id, scope_id, memory_id) WHERE status IN ('superseded', 'expired');
CREATE INDEX fields_ended ON fields (tenant_id, scope_id, valid_to_ms) WHERE valid_to_ms IS NOT NULL;

-- A tenant's own words: groups of phrases that mean the same. They are the team's, not a user's.
CREATE TABLE synonyms (
    tenant_id TEXT PRIMARY KEY,
    version INTEGER NOT NULL,
    groups TEXT NOT NULL,
    changed_at_ms INTEGER NOT NULL
) WITHOUT ROWID, STRICT;

-- By which rules a row was indexed, and by which all rows of a scope are: others are indexed anew.
ALTER TABLE search_rows ADD COLUMN version INTEGER NOT NULL DEFAULT 0;
ALTER TABLE scopes ADD COLUMN index_version INTEGER NOT NULL DEFAULT 0;
CREATE INDEX scopes_by_index ON scopes (index_version) WHERE ended_at_ms IS NULL;
