-- What the field of a forgotten value was called then (JSON list of labels): its number is told beside one of them.
ALTER TABLE tombstones ADD COLUMN names TEXT NOT NULL DEFAULT '[]';
