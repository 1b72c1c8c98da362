"""Where the master keeps its files."""
