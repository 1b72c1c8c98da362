"""Names of Othello openings, and the openings of a game.

A name belongs to a board and to the seven symmetric ones, for every order of moves that leads to
it.

data/openings.tsv has moves from f5 on, names (the usual one first), and their sources: N, the
openings of C. Welty's NBoard (com.welty.nboard.thor.ThorOpeningMap); E, those of Othello Max by S.
Edwardson; I, OthelloIA (github.com/karimirak/OthelloIA, MovingData.py).  Each is given by two.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.transcript import boards_of, from_transcript


@dataclass(frozen=True, slots=True)
class Opening:
    """An opening.

    Args:
        moves: that lead to it, f5 first.
        names: its names, the usual one first.
    """

    moves: tuple[str, ...]
    names: tuple[str, ...]

    @property
    def name(self) -> str:
        """Its usual name."""
        return self.names[0]


@cache
def openings() -> tuple[Opening, ...]:
    """Return all openings, in the order of their moves."""
    text = (files("engine_ext.othello") / "data" / "openings.tsv").read_text(encoding="ascii")
    return tuple(_row(line) for line in text.splitlines()[1:])


def _row(line: str) -> Opening:
    moves, names, _ = line.split("\t")
    return Opening(tuple(from_transcript(moves)), tuple(names.split(", ")))


@cache
def _by_board() -> Mapping[OthelloBoard, Opening]:
    start = OthelloBoard.start()
    return {boards_of(each.moves, start)[-1].canonical(): each for each in openings()}


def opening_of(boards: Iterable[OthelloBoard]) -> Opening | None:
    """Return the last opening that has a name among a game's boards; None: there is none."""
    known, found = _by_board(), None
    for board in boards:
        found = known.get(board.canonical(), found)
    return found


def from_f5(moves: Iterable[str]) -> tuple[str, ...]:
    """Return a game's moves as they are after turning the board so that the first one is f5.

    Args:
        moves: from the usual start, in lower case; others begin with another symmetry.
    """
    moves = tuple(moves)
    start = OthelloBoard.start()
    if not moves or moves[0] not in start.moves():
        return moves
    wanted = start.play("f5")
    board = start.play(moves[0])
    symmetry = next(each for each in range(8) if board.transformed(each) == wanted)
    return tuple(_turned(move, symmetry) for move in moves)


def _turned(move: str, symmetry: int) -> str:
    disc = 1 << ("abcdefgh".index(move[0]) + 8 * (int(move[1]) - 1))
    square = OthelloBoard(disc, 0).transformed(symmetry).player.bit_length() - 1
    return "abcdefgh"[square % 8] + str(square // 8 + 1)
