"""The opponents of Othello by level, and games of one level against another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.choice import Chooser, effort_for
from engine_ext.othello.patterns import load_game_patterns
from engine_ext.othello.search import DepthSearch
from engine_ext.othello.table import HashTable
from engine_ext.rng import philox_block
from master.games.opponents import LevelGames, noise

TABLE_BYTES: Final = 1 << 20
"""Room for more boards than the search of a move visits."""

_DISC: Final = 100
"""The units of values in a disc."""


@dataclass(frozen=True, slots=True)
class Strength:
    """How a level finds its move.

    Args:
        depth: moves to look ahead.
        noise: standard deviation of the noise of a move's value, in hundredths of a disc.
    """

    depth: int
    noise: int

    @property
    def text(self) -> str:
        """Its settings in words."""
        return f"depth {self.depth}" + (f", noise {self.noise / _DISC:.2f}" if self.noise else "")


OPPONENTS: Final[Mapping[str, Strength]] = {
    "beginner": Strength(1, 1010),
    "novice": Strength(1, 759),
    "learner": Strength(1, 542),
    "casual": Strength(1, 351),
    "amateur": Strength(2, 472),
    "intermediate": Strength(2, 324),
    "club": Strength(2, 190),
    "advanced": Strength(3, 255),
    "expert": Strength(3, 146),
    "master": Strength(4, 198),
    "grandmaster": Strength(4, 100),
    "world": Strength(4, 0),
}
"""By level."""


class OthelloOpponent:
    """Chooses the moves of a level. The same seed and moves get the same answers."""

    def __init__(self, strength: Strength, seed: int) -> None:
        """Prepare an opponent for games of a seed."""
        self.strength = strength
        self.seed = seed
        self._evaluation = load_game_patterns()
        self._chooser: Chooser | None = None
        if not strength.noise:
            self._chooser = Chooser(self._evaluation, effort_for(strength.depth))
        self._table = HashTable(TABLE_BYTES)

    def choose(self, board: OthelloBoard) -> str:
        """Return a move of a board that has a legal one."""
        moves = board.moves()
        if len(moves) == 1:
            return moves[0]
        if self._chooser is not None:
            self._chooser.forget()
            return self._chooser.choose(board)
        self._table.clear()
        worth: list[tuple[int, int, str]] = []
        for number, move in enumerate(moves):
            value = self._value(board.play(move))
            heard = noise(self.seed, board.empties, number, self.strength.noise)
            worth.append((value + heard, value, move))
        return max(worth, key=lambda one: one[:2])[2]

    def _value(self, after: OthelloBoard) -> int:
        """Return the value of a board to the player who has just moved."""
        if after.is_over:
            return -_DISC * after.final_score
        sign = -1
        if after.must_pass:
            after, sign = after.passed(), 1
        depth = min(self.strength.depth - 1, after.empties)
        if depth == 0:
            return sign * self._evaluation.value(after)
        search = DepthSearch(
            after, depth, table=self._table, evaluation=self._evaluation, mode="fast"
        )
        search.run()
        assert search.value is not None, "it ran to its end"
        return sign * search.value


OPENING_PLIES: Final = 8
OPENING_DEPTH: Final = 6
OPENING_EVEN: Final = 6 * _DISC
"""An opening is worth so much to one side at most."""


def opening(seed: int, number: int) -> OthelloBoard:
    """Return a board after random moves that a search finds fairly even."""
    evaluation, table, tries = load_game_patterns(), HashTable(TABLE_BYTES), 0
    while True:
        board = OthelloBoard.start()
        for ply in range(OPENING_PLIES):
            moves = board.moves()
            if not moves:
                break
            word = philox_block(seed, number << 64 | tries << 32 | ply)[0]
            board = board.play(moves[word * len(moves) >> 32])
        tries += 1
        if not board.moves():
            continue
        table.clear()
        search = DepthSearch(board, OPENING_DEPTH, table=table, evaluation=evaluation, mode="fast")
        search.run()
        if search.value is not None and abs(search.value) <= OPENING_EVEN:
            return board


def played(board: OthelloBoard, black: OthelloOpponent, white: OthelloOpponent) -> float:
    """Return black's points for a game that is played to its end."""
    while not board.is_over:
        if board.must_pass:
            board = board.passed()
        mover = black if board.to_move == "X" else white
        board = board.play(mover.choose(board))
    score = board.final_score if board.to_move == "X" else -board.final_score
    return 0.5 if score == 0 else float(score > 0)


def pair(first: Strength, second: Strength, seed: int, number: int) -> tuple[float, float]:
    """Return the points of the first in two games from an opening, with the sides exchanged."""
    begun, own = opening(seed, number), seed + 2 * number
    one, other = OthelloOpponent(first, own), OthelloOpponent(second, own)
    as_black = played(begun, one, other)
    one.seed = other.seed = own + 1
    return as_black, 1.0 - played(begun, other, one)


LEVEL_GAMES: Final = LevelGames(OPPONENTS, pair)
