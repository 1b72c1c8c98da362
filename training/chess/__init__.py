"""How the shipped terms of the evaluation were made; see README.md."""
