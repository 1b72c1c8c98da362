"""Seconds and nodes/s of the exact endgame solver on FFO positions, one core.

Run as `python -m tests.benchmarks.othello_endgame [NAME...] [--table-mb N] [--small]
[--order mobility] [--opponent COMMAND]`. Each position is solved from nothing: full window, an
empty table. Moves high up are ordered by the shipped patterns or by mobility. A program that speaks
the NBoard protocol solves it next, if one is named (NTest: `--opponent "ntest x" --directory
ITS_FILES`): its seconds compare, whatever else the machine does. A wrong score ends the program.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path

from engine_ext.othello.board import kernel_name
from engine_ext.othello.evaluation import Evaluation, MobilityEvaluation
from engine_ext.othello.patterns import load_patterns
from engine_ext.othello.solver import Solver
from engine_ext.othello.table import HashTable
from master.cli.bench.bench_figures import cpu_description
from tests.benchmarks.measure import print_table
from tests.benchmarks.othello_opponents import NboardPlayer, OpponentError, Program
from tests.engine_ext.othello.ffo import LARGE, ROWS, SMALL, Row

EMPTIES_MAX = 60


def solved(row: Row, table: HashTable, evaluation: Evaluation) -> tuple[float, int]:
    """Solve a position and return seconds of processor time and nodes."""
    solver = Solver(row.board, table=table, evaluation=evaluation)
    started = time.process_time()
    solver.run()
    seconds = time.process_time() - started
    if solver.score != row.score:
        raise SystemExit(f"{row.name}: {solver.score} is wrong, the score is {row.score}")
    return seconds, solver.nodes


def solved_by(opponent: NboardPlayer, row: Row) -> float:
    """Have a position solved and return seconds of processor time."""
    before = opponent.program.processor_s()
    value = opponent.value(row.board)
    if value not in (None, row.score):
        raise SystemExit(f"{row.name}: {value} by the opponent, the score is {row.score}")
    return opponent.program.processor_s() - before


def line(name: str, empties: str, seconds: float, nodes: int, theirs: float) -> list[str]:
    rate = nodes / max(seconds, 1e-9) / 1e6
    reported = f"{theirs:.2f}" if theirs else ""
    return [name, empties, f"{seconds:.2f}", f"{nodes / 1e6:.1f}", f"{rate:.1f}", reported]


def opponent_of(options: argparse.Namespace) -> NboardPlayer | None:
    """Return the program that is named, which looks as far as any board has empty squares."""
    if options.opponent is None:
        return None
    return NboardPlayer(Program(options.opponent, options.directory), EMPTIES_MAX)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="such as FFO41; FFO40 to FFO47 by default"
    )
    parser.add_argument("--small", action="store_true", help="the positions of the tests instead")
    parser.add_argument("--table-mb", type=int, default=256)
    parser.add_argument("--order", choices=["patterns", "mobility"], default="patterns")
    parser.add_argument("--opponent", default=None, metavar="COMMAND")
    parser.add_argument("--directory", type=Path, default=None, help="where the opponent runs")
    options = parser.parse_args(arguments)
    evaluation = load_patterns() if options.order == "patterns" else MobilityEvaluation()
    if unknown := set(options.names) - set(ROWS):
        parser.error(f"expected names such as FFO41, not {', '.join(sorted(unknown))}")
    try:
        opponent = opponent_of(options)
    except OpponentError as absent:
        parser.error(str(absent))
    chosen = [ROWS[name] for name in options.names] or (SMALL if options.small else LARGE)
    lines, sums = [], (0.0, 0, 0.0)
    for row in chosen:
        seconds, nodes = solved(row, HashTable(options.table_mb << 20), evaluation)
        theirs = solved_by(opponent, row) if opponent is not None else 0.0
        lines.append(line(row.name, str(row.board.empties), seconds, nodes, theirs))
        sums = sums[0] + seconds, sums[1] + nodes, sums[2] + theirs
    lines.append(line("together", "", *sums))
    if opponent is not None:
        opponent.program.end()
    print(f"{cpu_description()}, kernel {kernel_name()}, one thread, processor time")
    print_table(["position", "empty", "seconds", "million nodes", "million/s", "opponent s"], lines)


if __name__ == "__main__":
    main()
