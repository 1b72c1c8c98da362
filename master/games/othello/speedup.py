"""Speed-up tables: the same endgames searched by fleets of every size, in virtual time.

Knows simulations and their sums.  Must not know clocks or layout.  Times are in nodes.  A
speed-up is against the best that one processor can do for the same answer, score and first best
move: the sequential solver under the full window or driven by MTD(f), or the same scheduler with
one analyser.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.parts import SCORE_MAX
from engine_ext.othello.search import default_evaluation
from engine_ext.othello.solver import Solver
from engine_ext.othello.table import HashTable
from engine_ext.search.bounds_tree import SPECULATION_MAX
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
from master.laboratory.laboratory import Laboratory, Run
from master.search.events import GuessCame
from master.search.limits import Costs
from master.search.scheduler import SearchScheduler
from master.search.state import SearchCounts, SearchSpec
from master.search.strategies import Sharing, Splitting, Strategy

GLANCE_PLIES = 4
"""Of the tree whose estimates look a ply ahead; more: 64 keep the master too busy."""

STEP_NODES = 1 << 20
"""Between two looks whether the user wants no more: some 30 ms."""


@dataclass(frozen=True, slots=True)
class Reference:
    """What one processor needs for a position without any scheduler.

    That a move is the first best one costs more than the score: those before it are to be proved
    worse, not only no better.

    Args:
        score: exact.
        move: the first move in canonical order that has it; None: there is no move.
        nodes: to prove both, by the best of full window, MTD(f) from 0 and MTD(f) from a guess.
    """

    score: int
    move: str | None
    nodes: int


@dataclass(frozen=True, slots=True)
class Simulation:
    """One position searched by one fleet.

    Args:
        run: what was measured.
        counts: what the scheduler did.
        wait_nodes: that one processor searched before the others could begin.
        guess_nodes: these, and those that it searched while they had begun.
    """

    run: Run
    counts: SearchCounts
    wait_nodes: int
    guess_nodes: int


@dataclass(frozen=True, slots=True)
class SpeedupRow:
    """A fleet's figures, summed over all positions.

    Args:
        strategy: its name.
        processors: analysers; the master has a processor of its own.
        time: until the answers were known.
        nodes: searched by all.
        master: of the master's time.
        messages: in and out.
        entries: table entries, in and out.
        shot: hot spots split.
        handed_out: parts.
    """

    strategy: str
    processors: int
    time: float
    nodes: int
    master: float
    messages: int
    entries: int
    shot: int
    handed_out: int

    @property
    def useful(self) -> float:
        """Time that a processor searched, on average."""
        return self.nodes / self.processors


class UnansweredError(Exception):
    """A simulated search failed or gave a wrong answer: our mistake."""


def solve_by_one(board: OthelloBoard) -> Reference:
    """Solve a board by the sequential solver, and prove which move is the first best one."""
    guess, guess_nodes = guessed(board)
    ways = [_proved(board, None), _proved(board, 0), _proved(board, guess, guess_nodes)]
    assert len({(each.score, each.move) for each in ways}) == 1, ways
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
    """Return about where a board's score lies, and how many nodes' time it takes to find out."""
    guess = ScoreGuess(board)
    return guess.whole(), _guess_nodes(guess)


def _guess_nodes(guess: ScoreGuess) -> int:
    """Return what a guess has taken so far, in nodes of an endgame."""
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


def simulate(board: OthelloBoard, processors: int, strategy: Strategy, costs: Costs) -> Simulation:
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
        SolverEngine(simulated_table(processors), default_evaluation(board.size))
        for _ in range(processors)
    ]
    laboratory = Laboratory(
        scheduler, engines[1:], costs, thought=lambda: GLANCE_NODES * game.evaluated
    )
    laboratory.come(engines[0], rest)
    laboratory.notify(GuessCame(whole), rest + costs.latency)
    return Simulation(laboratory.run(), scheduler.counts, wait_nodes, wait_nodes + rest)


def check(board: OthelloBoard, reference: Reference, run: Run) -> None:
    """Compare a simulation's answer with the sequential one.  Raises UnansweredError."""
    if run.answer is None:
        raise UnansweredError(f"the search of {board.to_text()} ended without an answer")
    index = run.answer.move
    # A pass is a move of the tree, and none of the board.
    move = None if index is None or not board.moves() else board.moves()[index]
    if (run.answer.value, move) != (reference.score, reference.move):
        raise UnansweredError(
            f"the search of {board.to_text()} answered {run.answer.value:+d} {move}, "
            f"not {reference.score:+d} {reference.move}"
        )


def sum_up(strategy: str, processors: int, simulations: Iterable[Simulation]) -> SpeedupRow:
    """Add up what a fleet needed for all positions."""
    each = list(simulations)
    return SpeedupRow(
        strategy, processors,
        sum(one.wait_nodes + one.run.time for one in each),
        sum(one.guess_nodes + one.run.nodes for one in each),
        sum(one.run.master for one in each), sum(one.run.messages for one in each),
        sum(one.run.entries for one in each), sum(one.counts.shot for one in each),
        sum(one.counts.handed_out for one in each),
    )  # fmt: skip


def baseline(references: Sequence[Reference], by_one: SpeedupRow) -> float:
    """Return the time that speed-ups are against."""
    return min(sum(each.nodes for each in references), by_one.time)


def ablations(strategy: Strategy) -> list[Strategy]:
    """Return a strategy and its variants, each without one of its means."""
    variants: dict[str, Callable[[Strategy], Strategy]] = {
        "no replication": lambda s: replace(s, sharing=Sharing.NONE),
        "all, by 10,000": lambda s: replace(s, sharing=Sharing.ALL, batch=10_000),
        "from depth 16": lambda s: replace(s, sharing=Sharing.FROM_DEPTH, news_depth=16),
        "from depth 18": lambda s: replace(s, sharing=Sharing.FROM_DEPTH, news_depth=18),
        "no shoot-down": lambda s: replace(s, splitting=Splitting.PLIES),
        "no shoot-down, 3 plies": lambda s: replace(s, splitting=Splitting.PLIES, plies=3),
        "at least one in two needed": lambda s: replace(s, rank_max=SPECULATION_MAX // 2),
        "donation": lambda s: replace(s, splitting=Splitting.DONATION),
    }
    found = [strategy]
    for name, change in variants.items():
        variant = change(strategy)
        if variant != strategy:
            found.append(replace(variant, name=name))
    return found
