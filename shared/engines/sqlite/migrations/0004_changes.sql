-- Counts the write transactions of a scope: what a process has opened of it stays true until the next one.
ALTER TABLE scopes ADD COLUMN changes INTEGER NOT NULL DEFAULT 0;
