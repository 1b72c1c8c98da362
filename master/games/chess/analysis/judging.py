"""The value of each move of a game, and the accuracy of both sides.

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

from engine_ext.chess.probes.probe_text import MOVES_MAX, ProbeAnswer, ProbeQuestion, ProbeValue
from master.games.chess.game import ChessGame, Ending
from master.games.chess.san import NULL_MOVE

CENTIPAWNS_MAX = 1_000
"""The limit of a value when losses are computed: beyond it the game is decided anyway."""

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
        value: for the side to move; None: the engine gave none.
        line: of best play, in UCI's notation; empty if the game is over, or the engine gave none.
    """

    value: ProbeValue | None
    line: tuple[str, ...] = ()

    @property
    def is_mated(self) -> bool:
        """Whether the game has ended here by mate."""
        return not self.line and self.value == ProbeValue(0, is_mate=True)


@dataclass(frozen=True, slots=True)
class JudgedMove:
    """A move that was played.

    Args:
        number: from 0.
        move: in UCI's notation.
        before: the position before the move.
        after: the position after it.
    """

    number: int
    move: str
    before: Position
    after: Position

    @property
    def is_best(self) -> bool:
        """Whether it is the best move of the analysis."""
        return self.before.line[:1] == (self.move,)

    @property
    def value(self) -> ProbeValue | None:
        """Its value to its player; None: the engine's answers do not give it."""
        if self.is_best:
            return self.before.value
        return None if self.after.value is None else turned(self.after.value)

    @property
    def is_scored(self) -> bool:
        """Whether the loss of the move is known: if not, the move counts nowhere."""
        return self.before.value is not None and self.value is not None

    @property
    def lost(self) -> float:
        """The loss of winning chances in per cent; 0 if it is unknown."""
        if self.before.value is None or self.value is None:
            return 0.0
        return max(chances(self.before.value) - chances(self.value), 0.0)

    @property
    def centipawns_lost(self) -> int:
        """The same in centipawns, mates counting CENTIPAWNS_MAX."""
        if self.before.value is None or self.value is None:
            return 0
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
    """The figures of one side.

    Args:
        moves: their count.
        accuracy: 0 to 100; None: no move is scored.
        centipawns_lost: per move on average; None likewise.
        marks: the count of each kind.
        unscored: the count of moves whose value the engine did not give; they count in no average.
    """

    moves: int
    accuracy: float | None
    centipawns_lost: float | None
    marks: dict[Mark, int]
    unscored: int = 0


def chances(value: ProbeValue) -> float:
    """Return the winning chances, in per cent, of the side to move."""
    if value.is_mate:
        return 100.0 if value.number > 0 else 0.0
    return 100.0 / (1.0 + exp(-_STEEPNESS * value.number))


def _centipawns(value: ProbeValue) -> int:
    if value.is_mate:
        return CENTIPAWNS_MAX if value.number > 0 else -CENTIPAWNS_MAX
    return min(max(value.number, -CENTIPAWNS_MAX), CENTIPAWNS_MAX)


def turned(value: ProbeValue) -> ProbeValue:
    """Return a position's value from the view of the side that has just moved."""
    if not value.is_mate:
        return ProbeValue(-value.number)
    # Mated now: the move before it was the mate.
    return ProbeValue(-value.number + (1 if value.number <= 0 else 0), is_mate=True)


def questions(game: ChessGame, engine: str, nodes: int, depth: int = 0) -> list[ProbeQuestion]:
    """Return the questions about a game: one for each position in which a move was played.

    With a depth above 0 a probe ends there, if the nodes last so long.

    A question contains the moves since the last irreversible move or null move; older positions
    cannot occur again.
    """
    found, first = list[ProbeQuestion](), 0
    for place, board in enumerate(game.boards):
        if place and (not board.clock or game.moves[place - 1] == NULL_MOVE):
            first = place
        first = max(first, place - MOVES_MAX)
        if not _is_over(game, place):
            boards, moves = game.boards[first : place + 1], game.moves[first:place]
            found.append(ProbeQuestion(engine, boards, moves, nodes, depth=depth))
    return found


def _is_over(game: ChessGame, place: int) -> bool:
    return place == len(game.moves) and game.ending is not None


def judged(game: ChessGame, answers: Sequence[ProbeAnswer]) -> list[JudgedMove]:
    """Return a game's moves, by the answers to its questions; null moves are not judged."""
    positions = [_position(each) for each in answers]
    if len(positions) < len(game.boards):
        is_mate = game.ending is Ending.CHECKMATE
        positions.append(Position(ProbeValue(0, is_mate)))
    return [
        JudgedMove(number, move, positions[number], positions[number + 1])
        for number, move in enumerate(game.moves)
        if move != NULL_MOVE
    ]


def _position(answer: ProbeAnswer) -> Position:
    if not answer.lines:
        return Position(None)
    return Position(answer.lines[0].value, answer.lines[0].moves)


def figures(game: ChessGame, moves: Sequence[JudgedMove], side: str) -> PlayerFigures:
    """Return the figures of a side, "w" or "b"."""
    own = [move for move in moves if game.side_of(move.number) == side]
    scored = [move for move in own if move.is_scored]
    marks = {mark: sum(move.mark is mark for move in scored) for mark in Mark}
    unscored = len(own) - len(scored)
    if not scored:
        return PlayerFigures(len(own), None, None, marks, unscored)
    return PlayerFigures(
        len(own), sum(move.accuracy for move in scored) / len(scored),
        sum(move.centipawns_lost for move in scored) / len(scored), marks, unscored,
    )  # fmt: skip


def total_figures(parts: Sequence[PlayerFigures]) -> PlayerFigures:
    """Return the figures of all moves together that parts have figures of."""
    marks = {mark: sum(part.marks[mark] for part in parts) for mark in Mark}
    moves, unscored = sum(part.moves for part in parts), sum(part.unscored for part in parts)
    scored = moves - unscored
    if not scored:
        return PlayerFigures(moves, None, None, marks, unscored)
    counts = [part.moves - part.unscored for part in parts]
    accuracy = sum((part.accuracy or 0.0) * n for part, n in zip(parts, counts, strict=True))
    lost = sum((part.centipawns_lost or 0.0) * n for part, n in zip(parts, counts, strict=True))
    return PlayerFigures(moves, accuracy / scored, lost / scored, marks, unscored)
