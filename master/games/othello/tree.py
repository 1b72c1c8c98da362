"""Othello endgames for the parallel search: the game's tree, and the laboratory's engine.

A position is its size and its discs, those of the side to move first; depth is the number of empty
squares; values are discs, windows beyond -64 .. 64 are cut to that.
"""

import struct
from collections.abc import Sequence

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.evaluation import Evaluation
from engine_ext.othello.part_search import PartSolver, to_score
from engine_ext.othello.parts import DISC
from engine_ext.othello.search import DepthSearch, default_evaluation
from engine_ext.othello.table import HashTable
from master.search.events import MoveBounds, TableEntry
from master.search.rules import Child

ESTIMATE_SPREAD = 3.0
"""Discs that estimates at 20 empty squares are off, about."""

EVALUATION_NODES = 2.1
"""The cost of an analyser's evaluation, which orders a part's moves, in nodes of an endgame.
Source of this and the two below: tests/benchmarks/othello_costs.py."""

GLANCE_NODES = 3.0
"""The cost of the master's evaluation, which is for a few positions at a time."""

GUESS_NODES = 3.5
"""The cost of a node of a guess, with a new table."""

GUESS_EMPTIES = 10
"""A score is guessed by a fast search that leaves out so many plies of the game.  Of FFO #40-#51 it
takes 2 to 42 ms, .1 to 1 % of the solving, and is off by 1.8 discs on average; two plies less take
half the time and are off by 3.2, two more twice the time and are off by 2.7.  MTD(f) needs 322
million nodes for FFO #45 by a guess that is two discs too low, 254 by the right one."""

GUESS_ERROR = 2
"""Discs: half the width of a window around a guess."""

EARLY_PLIES = 4
"""A fleet begins with the guess as it is so many plies before its end, and gets the final one
later: else 255 of 256 analysers would do nothing for a sixth of the time.  Six and eight plies
before its end the guess is wrong too often: with 64 analysers, waiting is faster."""

EARLY_DEPTH_MIN = 6
"""Less deep searches are useless, and this one takes a millisecond."""

GUESS_DEPTH_MAX = 16
"""No guess is worth more than half a second, since it cannot be stopped."""

GUESS_SIZE = 8
"""Learned evaluations are in discs; those of smaller boards are not."""

TABLE_BYTES = 1 << 25
"""Of a simulated analyser, as shipped ones begin with: it must hold all shared entries."""

FLEET_TABLE_BYTES = 1 << 31
"""Of all simulated analysers at most: 256 have less each."""

GUESS_TABLE_BYTES = 1 << 22
"""Of a guess, as shipped."""

_POSITION = struct.Struct("<BQQ")
_BOUNDS = struct.Struct("<hh")
"""The beginning of a table entry's content."""


def to_position(board: OthelloBoard) -> bytes:
    """Return a board in the form of the search's trees."""
    return _POSITION.pack(board.size, board.player, board.opponent)


def to_board(position: bytes) -> OthelloBoard:
    """Return the board of a position, the side to move as black."""
    size, player, opponent = _POSITION.unpack(position)
    return OthelloBoard(player, opponent, "X", size)


class OthelloEndgame:
    """The rules of a `Game`: moves by their squares from a1, b1, ... on; a pass is an only move.

    Estimates search one ply.  Each takes the master's time: with very many analysers it has no time
    for positions that are split often, those far from the root.

    Args:
        evaluation: estimates values, in units of 1/100 disc.
        glance_depth: positions of less depth are evaluated without search.

    Attributes:
        evaluated: positions, for all estimates so far.
    """

    def __init__(self, evaluation: Evaluation | None = None, glance_depth: int = 0) -> None:
        self._evaluation = evaluation if evaluation is not None else default_evaluation(8)
        self._glance_depth = glance_depth
        self.evaluated = 0

    @property
    def spread(self) -> float:
        """The usual distance between values and their estimates, in discs."""
        return ESTIMATE_SPREAD

    def children(self, position: bytes, depth: int) -> Sequence[Child]:
        """Return the positions after each legal move, in canonical order."""
        board = to_board(position)
        if depth == 0 or board.is_over:
            return ()
        if board.must_pass:
            return (Child(to_position(board.passed()), depth),)
        return [Child(to_position(board.play(move)), depth - 1) for move in board.moves()]

    @property
    def beyond(self) -> int:
        """None: a bound that was enough is the best guess there is."""
        return 0

    def estimates(self, children: Sequence[Child]) -> Sequence[int]:
        """Return estimates of positions' values, in discs for their sides to move."""
        return [to_score(self._glance(child)) for child in children]

    def hint_key(self, position: bytes) -> bytes:
        """Return a position's key: it is the same at all depths."""
        return position

    def entry_key(self, child: Child) -> bytes:
        """Return a position's key in tables: its discs and its depth."""
        return child.position[1:] + bytes((child.depth,))

    def entry_bounds(self, content: bytes) -> tuple[int, int]:
        """Return (lower, upper), in the unit of values."""
        lower, upper = _BOUNDS.unpack_from(content)
        return lower, upper

    def _glance(self, child: Child) -> int:
        plies = 1 if child.depth >= self._glance_depth else 0
        value, count = self._evaluation.lookahead(to_board(child.position), plies)
        self.evaluated += count
        return value


