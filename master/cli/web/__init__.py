"""The command that opens a master's page."""
