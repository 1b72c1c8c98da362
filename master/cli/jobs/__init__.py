"""Jobs at the command line: begun, watched, listed, forgotten."""
