"""The control socket: its server, and the client with the service's interface."""
