"""Seconds and nodes/s of the exact endgame solver on FFO positions, one core.

Run as `python -m tests.benchmarks.othello_endgame [NAME...] [--table-mb N] [--small]
[--order mobility]`. Each position is solved from nothing: full window, an empty table. Moves high
up are ordered by the shipped patterns or by mobility. A wrong score ends the program.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

from engine_ext.othello.board import kernel_name
from engine_ext.othello.evaluation import Evaluation, MobilityEvaluation
from engine_ext.othello.patterns import load_patterns
from engine_ext.othello.solver import Solver
from engine_ext.othello.table import HashTable
from master.cli.bench_backgammon import cpu_description
from tests.benchmarks.measure import print_table
from tests.engine_ext.othello.ffo import LARGE, ROWS, SMALL, Row


def solved(row: Row, table: HashTable, evaluation: Evaluation) -> tuple[float, int]:
    """Solve a position and return seconds of processor time and nodes."""
    solver = Solver(row.board, table=table, evaluation=evaluation)
    started = time.process_time()
    solver.run()
    seconds = time.process_time() - started
    if solver.score != row.score:
        raise SystemExit(f"{row.name}: {solver.score} is wrong, the score is {row.score}")
    return seconds, solver.nodes


def line(name: str, empties: str, seconds: float, nodes: int) -> list[str]:
    rate = nodes / max(seconds, 1e-9) / 1e6
    return [name, empties, f"{seconds:.2f}", f"{nodes / 1e6:.1f}", f"{rate:.1f}"]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="such as FFO41; FFO40 to FFO47 by default"
    )
    parser.add_argument("--small", action="store_true", help="the positions of the tests instead")
    parser.add_argument("--table-mb", type=int, default=256)
    parser.add_argument("--order", choices=["patterns", "mobility"], default="patterns")
    options = parser.parse_args(arguments)
    evaluation = load_patterns() if options.order == "patterns" else MobilityEvaluation()
    if unknown := set(options.names) - set(ROWS):
        parser.error(f"expected names such as FFO41, not {', '.join(sorted(unknown))}")
    chosen = [ROWS[name] for name in options.names] or (SMALL if options.small else LARGE)
    lines, total_seconds, total_nodes = [], 0.0, 0
    for row in chosen:
        seconds, nodes = solved(row, HashTable(options.table_mb << 20), evaluation)
        lines.append(line(row.name, str(row.board.empties), seconds, nodes))
        total_seconds, total_nodes = total_seconds + seconds, total_nodes + nodes
    lines.append(line("together", "", total_seconds, total_nodes))
    print(f"{cpu_description()}, kernel {kernel_name()}, one thread, processor time")
    print_table(["position", "empty", "seconds", "million nodes", "million/s"], lines)


if __name__ == "__main__":
    main()
