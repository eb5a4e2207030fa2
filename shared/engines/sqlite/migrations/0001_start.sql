-- The first schema. `tenant_id, scope_id` lead every key of a scoped table. Whatever people wrote, and
-- every id that came from outside, stands sealed or as a keyed hash; what is plain is ours: ids that we
-- made, numbers, times, codes and dotted paths of the schema.

CREATE TABLE deployment (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) WITHOUT ROWID, STRICT;

-- `wrapped` is the tenant's key (audit chain, names of outside ids), wrapped by the master key. The head of
-- the audit chain (number and code of its newest entry) is itself authenticated, so that a cut tail shows.
CREATE TABLE tenants (
    tenant_id TEXT PRIMARY KEY,
    wrapped BLOB NOT NULL,
    settings TEXT NOT NULL DEFAULT '{}',
    audit_seq INTEGER NOT NULL,
    audit_code BLOB NOT NULL,
    audit_head_mac BLOB NOT NULL,
    created_at_ms INTEGER NOT NULL
) WITHOUT ROWID, STRICT;

CREATE TABLE api_keys (
    tenant_id TEXT NOT NULL,
    key_id TEXT NOT NULL,
    key_hash TEXT NOT NULL UNIQUE,
    label TEXT NOT NULL,
    permissions TEXT NOT NULL,
    created_at_ms INTEGER NOT NULL,
    revoked_at_ms INTEGER,
    PRIMARY KEY (tenant_id, key_id)
) WITHOUT ROWID, STRICT;

-- `outside_hash` is keyed by the tenant; `outside_id` is sealed by the scope and goes dark with it.
-- `edits` moves when an indexed row changed or went; `newest_row` when one came: caches compare both.
CREATE TABLE scopes (
    tenant_id TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    kind TEXT NOT NULL,
    outside_hash TEXT NOT NULL,
    outside_id BLOB NOT NULL,
    generation INTEGER NOT NULL DEFAULT 1,
    created_at_ms INTEGER NOT NULL,
    ended_at_ms INTEGER,
    edits INTEGER NOT NULL DEFAULT 0,
    newest_row INTEGER NOT NULL DEFAULT 0,
    PRIMARY KEY (tenant_id, scope_id)
) WITHOUT ROWID, STRICT;

-- One living scope for an outside id; an ended one stays beside it and is never used again.
CREATE UNIQUE INDEX scopes_by_outside_hash ON scopes (tenant_id, outside_hash) WHERE ended_at_ms IS NULL;

-- The only table that snapshots leave out: without its row, a scope is dark for good.
CREATE TABLE scope_keys (
    tenant_id TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    wrapped BLOB NOT NULL,
    PRIMARY KEY (tenant_id, scope_id)
) WITHOUT ROWID, STRICT;

-- `content` seals value and source. The version that replaced one is `superseded_by`.
CREATE TABLE fields (
    tenant_id TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    path TEXT NOT NULL,
    version INTEGER NOT NULL,
    removed INTEGER NOT NULL,
    valid_from_ms INTEGER NOT NULL,
    valid_to_ms INTEGER,
    recorded_at_ms INTEGER NOT NULL,
    origin TEXT NOT NULL,
    confirmed_at_ms INTEGER,
    superseded_by INTEGER,
    content BLOB NOT NULL,
    PRIMARY KEY (tenant_id, scope_id, path, version)
) WITHOUT ROWID, STRICT;

-- `text_hash` is the keyed hash of the normal text, `session_key` that of the source's session.
CREATE TABLE memories (
    tenant_id TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    memory_id TEXT NOT NULL,
    row_id INTEGER,
    kind TEXT NOT NULL,
    status TEXT NOT NULL,
    sensitivity TEXT NOT NULL,
    origin TEXT NOT NULL,
    importance REAL NOT NULL,
    confidence REAL NOT NULL,
    pinned INTEGER NOT NULL,
    valid_from_ms INTEGER NOT NULL,
    valid_to_ms INTEGER,
    created_at_ms INTEGER NOT NULL,
    expires_at_ms INTEGER,
    last_accessed_at_ms INTEGER,
    access_count INTEGER NOT NULL DEFAULT 0,
    text_hash TEXT NOT NULL,
    session_key TEXT,
    content BLOB NOT NULL,
    PRIMARY KEY (tenant_id, scope_id, memory_id)
) WITHOUT ROWID, STRICT;

CREATE INDEX memories_by_text ON memories (tenant_id, scope_id, text_hash);
CREATE INDEX memories_by_expiry ON memories (tenant_id, scope_id, expires_at_ms)
    WHERE expires_at_ms IS NOT NULL;

