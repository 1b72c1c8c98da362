"""What may be wrong with a record of any game."""


class RecordError(ValueError):
    """A record that cannot be read or replayed; the text names file, line or game and move."""
