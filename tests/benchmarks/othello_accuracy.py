"""Mean absolute error of static Othello values, by the number of empty squares.

Run as `python -m tests.benchmarks.othello_accuracy [WEIGHTS...] [--count N] [--judge COMMAND]`
(needs the extra `training`). The positions are of games that the shipped weights play by searches
of depth 6 after random moves, of no seed that was learned from; and in second lines those after a
random move more. Up to 20 empty squares the judge is the solver; above, a program that speaks the
NBoard protocol, if one is named (NTest: `--judge "ntest x" --directory ITS_FILES`).
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from engine_ext.othello.board import OthelloBoard
from engine_ext.othello.evaluation import Evaluation
from engine_ext.othello.patterns import load_patterns
from engine_ext.othello.solver import Solver
from engine_ext.othello.table import HashTable
from tests.benchmarks.measure import print_table
from tests.benchmarks.othello_opponents import NboardPlayer, OpponentError, Program
from training.othello import strong_games

SEED = 99
SOLVED = (12, 14, 16, 18, 20)
JUDGED = (22, 24, 28, 32, 36, 40, 44, 48, 52)
TABLE_BYTES = 1 << 26

Judge = Callable[[OthelloBoard], float | None]


@dataclass(frozen=True)
class Judged:
    """A position and its value in discs."""

    board: OthelloBoard
    value: float
    is_side: bool


def solver_judge() -> Judge:
    """Return who solves, which takes a quarter of a second with 20 empty squares."""
    table = HashTable(TABLE_BYTES)

    def judge(board: OthelloBoard) -> float | None:
        solver = Solver(board, table=table)
        solver.run()
        return solver.score

    return judge


def positions(
    left: int, count: int, batch: strong_games.Batch
) -> Iterator[tuple[bool, OthelloBoard]]:
    """Yield up to `count` positions of the games, and as many after a random move more."""
    for is_side, boards in ((False, batch.boards), (True, batch.side_boards)):
        there = boards[boards[:, left].any(axis=1), left].tolist()
        for player, opponent in there[:count]:
            yield is_side, OthelloBoard(player, opponent)


def judged(left: int, count: int, batch: strong_games.Batch, judge: Judge) -> list[Judged]:
    """Return the positions on which the judge has something to say: a forced move is none."""
    found = []
    for is_side, board in positions(left, count, batch):
        value = judge(board) if len(board.moves()) > 1 else None
        if value is not None:
            found.append(Judged(board, value, is_side))
    return found


def error(evaluation: Evaluation, some: Sequence[Judged]) -> str:
    """Return mean absolute and mean error in discs."""
    errors = [evaluation.value(one.board) / 100 - one.value for one in some]
    if not errors:
        return ""
    return f"{sum(map(abs, errors)) / len(errors):.2f} ({sum(errors) / len(errors):+.1f})"


def _judges(options: argparse.Namespace) -> dict[int, Judge]:
    judges = dict.fromkeys(SOLVED, solver_judge())
    if options.judge is not None:
        player = NboardPlayer(Program(options.judge, options.directory), options.judge_depth)
        judges |= dict.fromkeys(JUDGED, player.value)
    return judges


def main(arguments: Sequence[str] | None = None) -> None:
    """Judge the positions and print two lines for each weight file."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("weights", nargs="*", default=[None], help="the shipped ones by default")
    parser.add_argument("--count", type=int, default=60, help="positions of each number and kind")
    parser.add_argument("--judge", default=None, metavar="COMMAND")
    parser.add_argument("--judge-depth", type=int, default=16)
    parser.add_argument("--directory", type=Path, default=None, help="where the judge runs")
    options = parser.parse_args(arguments)
    try:
        judges = _judges(options)
    except OpponentError as absent:
        parser.error(str(absent))
    batch = strong_games.played(load_patterns(), strong_games.Manner(seed=SEED), 0)
    some = {left: judged(left, options.count, batch, judge) for left, judge in judges.items()}
    lines = []
    for path in options.weights:
        evaluation = load_patterns(path)
        for is_side, kind in ((False, "played"), (True, "random")):
            errors = [
                error(evaluation, [one for one in of if one.is_side == is_side])
                for of in some.values()
            ]
            lines.append([evaluation.digest[:8], kind, *errors])
    print_table(["weights", "last move", *map(str, some)], lines)


if __name__ == "__main__":
    main()
