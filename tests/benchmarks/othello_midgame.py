"""Nodes and seconds of searches of a fixed depth, one core.

Run as `python -m tests.benchmarks.othello_midgame [--depth N] [--boards N]`. Boards of random games
with 44, 34 and 24 empty squares, each searched from nothing: by PVS and MTD(f), which must find the
same value and move, and by the fast mode, which need not.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

from engine_ext.othello.board import OthelloBoard, kernel_name
from engine_ext.othello.search import DepthSearch
from engine_ext.othello.table import HashTable
from master.cli.bench.bench_figures import cpu_description
from tests.benchmarks.measure import print_table
from tests.engine_ext.othello.positions import running

EMPTIES = (44, 34, 24)
WAYS = (("pvs", "reproducible"), ("mtdf", "reproducible"), ("pvs", "fast"))


def searched(
    board: OthelloBoard, depth: int, way: tuple[str, str], table: HashTable
) -> tuple[float, DepthSearch]:
    """Search and return seconds of processor time as well."""
    table.clear()
    search = DepthSearch(board, depth, table=table, algorithm=way[0], mode=way[1])
    started = time.process_time()
    search.run()
    return time.process_time() - started, search


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--depth", type=int, default=12)
    parser.add_argument("--boards", type=int, default=4)
    options = parser.parse_args(arguments)
    table = HashTable(1 << 28)
    lines = []
    for empties in EMPTIES:
        answers: list[tuple[int | None, str | None]] = []
        for way in WAYS:
            seconds, nodes, same = 0.0, 0, 0
            for number, board in enumerate(running(empties, options.boards)):
                spent, search = searched(board, options.depth, way, table)
                seconds, nodes = seconds + spent, nodes + search.nodes
                answers.append((search.value, search.best_move))
                same += answers[-1][1] == answers[number][1]
                if way[1] == "reproducible" and answers[-1] != answers[number]:
                    raise SystemExit(f"{board.to_text()}: {answers[-1]} is not {answers[number]}")
            rate = nodes / max(seconds, 1e-9) / 1e6
            lines.append(
                [str(empties), " ".join(way), f"{seconds:.2f}", f"{nodes / 1e6:.1f}",
                 f"{rate:.1f}", f"{same} of {options.boards}"]
            )  # fmt: skip
    print(f"{cpu_description()}, kernel {kernel_name()}, depth {options.depth}, processor time")
    print_table(["empty", "search", "seconds", "million nodes", "million/s", "PVS's move"], lines)


if __name__ == "__main__":
    main()
