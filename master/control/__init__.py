"""The control socket: its server and the client that speaks as the service does."""
