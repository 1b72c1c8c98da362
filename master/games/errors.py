"""What may be wrong with a record of any game, or with what is asked about a position."""


class RecordError(ValueError):
    """A record that cannot be read or replayed; the text names file, line or game and move."""


class AskedError(ValueError):
    """A question that cannot be asked about a position; the text says why in one line."""
