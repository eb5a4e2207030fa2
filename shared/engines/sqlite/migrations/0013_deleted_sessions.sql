-- When the user deleted a session last ('' for all of them): what came from it before stays, and says so.
CREATE TABLE deleted_sessions (
    tenant_id TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    session_key TEXT NOT NULL,
    at_ms INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, scope_id, session_key)
) WITHOUT ROWID, STRICT;
