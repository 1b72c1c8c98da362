"""Following a master: its changes as a stream of events."""
