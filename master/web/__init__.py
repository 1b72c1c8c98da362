"""The master's web door: JSON over HTTP, live events, and a page that shows both."""
