"""Endgames solved by one processor and by simulated fleets, for speed-up tables.

Times are in nodes.  One processor
proves the score and the first best move by the sequential solver, under the full window or driven
by MTD(f).
"""

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.parts import SCORE_MAX
from engine_ext.othello.search import default_evaluation
from engine_ext.othello.solver import Solver
from engine_ext.othello.table import HashTable
from master.games.othello.tree import (
    GLANCE_NODES,
    GUESS_ERROR,
    GUESS_NODES,
    OthelloEndgame,
    ScoreGuess,
    SolverEngine,
    simulated_table,
    to_position,
)
from master.laboratory.laboratory import Laboratory, LogTurn, Run
from master.laboratory.speedup import Reference, Simulation, check_answer, shared_tables
from master.search.events import GuessCame
from master.search.limits import Costs
from master.search.scheduler import SearchScheduler
from master.search.state import SearchSpec
from master.search.strategies import Strategy

GLANCE_PLIES = 4
"""The top plies of the tree, in which estimates search one ply; with more plies, 64 analysers keep
the master too busy."""

STEP_NODES = 1 << 20
"""Between two checks for the user's stop: some 30 ms."""


def solve_by_one(board: OthelloBoard) -> Reference:
    """Solve a board by the sequential solver, and prove which move is the first best one."""
    guess, guess_nodes = guessed(board)
    ways = [_proved(board, None), _proved(board, 0), _proved(board, guess, guess_nodes)]
    assert len({(each.value, each.move) for each in ways}) == 1, ways
    return min(ways, key=lambda each: each.nodes)


def _proved(board: OthelloBoard, guess: int | None, nodes: int = 0) -> Reference:
    """Solve under the full window, or from a guess that took some nodes."""
    table = simulated_table(1)
    if guess is None:
        score, more = _searched(board, table)
    else:
        score, more = _mtdf(board, table, guess)
    move, last = _first_best(board, table, score)
    return Reference(score, move, nodes + more + last)


def guessed(board: OthelloBoard) -> tuple[int, int]:
    """Return an estimate of a board's score, and its cost in nodes."""
    guess = ScoreGuess(board)
    return guess.whole(), _guess_nodes(guess)


def _guess_nodes(guess: ScoreGuess) -> int:
    """Return the cost of a guess so far, in nodes of an endgame."""
    return round(GUESS_NODES * guess.nodes)


def _searched(
    board: OthelloBoard, table: HashTable, alpha: int = -SCORE_MAX, beta: int = SCORE_MAX
) -> tuple[int, int]:
    """Return the fail-soft score under a window, and the nodes that it took."""
    solver = Solver(board, alpha, beta, table=table, evaluation=default_evaluation(board.size))
    while not solver.step(STEP_NODES):
        continue
    assert solver.score is not None
    return solver.score, solver.nodes


def _mtdf(board: OthelloBoard, table: HashTable, guess: int) -> tuple[int, int]:
    lower, upper, nodes = -SCORE_MAX, SCORE_MAX, 0
    while lower < upper:
        beta = min(max(guess, lower + 1), upper)
        guess, more = _searched(board, table, beta - 1, beta)
        lower, upper = (guess, upper) if guess >= beta else (lower, guess)
        nodes += more
    return lower, nodes


def _first_best(board: OthelloBoard, table: HashTable, score: int) -> tuple[str | None, int]:
    """Return the first move in canonical order whose score is the board's, and the nodes."""
    nodes = 0
    for move in board.moves():
        if score == -SCORE_MAX:
            return move, nodes
        value, more = _searched(board.play(move), table, -score, -score + 1)
        nodes += more
        if -value >= score:
            return move, nodes
    return None, nodes


def simulate(
    board: OthelloBoard, processors: int, strategy: Strategy, costs: Costs, workers: int = 1,
    log: LogTurn | None = None,
) -> Simulation:  # fmt: skip
    """Solve a board by a fleet of a size, one of which guesses the score before all else."""
    guess = ScoreGuess(board)
    spec = SearchSpec(to_position(board), (board.empties,), guess.early(), guess_error=GUESS_ERROR)
    wait_nodes = _guess_nodes(guess)
    whole = guess.whole()
    rest = _guess_nodes(guess) - wait_nodes
    evaluation = default_evaluation(board.size)
    game = OthelloEndgame(evaluation, glance_depth=board.empties - GLANCE_PLIES)
    scheduler = SearchScheduler(spec, game, strategy, costs)
    engines = [
        SolverEngine(table, default_evaluation(board.size))
        for table in shared_tables(simulated_table, processors, workers)
    ]
    laboratory = Laboratory(
        scheduler, engines[:-1], costs, thought=lambda: GLANCE_NODES * game.evaluated,
        workers=workers, log=log,
    )  # fmt: skip
    laboratory.come(engines[-1], rest)
    laboratory.notify(GuessCame(whole), rest + costs.latency)
    return Simulation(laboratory.run(), scheduler.counts, wait_nodes, wait_nodes + rest)


def check(board: OthelloBoard, reference: Reference, run: Run) -> None:
    """Compare a simulation's answer with the sequential one.  Raises UnansweredError."""
    index = None if run.answer is None else run.answer.move
    # A pass is a move of the tree, and none of the board.
    move = None if index is None or not board.moves() else board.moves()[index]
    check_answer(board.to_text(), reference, run, move)
