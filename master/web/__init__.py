"""The master's web endpoint: JSON over HTTP, live events, and a page that shows both."""
