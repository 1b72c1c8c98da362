"""The files of Othello games that are played: which formats they may have.

The formats themselves are master.games.othello.record's, the writing cli.playing's.
"""

from __future__ import annotations

from pathlib import Path

from engine_ext.othello.ggf import GAME_CHARACTERS_MAX
from master.cli.playing.game_file import Formats, read_text
from master.games.errors import RecordError
from master.games.othello.record import (
    Form,
    OthelloRecord,
    read_record,
    write_ggf,
    write_transcript,
)

_ENDINGS = {Form.GGF: ".ggf", Form.TRANSCRIPT: ".txt", Form.BOARD: "", Form.SUITE: ""}


def read_game_file(path: Path) -> tuple[OthelloRecord, str]:
    """Read the game that a file holds, known by its content; return the ending such files have.

    Raises:
        RecordError: it cannot be read, or holds none.
    """
    text = read_text(path, GAME_CHARACTERS_MAX)
    try:
        record, form = read_record(text)
    except ValueError as error:
        raise RecordError(f"{path}: {error}") from None
    return record, _ENDINGS[form]


OTHELLO_FORMATS = Formats({".ggf": write_ggf, ".txt": write_transcript}, read_game_file)
