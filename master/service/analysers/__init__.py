"""A master's analysers: endpoints, sessions, dialling, and incoming messages."""
