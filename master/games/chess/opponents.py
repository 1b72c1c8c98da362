"""The opponents of chess by level, and games of one level against another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.evaluation import static_value
from engine_ext.chess.fast.search import DEPTH_MAX, FastSearch
from engine_ext.chess.fast.table import FastTable
from engine_ext.chess.fen import START, is_chess960, read_fen
from engine_ext.control import RunControl
from engine_ext.rng import philox_block
from master.games.chess.game import ChessGame, game_from
from master.games.chess.threaded_search import LINES_MAX
from master.games.opponents import LevelGames, noise

PAWN: Final = 100

TABLE_BYTES: Final = 1 << 18
"""Room for more positions than a level visits."""

VALUE_MAX: Final = 1_500
"""Values beyond, in hundredths of a pawn, count as this: noise may hide a mate, too."""


@dataclass(frozen=True, slots=True)
class Strength:
    """How a level finds its move.

    Args:
        nodes: that its search may visit; 0: no limit.
        depth: that its search may reach.
        lines: the best moves that it values; noise decides between them.
        noise: standard deviation, in hundredths of a pawn.
    """

    nodes: int
    depth: int
    lines: int
    noise: int

    @property
    def text(self) -> str:
        """Its settings in words."""
        reach = f"depth {self.depth}" if self.depth < DEPTH_MAX else f"{self.nodes:,} nodes"
        if not self.noise:
            return reach
        lines = "" if self.lines >= LINES_MAX else f", best {self.lines}"
        return f"{reach}{lines}, noise {self.noise / PAWN:.2f}"


OPPONENTS: Final[Mapping[str, Strength]] = {
    "beginner": Strength(0, 1, LINES_MAX, 196),
    "novice": Strength(0, 1, LINES_MAX, 157),
    "learner": Strength(0, 1, LINES_MAX, 126),
    "casual": Strength(0, 1, LINES_MAX, 96),
    "amateur": Strength(0, 1, LINES_MAX, 66),
    "intermediate": Strength(0, 1, LINES_MAX, 47),
    "club": Strength(800, DEPTH_MAX, 5, 96),
    "advanced": Strength(1_000, DEPTH_MAX, 5, 62),
    "expert": Strength(1_350, DEPTH_MAX, 5, 44),
    "master": Strength(1_650, DEPTH_MAX, 5, 25),
    "grandmaster": Strength(2_500, DEPTH_MAX, 5, 8),
    "world": Strength(1_650, DEPTH_MAX, 1, 0),
}
"""By level."""


class ChessOpponent:
    """Chooses the moves of a level. The same seed and moves get the same answers."""

    def __init__(self, strength: Strength, seed: int) -> None:
        """Prepare an opponent for games of a seed."""
        self.strength = strength
        self.seed = seed
        self._table = FastTable(TABLE_BYTES)

    def choose(self, game: ChessGame, control: RunControl | None = None) -> str:
        """Return a move of a game that is not over; the control may stop the search."""
        asked, board = self.strength, game.board
        self._table.clear()
        search = FastSearch(
            board, game.boards[:-1], self._table, control,
            line_count=min(asked.lines, board.move_count), nodes_max=asked.nodes,
            is_chess960=is_chess960(board),
        )  # fmt: skip
        while search.depth < asked.depth and search.deepen():
            continue
        worth: list[tuple[int, int, str]] = []
        for number, (value, line) in enumerate(search.lines):
            heard = noise(self.seed, game.move_count, number, asked.noise)
            capped = max(-VALUE_MAX, min(VALUE_MAX, value))
            worth.append((capped + heard, value, line[0]))
        return max(worth, key=lambda one: one[:2])[2]


OPENING_PLIES: Final = 6
OPENING_NODES: Final = 500
OPENING_EVEN: Final = 60
"""An opening is worth so many hundredths of a pawn to one side at most."""

PLIES_MAX: Final = 240
"""A longer game is drawn."""


def opening(seed: int, number: int) -> ChessGame:
    """Return a game after random moves that a short search finds fairly even."""
    table, tries = FastTable(TABLE_BYTES), 0
    while True:
        game = game_from(read_fen(START))
        for ply in range(OPENING_PLIES):
            moves = sorted(game.board.moves())
            word = philox_block(seed, number << 64 | tries << 32 | ply)[0]
            game = game.play(moves[word * len(moves) >> 32])
        tries += 1
        if game.side is not None and abs(_value(game.board, table)) <= OPENING_EVEN:
            return game


def _value(board: ChessBoard, table: FastTable) -> int:
    table.clear()
    search = FastSearch(board, table=table, nodes_max=OPENING_NODES)
    while search.deepen():
        continue
    return search.lines[0][0]


DECIDED: Final = 1_000
"""Hundredths of a pawn; a static value beyond it for DECIDED_PLIES decides a game."""

DECIDED_PLIES: Final = 8


def played(game: ChessGame, white: ChessOpponent, black: ChessOpponent) -> float:
    """Return white's points for a game that is played until it ends or is decided."""
    decided = 0
    while (side := game.side) is not None and game.move_count < PLIES_MAX:
        value = static_value(game.board) * (1 if side == "w" else -1)
        leader = (value > DECIDED) - (value < -DECIDED)
        decided = decided + leader if leader * decided > 0 else leader
        if abs(decided) >= DECIDED_PLIES:
            return float(decided > 0)
        mover = white if side == "w" else black
        game = game.play(mover.choose(game))
    return {"1-0": 1.0, "0-1": 0.0}.get(game.result, 0.5)


def pair(first: Strength, second: Strength, seed: int, number: int) -> tuple[float, float]:
    """Return the points of the first in two games from an opening, with the sides exchanged."""
    begun = opening(seed, number)
    one, other = ChessOpponent(first, seed + 2 * number), ChessOpponent(second, seed + 2 * number)
    as_white = played(begun, one, other)
    one.seed = other.seed = seed + 2 * number + 1
    return as_white, 1.0 - played(begun, other, one)


LEVEL_GAMES: Final = LevelGames(OPPONENTS, pair)
