"""A master's analysers: doors, seats, dialling, and incoming messages."""
