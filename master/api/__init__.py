"""The one interface to a master: JSON over HTTP, on a Unix socket and, when asked, on TCP."""
