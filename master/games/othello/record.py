"""Games of Othello as texts: reads and writes them.

Recognises the format of a text; the formats themselves are the engine's (ggf.py, transcript.py).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.ffo import is_suite_name, suite_position
from engine_ext.othello.ggf import GAME_CHARACTERS_MAX, GgfGame, GgfMove, read_game, write_game
from engine_ext.othello.openings import opening_of
from engine_ext.othello.transcript import from_transcript, to_transcript
from master.games.errors import OtherTextError
from master.games.othello.game import OthelloGame, Turn, game_from, margin_of

POSITION_PREFIX = "othello:"
"""Before a position where one of any game is expected."""

RESIGNED = "r"
"""The flag of GGF behind the result of a game that was resigned: RE[-64.000:r]."""

START_WORDS = ("start", "startpos")
"""Words for the position before the first move."""


_TRANSCRIPT = re.compile(
    r"(?:\d{1,2}\.+)?(?:f5|d3|c4|e6)(?:[-,;|/]|\d{1,2}\.+|[a-h][1-8]|pa|ps)+", re.IGNORECASE
)
"""Of the usual board, without spaces."""

_BOARD = re.compile(r"[-.*XO]{16,}", re.IGNORECASE)


class Form(Enum):
    """The format of a text."""

    GGF = "GGF"
    TRANSCRIPT = "a transcript"
    BOARD = "a board"
    SUITE = "a position of the FFO suite"


@dataclass(frozen=True, slots=True)
class OthelloRecord:
    """A game and its players.

    Args:
        game: up to its last recorded move.
        black: the name of the player of X; empty if it is unknown.
        white: of O.
        tags: of GGF, the others, unchanged.
    """

    game: OthelloGame
    black: str = ""
    white: str = ""
    tags: tuple[tuple[str, str], ...] = ()


def read_record(text: str) -> tuple[OthelloRecord, Form]:
    """Return the game that a text holds: in GGF, a transcript, or a board to begin from.

    A board may be the name of one of the FFO suite, such as FFO41.

    Raises:
        ValueError: the text is none of these, or is malformed; names the expected form.
    """
    if len(text) > GAME_CHARACTERS_MAX:
        raise ValueError(f"a game has at most {GAME_CHARACTERS_MAX:,} characters")
    text = text.removeprefix("\ufeff")
    signs = "".join(text.split())
    if "(;" in signs:
        return record_from_ggf(read_game(text)), Form.GGF
    if is_suite_name(signs):
        return OthelloRecord(game_from(suite_position(signs).board)), Form.SUITE
    if signs and not set(signs.upper()) - set("XO-*."):
        return OthelloRecord(game_from(OthelloBoard.from_text(text))), Form.BOARD
    if not signs:
        raise ValueError("expected a game in GGF, a transcript such as f5d6c3, or a board")
    moves = from_transcript(text)
    return OthelloRecord(game_from(OthelloBoard.start(), map(Turn, moves))), Form.TRANSCRIPT


def read_position(text: str) -> OthelloRecord:
    """Return the game whose last board, `position_of`, is meant by a text: a board or a game.

    Raises:
        ValueError: the text is a malformed board, or no text that `read_record` reads.
    """
    text = text.removeprefix("\ufeff")
    signs = "".join(text.split())
    if signs.lower() in START_WORDS:
        return OthelloRecord(game_from(OthelloBoard.start()))
    if not signs or signs[0] in "xXoO*.-":
        return OthelloRecord(game_from(OthelloBoard.from_text(text)))
    if not any(map(str.isdigit, signs)):
        raise ValueError(
            f"{signs[:20]!r} is no position: expected a board, 64 characters X, O or - and the "
            "side to move, a transcript such as f5d6c3, a game in GGF, or FFO40"
        )
    return read_record(text)[0]


def read_shown(text: str) -> OthelloRecord:
    """Return the game of a text after `othello:`, or of one that is clearly Othello's.

    Raises:
        OtherTextError: the text may be of another game.
        ValueError: it is of Othello, and malformed.
    """
    if not text.startswith(POSITION_PREFIX) and not _is_of_othello(text):
        raise OtherTextError(
            f"expected {POSITION_PREFIX} and a transcript such as f5d6c3, or a board"
        )
    return read_position(text.removeprefix(POSITION_PREFIX))


def _is_of_othello(text: str) -> bool:
    """Whether a text is a transcript of two moves or more, a board, an FFO name or GGF."""
    signs = "".join(text.split())
    if is_suite_name(signs) or ("(;" in signs and "GM[OTHELLO]" in signs.upper()):
        return True
    return bool(_TRANSCRIPT.fullmatch(signs) or _BOARD.fullmatch(signs))


def position_of(record: OthelloRecord) -> OthelloBoard:
    """Return a game's current board; a board given without moves is unchanged."""
    game = record.game
    return game.board if game.turns else game.start


def write_ggf(record: OthelloRecord) -> str:
    """Write a game in GGF, on a line; with its result if it is over."""
    game = record.game
    result = f"{margin_of(game):+z.3f}" if game.side is None else ""
    ending = "" if game.resigned_by is None else RESIGNED
    moves = tuple(_ggf_moves(game))
    ggf = GgfGame(
        game.start, moves, _bare(record.black), _bare(record.white), result, ending, record.tags
    )
    return write_game(ggf) + "\n"


def write_transcript(record: OthelloRecord) -> str:
    """Write a game as a transcript, on a line.

    Raises:
        ValueError: it begins from another than the usual position, which no transcript can express.
    """
    if not is_transcribable(record.game):
        raise ValueError("a transcript begins from the usual position: expected the ending .ggf")
    return to_transcript(record.game.squares) + "\n"


def is_transcribable(game: OthelloGame) -> bool:
    """Whether a transcript contains the whole game."""
    return game.start == OthelloBoard.start()


def opening_name(game: OthelloGame) -> str | None:
    """Return the usual name of a game's opening; None: it has no name, or no usual start."""
    found = opening_of(game.boards) if is_transcribable(game) else None
    return None if found is None else found.name


def record_from_ggf(ggf: GgfGame) -> OthelloRecord:
    """Return a game that was read in GGF."""
    turns = [
        Turn(move.square, move.evaluation, move.seconds)
        for move in ggf.moves
        if move.square is not None
    ]
    game = game_from(ggf.start, turns)
    if ggf.ending == RESIGNED and float(ggf.result) and not game.board.is_over:
        game = game.resigned("O" if float(ggf.result) > 0 else "X")
    return OthelloRecord(game, ggf.black, ggf.white, ggf.tags)


def _ggf_moves(game: OthelloGame) -> Iterator[GgfMove]:
    """Yield the turns with the passes among them."""
    side = game.start.to_move
    for turn, board in zip(game.turns, game.boards, strict=False):
        if board.to_move != side:
            yield GgfMove(side, None)
        yield GgfMove(board.to_move, turn.square, turn.evaluation, turn.seconds)
        side = "O" if board.to_move == "X" else "X"


def _bare(name: str) -> str:
    """A name in GGF ends with the bracket, and a line with the line."""
    return "".join("?" if each == "]" or not each.isprintable() else each for each in name)
