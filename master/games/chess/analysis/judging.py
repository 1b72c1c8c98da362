"""What each move of a game was worth, and how well both sides played.

Knows values of positions and formulas.  Must not know who found the values, nor displays.

Chances to win follow from centipawns by the curve that Lichess fitted to games of its players
(lichess.org/page/accuracy): 50 + 50 (2 / (1 + exp(-0.00368208 c)) - 1) per cent.  A move's accuracy
is, from there too, 103.1668 exp(-0.04354 l) - 3.1669 per cent, l the chances it lost, 0 to 100; a
player's is the mean of his moves'.  A move that loses five points is an inaccuracy, ten a mistake,
fifteen a blunder.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from math import exp

from engine_ext.chess.looks.look_text import MOVES_MAX, LookAnswer, LookQuestion, LookValue
from master.games.chess.game import ChessGame, Ending
from master.games.chess.san import NULL_MOVE

CENTIPAWNS_MAX = 1_000
"""Of a loss: who gives away a queen, or a mate, is won or lost all the same."""

_STEEPNESS = 0.00368208


class Mark(Enum):
    """How bad a move is: its name, and the sign of chess books."""

    GOOD = ""
    INACCURACY = "?!"
    MISTAKE = "?"
    BLUNDER = "??"


_LEAST_LOSS = ((15.0, Mark.BLUNDER), (10.0, Mark.MISTAKE), (5.0, Mark.INACCURACY))


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a game, valued.

    Args:
        value: for the side to move.
        line: of best play, in UCI's words; empty where the game is over.
    """

    value: LookValue
    line: tuple[str, ...] = ()

    @property
    def is_mated(self) -> bool:
        """Whether the game has ended here by mate."""
        return not self.line and self.value.is_mate


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move that was played.

    Args:
        number: from 0.
        move: in UCI's words.
        before: the position it was made in.
        after: the position it led to.
    """

    number: int
    move: str
    before: Position
    after: Position

    @property
    def is_best(self) -> bool:
        """Whether it is the move that the analysis found."""
        return self.before.line[:1] == (self.move,)

    @property
    def value(self) -> LookValue:
        """What it was worth to its player."""
        return self.before.value if self.is_best else _turned(self.after.value)

    @property
    def lost(self) -> float:
        """Per cent of winning chances given away."""
        return max(chances(self.before.value) - chances(self.value), 0.0)

    @property
    def centipawns_lost(self) -> int:
        """The same in centipawns, mates counting CENTIPAWNS_MAX."""
        return max(_centipawns(self.before.value) - _centipawns(self.value), 0)

    @property
    def accuracy(self) -> float:
        """0 to 100."""
        return min(max(103.1668 * exp(-0.04354 * self.lost) - 3.1669, 0.0), 100.0)

    @property
    def mark(self) -> Mark:
        """How bad it is."""
        return next((mark for least, mark in _LEAST_LOSS if self.lost >= least), Mark.GOOD)


@dataclass(frozen=True, slots=True)
class PlayerFigures:
    """How well one side played.

    Args:
        moves: made.
        accuracy: 0 to 100; None: there are no moves.
        centipawns_lost: on average a move; None likewise.
        marks: how many of each kind.
    """

    moves: int
    accuracy: float | None
    centipawns_lost: float | None
    marks: dict[Mark, int]


def chances(value: LookValue) -> float:
    """Return the winning chances, in per cent, of the side to move."""
    if value.is_mate:
        return 100.0 if value.number > 0 else 0.0
    return 100.0 / (1.0 + exp(-_STEEPNESS * value.number))


def _centipawns(value: LookValue) -> int:
    if value.is_mate:
        return CENTIPAWNS_MAX if value.number > 0 else -CENTIPAWNS_MAX
    return min(max(value.number, -CENTIPAWNS_MAX), CENTIPAWNS_MAX)


def _turned(value: LookValue) -> LookValue:
    """Return a position's value as the side that has just moved sees it."""
    if not value.is_mate:
        return LookValue(-value.number)
    # Mated now: the move before it was the mate.
    return LookValue(-value.number + (1 if value.number <= 0 else 0), is_mate=True)


def questions(game: ChessGame, engine: str, nodes: int) -> list[LookQuestion]:
    """Return what is asked about a game: each position in which it goes on.

    A question has the moves since the last that cannot be taken back, or that was none; older
    positions cannot occur again.
    """
    found, first = list[LookQuestion](), 0
    for place, board in enumerate(game.boards):
        if place and (not board.clock or game.moves[place - 1] == NULL_MOVE):
            first = place
        first = max(first, place - MOVES_MAX)
        if not _is_over(game, place):
            boards, moves = game.boards[first : place + 1], game.moves[first:place]
            found.append(LookQuestion(engine, boards, moves, nodes))
    return found


def _is_over(game: ChessGame, place: int) -> bool:
    return place == len(game.moves) and game.ending is not None


def judged(game: ChessGame, answers: Sequence[LookAnswer]) -> list[JudgedMove]:
    """Return a game's moves, by the answers to its questions; null moves are not judged."""
    positions = [Position(each.lines[0].value, each.lines[0].moves) for each in answers]
    if len(positions) < len(game.boards):
        is_mate = game.ending is Ending.CHECKMATE
        positions.append(Position(LookValue(0, is_mate)))
    return [
        JudgedMove(number, move, positions[number], positions[number + 1])
        for number, move in enumerate(game.moves)
        if move != NULL_MOVE
    ]


def figures(game: ChessGame, moves: Sequence[JudgedMove], side: str) -> PlayerFigures:
    """Return how well a side, "w" or "b", played."""
    own = [move for move in moves if game.side_of(move.number) == side]
    marks = {mark: sum(move.mark is mark for move in own) for mark in Mark}
    if not own:
        return PlayerFigures(0, None, None, marks)
    return PlayerFigures(
        len(own), sum(move.accuracy for move in own) / len(own),
        sum(move.centipawns_lost for move in own) / len(own), marks,
    )  # fmt: skip
