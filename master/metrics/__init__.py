"""The metrics of a master: HTTP, and text in Prometheus's format."""