-- A session's epoch has a small number within its scope, so that no row repeats its name.
CREATE TABLE sessions (
    tenant_id TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    session_key TEXT NOT NULL,
    epoch INTEGER NOT NULL,
    session_no INTEGER NOT NULL,
    session_id BLOB NOT NULL,
    PRIMARY KEY (tenant_id, scope_id, session_key, epoch)
) WITHOUT ROWID, STRICT;

CREATE UNIQUE INDEX sessions_by_number ON sessions (tenant_id, scope_id, session_no);

CREATE TABLE episodes (
    tenant_id TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    session_no INTEGER NOT NULL,
    seq INTEGER NOT NULL,
    row_id INTEGER,
    role TEXT NOT NULL,
    state TEXT NOT NULL,
    turn_id TEXT,
    tokens INTEGER NOT NULL,
    created_at_ms INTEGER NOT NULL,
    received_at_ms INTEGER NOT NULL,
    importance REAL NOT NULL,
    last_accessed_at_ms INTEGER,
    access_count INTEGER NOT NULL DEFAULT 0,
    client_hash TEXT,
    body BLOB NOT NULL,
    PRIMARY KEY (tenant_id, scope_id, message_id)
) WITHOUT ROWID, STRICT;

CREATE INDEX episodes_by_session ON episodes (tenant_id, scope_id, session_no, seq);
CREATE INDEX episodes_by_client ON episodes (tenant_id, scope_id, client_hash) WHERE client_hash IS NOT NULL;

-- What the index knows of a row: `record` is read for every row of a scope, `terms` only to take a row
-- out of the index again (with exactly the words it was put in with). `kind`: e(pisode) or m(emory).
CREATE TABLE search_rows (
    tenant_id TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    kind TEXT NOT NULL,
    target_id TEXT NOT NULL,
    record BLOB NOT NULL,
    terms BLOB NOT NULL,
    PRIMARY KEY (tenant_id, scope_id, row_id)
) WITHOUT ROWID, STRICT;

-- Row ids are never used twice: a stale posting could otherwise point at a stranger's row.
CREATE TABLE row_counter (newest INTEGER NOT NULL) STRICT;
INSERT /* all scopes: one counter for the file */ INTO row_counter (newest) VALUES (0);

-- Keyed hashes only. `instance` lists each place of a term, from which postings are counted.
CREATE VIRTUAL TABLE search_index USING fts5 (
    terms, content = '', detail = full, columnsize = 0, tokenize = 'ascii'
);
INSERT INTO search_index (search_index, rank) VALUES ('secure-delete', 1);
CREATE VIRTUAL TABLE search_terms USING fts5vocab ('search_index', 'instance');

CREATE TABLE forgotten (
    tenant_id TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    message_id TEXT NOT NULL,
    span_no INTEGER NOT NULL,
    span BLOB NOT NULL,
    PRIMARY KEY (tenant_id, scope_id, message_id, span_no)
) WITHOUT ROWID, STRICT;

CREATE TABLE applied_jobs (
    tenant_id TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    key_hash TEXT NOT NULL,
    applied_at_ms INTEGER NOT NULL,
    result BLOB NOT NULL,
    PRIMARY KEY (tenant_id, scope_id, key_hash)
) WITHOUT ROWID, STRICT;

CREATE INDEX applied_jobs_by_time ON applied_jobs (tenant_id, scope_id, applied_at_ms);

-- The chain runs over a tenant, so `seq` follows the tenant; `details` are sealed by the scope.
CREATE TABLE audit (
    tenant_id TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    seq INTEGER NOT NULL,
    at_ms INTEGER NOT NULL,
    action TEXT NOT NULL,
    path TEXT,
    actor TEXT NOT NULL,
    request_id TEXT NOT NULL,
    details_hash BLOB NOT NULL,
    details BLOB,
    code BLOB NOT NULL,
    PRIMARY KEY (tenant_id, scope_id, seq)
) WITHOUT ROWID, STRICT;

CREATE UNIQUE INDEX audit_by_seq ON audit (tenant_id, seq);

-- Ids, numbers and codes only. Jobs of no tenant have an empty `tenant_id`.
CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    tenant_id TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    job TEXT NOT NULL,
    status TEXT NOT NULL,
    attempts INTEGER NOT NULL,
    queued_at_ms INTEGER NOT NULL,
    started_at_ms INTEGER,
    finished_at_ms INTEGER,
    reason TEXT,
    session_key TEXT NOT NULL,
    request_id TEXT NOT NULL,
    result TEXT
) WITHOUT ROWID, STRICT;

CREATE INDEX jobs_by_tenant ON jobs (tenant_id, queued_at_ms, id);
CREATE INDEX jobs_by_time ON jobs (queued_at_ms);
CREATE INDEX jobs_dead ON jobs (status) WHERE status = 'dead';
CREATE VIRTUAL TABLE search_term_counts USING fts5vocab ('search_index', 'row');
