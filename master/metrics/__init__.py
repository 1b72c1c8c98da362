"""The door for those who watch a master by its numbers: HTTP, and text in Prometheus's format."""
