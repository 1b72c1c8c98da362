"""`manyply simulate`: shared parts of the games' commands."""
