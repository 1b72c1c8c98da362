"""The manyply command."""
