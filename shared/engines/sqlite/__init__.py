"""Long-term memory, the directory and the ledger in one SQLite file, by apsw."""
