"""The files of chess games that are played: which formats they may have.

The formats themselves are master.games.chess.record's, the writing cli.playing's.
"""

from __future__ import annotations

from pathlib import Path

from master.cli.playing.game_file import Formats
from master.cli.playing.kept_files import read_text
from master.games.chess.pgn.reading import read_pgn
from master.games.chess.record import GAME_CHARACTERS_MAX, ChessRecord, write_pgn
from master.games.errors import RecordError


def read_game_file(path: Path) -> tuple[ChessRecord, str]:
    """Read the game that a file holds; return the ending of files that hold all of it.

    None do where it has comments or variations: they would be lost.

    Raises:
        RecordError: it cannot be read, or holds none.
    """
    text = read_text(path, GAME_CHARACTERS_MAX)
    try:
        record, is_whole = read_pgn(text)
    except ValueError as error:
        raise RecordError(f"{path}: {error}") from None
    return record, ".pgn" if is_whole else ""


CHESS_FORMATS = Formats({".pgn": write_pgn}, read_game_file)
