"""Searches of positions by one processor and by simulated fleets, for speed-up tables.

Times are in nodes.  One processor finds the value and the first best move by the sequential search,
iteration after iteration under the full window, or the last one by null windows from a guess
(MTD(f)).
"""

from dataclasses import dataclass

from engine_ext.chess.board import ChessBoard
from engine_ext.chess.exact.position import GameBefore, Position
from engine_ext.chess.exact.search import LARGEST_VALUE, ExactSearch
from engine_ext.chess.fen import write_fen
from engine_ext.search.table import KeyedTable
from master.games.chess.tree import (
    GUESS_ERROR,
    ChessTree,
    DeepeningEngine,
    for_chess,
    guess_value,
    iteration_depths,
    root_position,
    simulated_table,
)
from master.laboratory.laboratory import Laboratory, LogTurn, Run
from master.laboratory.speedup import Reference, Simulation, check_answer, shared_tables
from master.search.limits import Costs
from master.search.scheduler import SearchScheduler
from master.search.state import SearchSpec
from master.search.strategies import Strategy

PROBE_NODES = 1.0
"""The cost of an estimate of the master's, in nodes of a search (tests/benchmarks/chess_costs)."""

FULL_WIDTH_PROBE_NODES = 2.2
"""The same for a full-width search, whose nodes take half the time."""

STEP_NODES = 1 << 18
"""Between two checks for the user's stop: some 300 ms."""


@dataclass(frozen=True, slots=True)
class Searched:
    """The search of a position.

    Args:
        board: the position.
        depth: in plies.
        is_full_width: all moves are searched to that depth, as in programs of 1988.
    """

    board: ChessBoard
    depth: int
    is_full_width: bool = False

    @property
    def before(self) -> GameBefore:
        """The positions of the game: only the current one."""
        return GameBefore([self.board.key])

    @property
    def root(self) -> Position:
        """The root."""
        return root_position(self.board, is_full_width=self.is_full_width)

    @property
    def moves(self) -> list[str]:
        """The root's moves in canonical order."""
        return self.root.moves(self.depth, self.before)


def solve_by_one(board: Searched) -> Reference:
    """Search by one processor, and prove which move is the first best one."""
    ways = [_deepened(board), _by_null_windows(board)]
    assert len({(each.value, each.move) for each in ways}) == 1, ways
    return min(ways, key=lambda each: each.nodes)


def _deepened(board: Searched) -> Reference:
    table, nodes = simulated_table(1), 0
    for depth in range(1, board.depth + 1):
        search = _run(board, depth, (-LARGEST_VALUE, LARGEST_VALUE), table, depth)
        nodes += search.nodes
    return _reference(board, search, nodes)


def _by_null_windows(board: Searched) -> Reference:
    value, nodes = guess_value(board.root, board.depth, board.before)
    lower, upper, table = -LARGEST_VALUE, LARGEST_VALUE, simulated_table(1)
    while lower < upper:
        beta = min(max(value, lower + 1), upper)
        search = _run(board, board.depth, (beta - 1, beta), table)
        assert search.value is not None
        value = search.value
        lower, upper = (value, upper) if value >= beta else (lower, value)
        nodes += search.nodes
    search = _run(board, board.depth, (max(value - 1, -LARGEST_VALUE), value + 1), table)
    return _reference(board, search, nodes + search.nodes)


def _run(
    board: Searched, depth: int, window: tuple[int, int], table: KeyedTable, first_depth: int = 0
) -> ExactSearch:
    search = ExactSearch(
        board.root, depth, *window, first_depth=first_depth, before=board.before, table=table
    )
    while not search.step(STEP_NODES):
        continue
    return search


def _reference(board: Searched, search: ExactSearch, nodes: int) -> Reference:
    assert search.value is not None
    assert search.best_move is not None
    return Reference(search.value, board.moves[int(search.best_move)], nodes)


def simulate(
    board: Searched, processors: int, strategy: Strategy, costs: Costs, workers: int = 1,
    log: LogTurn | None = None,
) -> Simulation:  # fmt: skip
    """Search by a fleet of a size, before which one processor guesses the value."""
    depths = iteration_depths(board.depth, board.is_full_width)
    guess, nodes = guess_value(board.root, depths[0], board.before)
    spec = SearchSpec(board.root.to_bytes(board.depth), depths, guess, guess_error=GUESS_ERROR)
    tree = ChessTree(board.before)
    scheduler = SearchScheduler(spec, tree, for_chess(strategy), costs)
    probe = FULL_WIDTH_PROBE_NODES if board.is_full_width else PROBE_NODES
    engines = [
        DeepeningEngine(board.before, table, probe)
        for table in shared_tables(simulated_table, processors, workers)
    ]
    laboratory = Laboratory(
        scheduler, engines, costs, thought=lambda: probe * tree.examined, workers=workers,
        log=log,
    )  # fmt: skip
    return Simulation(laboratory.run(), scheduler.counts, nodes, nodes)


def check(board: Searched, reference: Reference, run: Run) -> None:
    """Compare a simulation's answer with the sequential one.  Raises UnansweredError."""
    index = None if run.answer is None else run.answer.move
    move = None if index is None else board.moves[index]
    check_answer(write_fen(board.board), reference, run, move)
