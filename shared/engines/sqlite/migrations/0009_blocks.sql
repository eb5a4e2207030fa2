-- The records of a run of rows once more, sealed as one piece: reading a scope opens a few blocks, and not
-- a record for every row. A block holds exactly the rows of the index from `first_row` to `last_row`.
CREATE TABLE blocks (
    tenant_id TEXT NOT NULL,
    scope_id TEXT NOT NULL,
    last_row INTEGER NOT NULL,
    first_row INTEGER NOT NULL,
    block BLOB NOT NULL,
    PRIMARY KEY (tenant_id, scope_id, last_row)
) WITHOUT ROWID, STRICT;

-- So a block goes with the first of its rows that goes, and where a row comes among its rows. Blocks share no
-- row: of all that end at or after a row, the first alone may hold it, and the others are not looked at.
CREATE TRIGGER blocks_go_with_a_row AFTER DELETE ON search_rows BEGIN
    DELETE FROM blocks
    WHERE tenant_id = OLD.tenant_id AND scope_id = OLD.scope_id AND first_row <= OLD.row_id AND last_row = (
        SELECT min(last_row) FROM blocks
        WHERE tenant_id = OLD.tenant_id AND scope_id = OLD.scope_id AND last_row >= OLD.row_id);
END;
CREATE TRIGGER blocks_go_where_a_row_comes AFTER INSERT ON search_rows BEGIN
    DELETE FROM blocks
    WHERE tenant_id = NEW.tenant_id AND scope_id = NEW.scope_id AND first_row <= NEW.row_id AND last_row = (
        SELECT min(last_row) FROM blocks
        WHERE tenant_id = NEW.tenant_id AND scope_id = NEW.scope_id AND last_row >= NEW.row_id);
END;
