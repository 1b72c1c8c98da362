"""A master that shows itself to a master above as one analyser: its fleet."""
