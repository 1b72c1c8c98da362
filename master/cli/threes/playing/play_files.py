"""The files of games of Threes! that are played.

The text is master.games.threes.record's, the writing cli.playing's.
"""

from __future__ import annotations

from pathlib import Path

from master.cli.playing.game_file import Formats
from master.cli.playing.kept_files import read_text
from master.games.errors import RecordError
from master.games.threes.record import (
    RECORD_CHARACTERS_MAX,
    ThreesRecord,
    read_record,
    write_record,
)

SUFFIX = ".threes"


def read_game_file(path: Path) -> tuple[ThreesRecord, str]:
    """Read the game that a file holds; return the ending of such files.

    Raises:
        RecordError: it cannot be read, or holds none.
    """
    text = read_text(path, RECORD_CHARACTERS_MAX)
    try:
        return read_record(text), SUFFIX
    except ValueError as error:
        raise RecordError(f"{path}: {error}") from None


THREES_FORMATS = Formats({SUFFIX: write_record}, read_game_file)
