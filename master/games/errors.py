"""The errors for a bad record of any game, and for a bad question about a position."""


class RecordError(ValueError):
    """A record that cannot be read or replayed; the text names file, line or game and move."""


class LineError(RecordError):
    """A RecordError with its place: the line, from 1, and the column in it."""

    def __init__(self, name: str, line: int, message: str, column: int = 0) -> None:
        """Name the file and the line."""
        super().__init__(f"{name}:{line}: {message}")
        self.message = message
        self.place = (line, column)


class AskedError(ValueError):
    """An impossible question about a position; the text gives the reason in one line."""


class OtherTextError(ValueError):
    """A text that is no attempt at a position of this game; the text names the expected form."""
