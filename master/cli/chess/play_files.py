"""The files of chess games that are played: which formats they may have.

The formats themselves are master.games.chess.record's, the writing cli.playing's.
"""

from __future__ import annotations

from pathlib import Path

from master.cli.output import echo_notice
from master.cli.playing.game_file import Formats, read_text
from master.games.chess.analysis.records import EXPECTED, WARNINGS_MAX
from master.games.chess.pgn.reading import read_pgn
from master.games.chess.pgn.splitting import is_like_pgn, split_games
from master.games.chess.record import GAME_CHARACTERS_MAX, ChessRecord, write_pgn
from master.games.errors import RecordError
from master.reports.texts import printable


def read_game_file(path: Path) -> tuple[ChessRecord, str]:
    """Return the game of a file, and the ending of files that hold all of it.

    The ending is empty if the file has comments or variations, or a position that was mended: they
    would be lost. Contradictions in the file are printed.

    Raises:
        RecordError: it cannot be read, or holds none, or several.
    """
    text = read_text(path, GAME_CHARACTERS_MAX)
    try:
        read = read_pgn(text)
    except ValueError as error:
        content = text.encode()
        if not is_like_pgn(content):
            raise RecordError(f"{path}: {EXPECTED}") from None
        lines = content.splitlines(keepends=True)
        count = sum(1 for _ in split_games(lines, lambda _: False))
        if count > 1:
            raise RecordError(f"{path} has {count:,} games, expected one") from None
        raise RecordError(f"{path}: {error}") from None
    for warning in read.warnings[:WARNINGS_MAX]:
        echo_notice(printable(f"{path.name}: {warning}"))
    return read.record, ".pgn" if read.is_whole else ""


CHESS_FORMATS = Formats({".pgn": write_pgn}, read_game_file)
