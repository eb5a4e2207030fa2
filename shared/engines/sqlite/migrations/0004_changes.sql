-- Counts the write transactions of a scope: what a process has opened of it stays true until the next one.
ALTER TABLE scopes ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;

-- Index segments are merged in short slices between transactions, never inside a user's.
INSERT INTO search_index (search_index, rank) VALUES ('automerge', 0);
INSERT INTO search_index (search_index, rank) VALUES ('usermerge', 2);
