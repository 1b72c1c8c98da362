"""The store: jobs, trial results, fold snapshots and answers, durable in one SQLite file."""
