"""What the laboratory charges for evaluations, in nodes of an endgame, one core.

Run as `python -m tests.benchmarks.othello_costs [--rounds N]`. By turns, so that ratios stay what
they are while the machine's speed changes: the endgame solver, analysers putting the moves of parts
in order, the master's estimates, and guesses. Medians of all rounds;
`master/games/othello/tree.py` has them as constants.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from statistics import median

from engine_ext.othello.board import OthelloBoard, kernel_name
from engine_ext.othello.part_search import PartSolver
from engine_ext.othello.search import default_evaluation
from engine_ext.othello.solver import Solver
from engine_ext.othello.table import HashTable
from master.cli.bench.bench_figures import cpu_description
from master.games.othello.tree import EVALUATION_NODES, GLANCE_NODES, GUESS_NODES, ScoreGuess
from tests.benchmarks.measure import print_table
from tests.engine_ext.othello.ffo import ROWS

ROOTS = tuple(ROWS[name].board for name in ("FFO41", "FFO43", "FFO45", "FFO47"))
SOLVER_NODES = 20_000_000  # of each root: its tables are full of entries by then
TABLE_BYTES = 1 << 22
GLANCES = 20  # at each board: one look at all of them is too short to time
SIZE = 8


def successors(board: OthelloBoard) -> list[OthelloBoard]:
    """Return the boards after a move where the other side has one too."""
    after = [board.play(move) for move in board.moves()]
    return [each for each in after if not each.must_pass and not each.is_over]


def solver_nodes() -> int:
    nodes = 0
    for board in ROOTS:
        solver = Solver(board, -1, 0, table=HashTable(TABLE_BYTES))
        solver.step(SOLVER_NODES)
        nodes += solver.nodes
    return nodes


def ordered(part: PartSolver, boards: Sequence[OthelloBoard]) -> int:
    examined = 0
    for board in boards:
        part.begin(board, -1, 1)
        examined += part.examined
    return examined


def glanced(boards: Sequence[OthelloBoard]) -> int:
    evaluation = default_evaluation(SIZE)
    return sum(evaluation.lookahead(board, 1)[1] for _ in range(GLANCES) for board in boards)


def guessed() -> int:
    guesses = [ScoreGuess(board) for board in ROOTS]
    for guess in guesses:
        guess.whole()
    return sum(guess.nodes for guess in guesses)


def timed(work: Callable[[], int]) -> float:
    """Return nanoseconds of processor time for each of what the work returns."""
    started = time.process_time_ns()
    count = work()
    return (time.process_time_ns() - started) / count


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=9)
    options = parser.parse_args(arguments)
    print(f"{cpu_description()}, kernel {kernel_name()}, {options.rounds} rounds")
    boards = [later for root in ROOTS for board in successors(root) for later in successors(board)]
    part = PartSolver(HashTable(TABLE_BYTES))
    works: list[tuple[str, Callable[[], int], float]] = [
        ("node of an endgame", solver_nodes, 1.0),
        ("evaluation by an analyser", lambda: ordered(part, boards), EVALUATION_NODES),
        ("evaluation by the master", lambda: glanced(boards), GLANCE_NODES),
        ("node of a guess", guessed, GUESS_NODES),
    ]
    rounds = [[timed(work) for _, work, _ in works] for _ in range(options.rounds)]
    print_table(
        ["", "ns", "nodes", "charged"],
        [
            [
                name,
                f"{median(each[i] for each in rounds):.1f}",
                f"{median(each[i] / each[0] for each in rounds):.2f}",
                f"{charged:.1f}",
            ]
            for i, (name, _, charged) in enumerate(works)
        ],
    )


if __name__ == "__main__":
    main()