class OthelloMidgame(OthelloEndgame):
    """The same game with depth in moves to look ahead; values are 1/100 discs."""

    @property
    def spread(self) -> float:
        """The usual distance between values and their estimates, in 1/100 discs."""
        return ESTIMATE_SPREAD * DISC

    def estimates(self, children: Sequence[Child]) -> Sequence[int]:
        """Return estimates of positions' values, for their sides to move."""
        return [self._glance(child) for child in children]


class ScoreGuess:
    """An estimate of a board's score; it is even, like nearly all scores.

    Args:
        board: whose; small ones and those with few empty squares are not worth a search.

    Attributes:
        nodes: searched so far.
    """

    def __init__(self, board: OthelloBoard) -> None:
        self._board = board
        self._depth = min(board.empties - GUESS_EMPTIES, GUESS_DEPTH_MAX)
        if board.size < GUESS_SIZE:
            self._depth = 0
        self._begun = 0  # how deep it has been searched
        self._table = HashTable(GUESS_TABLE_BYTES)
        self._guess = 0
        self.nodes = 0

    def early(self) -> int:
        """Return the guess EARLY_PLIES before its end."""
        return self._searched(max(self._depth - EARLY_PLIES, min(self._depth, EARLY_DEPTH_MIN)))

    def whole(self) -> int:
        """Return the best guess, which continues from the early one."""
        return self._searched(self._depth)

    def _searched(self, depth: int) -> int:
        if depth > self._begun:
            first, self._begun = self._begun + 1, depth
            search = DepthSearch(
                self._board, depth, first_depth=first, mode="fast", table=self._table
            )
            search.run()
            assert search.value is not None
            self._guess = 2 * round(search.value / (2 * DISC))
            self.nodes += search.nodes
        return self._guess


def simulated_table(analysers: int) -> HashTable:
    """Return a new table for one of so many simulated analysers."""
    return HashTable(min(TABLE_BYTES, FLEET_TABLE_BYTES // analysers))


class SolverEngine:
    """The laboratory's `Engine` over the endgame solver, with a table of its own.

    Args:
        table: a new one by default.
        evaluation: orders moves.
    """

    def __init__(self, table: HashTable | None = None, evaluation: Evaluation | None = None):
        self._table = table if table is not None else simulated_table(1)
        self._part = PartSolver(self._table, evaluation)

    def begin(self, position: bytes, depth: int, alpha: int, beta: int) -> float:
        """Begin a search; the last one, finished or not, is over; return the cost of beginning."""
        board = to_board(position)
        if depth != board.empties:
            raise ValueError(f"expected depth {board.empties}, the empties, not {depth}")
        self._part.begin(board, alpha, beta)
        return EVALUATION_NODES * self._part.examined

    def step(self, nodes: int) -> int:
        """Continue the search for about so many nodes; return their number."""
        return self._part.step(nodes)

    @property
    def is_done(self) -> bool:
        """Whether the search is finished."""
        return self._part.is_done

    def proved(self) -> tuple[int, int]:
        """Return (lower, upper) of the position's value, whether it is finished or not."""
        return self._part.proved()

    def best(self) -> int | None:
        """Return the best move found so far."""
        return self._part.best()

    def moves(self) -> tuple[MoveBounds, ...]:
        """Return the proved bounds of all moves, and estimates for those left to search."""
        return tuple(MoveBounds(*move) for move in self._part.moves())

    @property
    def answer_nodes(self) -> float:
        """The cost of finding the result of `moves`: none, it was known before."""
        return 0.0

    def news(self, depth_min: int) -> tuple[TableEntry, ...]:
        """Return table entries of at least this depth that are new since the last call."""
        return tuple(self._table.news(depth_min))

    def learn(self, entries: tuple[TableEntry, ...]) -> None:
        """Take over other analysers' entries."""
        self._table.learn(entries)
