-- Vectors of meaning, one for each row of the index and model, sealed. They are derived from the rows, so no
-- snapshot holds them: after a restore they are made anew.
CREATE TABLE vectors (
    tenant_id TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    model TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    vector BLOB NOT NULL,
    PRIMARY KEY (tenant_id, scope_id, row_id, model)
) WITHOUT ROWID, STRICT;

-- Scopes whose rows all had a vector of a model, and how the scope's rows stood then.
CREATE TABLE embedded (
    tenant_id TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    model TEXT NOT NULL,
    edits INTEGER NOT NULL,
    newest_row INTEGER NOT NULL,
    PRIMARY KEY (tenant_id, scope_id, model)
) WITHOUT ROWID, STRICT;

-- Whatever takes a row out of the index, or puts other words in its place, takes its vectors too.
CREATE TRIGGER vectors_go_with_their_row AFTER DELETE ON search_rows BEGIN
    DELETE FROM vectors
    WHERE tenant_id = OLD.tenant_id AND scope_id = OLD.scope_id AND row_id = OLD.row_id;
END;
