"""A search over real analysers: its parts, their answers, and checks of these.  Pure."""
