"""Chess for the parallel search: the game's tree, and the laboratory's engine.

A position is packed as in engine_ext.chess.exact.position; depth is in plies, values are
centipawns.
"""

import struct
from collections.abc import Sequence
from dataclasses import replace

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.exact.position import BEFORE, FULL_WIDTH, ROOT, GameBefore, Position
from engine_ext.chess.exact.search import ExactSearch
from engine_ext.chess.parts.part_search import PROBE_BIAS, PartDeepener
from engine_ext.chess.parts.shared_table import TABLE_BYTES_MAX
from engine_ext.search.table import KeyedTable
from master.search.events import MoveBounds, TableEntry
from master.search.rules import Child
from master.search.strategies import Strategy

ESTIMATE_SPREAD = 25.0
"""Centipawns: about the error of an estimate by captures."""

BEYOND = 60
"""A bound that was enough an iteration ago is enough again, 98 times in 100."""

FLEET_TABLE_BYTES = 1 << 31
"""Of all simulated analysers at most: 256 have less each."""

ITERATION_PLIES = 4
"""Before each search a fleet searches the root so many plies less deep: this orders its moves and
fills the tables.  A step costs a tenth of the next one."""

ITERATIONS = 3

ITERATION_DEPTH_MIN = 8
"""A less deep search is not worth the messages."""

FULL_WIDTH_PLIES = 2
"""The same for a full-width search: a step costs a twentieth."""

FULL_WIDTH_DEPTH_MIN = 5
"""64 processors that begin with seven plies take a sixth longer."""

SWAPS_FROM = 8
"""Fewer analysers than this do not stop parts for better ones: here parts are short."""

VAIN_FACTOR = 4
"""Parts that will hardly be needed are split when they are so many times as old as others: half of
the work of 256 processors is speculation."""

GUESS_ERROR = 24
"""Centipawns: half the width of a window around a guess."""

GUESS_TABLE_BYTES = 1 << 23

_BOUNDS = struct.Struct("<hh")
"""The beginning of a table entry's content."""


def root_position(board: ChessBoard, *, is_full_width: bool = False) -> Position:
    """Return the position of a board at which a search begins."""
    return Position(board, ROOT | BEFORE | (FULL_WIDTH if is_full_width else 0))


class ChessTree:
    """The rules of a search: a node's value is the best of its children's.

    Args:
        before: the game's positions.

    Attributes:
        examined: estimates so far.
    """

    def __init__(self, before: GameBefore) -> None:
        self._before = before
        self.examined = 0

    @property
    def spread(self) -> float:
        """The usual distance between values and their estimates, in centipawns."""
        return ESTIMATE_SPREAD

    def children(self, position: bytes, depth: int) -> Sequence[Child]:
        """Return the positions after each move, late ones at two depths, in canonical order."""
        found = Position.from_bytes(position).children(depth, self._before)
        return [Child(*child) for child in found]

    @property
    def beyond(self) -> int:
        """The usual distance of a value beyond a bound that was enough, in centipawns."""
        return BEYOND

    def estimates(self, children: Sequence[Child]) -> Sequence[int]:
        """Return the values of positions after searching captures, in centipawns for their sides to
        move, plus PROBE_BIAS for the gain of the other moves."""
        self.examined += len(children)
        found = Position.estimates(child.position for child in children)
        return [estimate + PROBE_BIAS for estimate in found]

    def hint_key(self, position: bytes) -> bytes:
        """Return a position's key without its depth, and without late moves' second depth."""
        return position[:-1]

    def entry_key(self, child: Child) -> bytes:
        """Return a position's key in tables: its key and its depth."""
        return Position.from_bytes(child.position).key(child.depth, self._before)

    def entry_bounds(self, content: bytes) -> tuple[int, int]:
        """Return (lower, upper), in centipawns."""
        lower, upper = _BOUNDS.unpack_from(content)
        return lower, upper


def iteration_depths(depth: int, is_full_width: bool = False) -> tuple[int, ...]:
    """Return the depths that a fleet searches one after the other, `depth` last."""
    plies = FULL_WIDTH_PLIES if is_full_width else ITERATION_PLIES
    depth_min = FULL_WIDTH_DEPTH_MIN if is_full_width else ITERATION_DEPTH_MIN
    depths = range(depth - plies * (ITERATIONS - 1), depth, plies)
    return (*(each for each in depths if each >= depth_min), depth)


def for_chess(strategy: Strategy) -> Strategy:
    """Return a strategy adapted to chess."""
    swaps_from = max(strategy.swaps_from, SWAPS_FROM)
    return replace(strategy, swaps_from=swaps_from, vain_factor=VAIN_FACTOR, resplits=True)


def guess_value(position: Position, depth: int, before: GameBefore) -> tuple[int, int]:
    """Return an estimate of a position's value, by a search here, and the nodes searched.

    Args:
        position: the one to search.
        depth: of the search that uses the guess; this search is ITERATION_PLIES less deep.
        before: the game's positions.
    """
    table, value, nodes = KeyedTable(GUESS_TABLE_BYTES), 0, 0
    for each in range(1, depth - ITERATION_PLIES + 1):
        search = ExactSearch(position, each, first_depth=each, before=before, table=table)
        search.run()
        assert search.value is not None
        value, nodes = search.value, nodes + search.nodes
    return value, nodes


def simulated_table(analysers: int) -> KeyedTable:
    """Return a new table for one of so many simulated analysers, as large as shipped ones grow."""
    return KeyedTable(min(TABLE_BYTES_MAX, FLEET_TABLE_BYTES // analysers))


class DeepeningEngine:
    """The laboratory's engine over the reproducible search, with a table of its own.

    Args:
        before: the game's positions.
        table: a new one by default.
        probe_nodes: the cost of an estimate of a move, in nodes.
    """

    def __init__(
        self, before: GameBefore, table: KeyedTable | None = None, probe_nodes: float = 1.0
    ) -> None:
        self._probe_nodes = probe_nodes
        self._before = before
        self._table = table if table is not None else simulated_table(1)
        self._part: PartDeepener | None = None

    def begin(self, position: bytes, depth: int, alpha: int, beta: int) -> float:
        """Begin a search; the last one, finished or not, is over.  It takes no time to begin."""
        place = Position.from_bytes(position)
        self._part = PartDeepener(place, depth, (alpha, beta), self._before, self._table)
        return 0.0

    @property
    def _searched(self) -> PartDeepener:
        assert self._part is not None, "a search was begun"
        return self._part

    def step(self, nodes: int) -> int:
        """Continue the search for about so many nodes; return their number."""
        return self._searched.step(nodes)

    @property
    def is_done(self) -> bool:
        """Whether the search is finished."""
        return self._part is None or self._part.is_done

    def proved(self) -> tuple[int, int]:
        """Return (lower, upper) of the position's value, whether it is finished or not."""
        return self._searched.proved()

    def best(self) -> int | None:
        """Return the best move found so far."""
        return self._searched.best()

    def moves(self) -> tuple[MoveBounds, ...]:
        """Return the proved bounds of the position's moves."""
        return tuple(MoveBounds(*move) for move in self._searched.moves())

    @property
    def answer_nodes(self) -> float:
        """The cost of finding the result of `moves`, in nodes."""
        return self._probe_nodes * self._searched.examined

    def news(self, depth_min: int) -> tuple[TableEntry, ...]:
        """Return table entries of at least this depth that are new since the last call."""
        return tuple(self._table.news(depth_min))

    def learn(self, entries: tuple[TableEntry, ...]) -> None:
        """Add other analysers' entries."""
        self._table.learn(entries)
