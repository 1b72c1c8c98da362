"""`manyply simulate`: what the games' commands share."""
