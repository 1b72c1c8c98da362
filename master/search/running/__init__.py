"""A search over real analysers: who has what, what they say, and what is believed.  Pure."""
