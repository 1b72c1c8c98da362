"""What becomes a hot spot in chess: the speed-up by how many are idle, and by how old a part is.

Run as `python -m tests.benchmarks.hot_spots [NAME...] [--processors N] [--nodes N] [--node-ns N]
[--idle-min LIST] [--hot-nodes LIST]`.  Positions of the Bratko-Kopec test are searched in virtual
time, as by `manyply simulate chess`, on all cores of this machine; every value and move is compared
with the sequential search's.  The ratio is of the sum of all positions' times.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace

from engine_ext.chess.bratko_kopec import bratko_kopec
from master.cli.chess.simulate_command import deepest
from master.cli.simulating.options import costs_in_nodes
from master.games.chess.speedup import check, simulate, solve_by_one
from master.search.strategies import OURS
from tests.benchmarks.measure import print_table

NAMES = ("BK4", "BK8", "BK12", "BK24")


def times(
    name: str, nodes: int, processors: int, node_ns: float, pairs: Sequence[tuple[int, int]]
) -> tuple[float, list[float]]:
    """Return the time of one processor and of the fleet, for each (idle_min, hot_nodes)."""
    board, _ = deepest(bratko_kopec()[name].board, nodes)
    reference = solve_by_one(board)
    found = []
    for idle_min, hot_nodes in pairs:
        strategy = replace(OURS, idle_min=idle_min)
        simulation = simulate(board, processors, strategy, costs_in_nodes(node_ns, hot_nodes))
        check(board, reference, simulation.run)
        found.append(simulation.wait_nodes + simulation.run.time)
    return reference.nodes, found


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.split(",")]


def main(words: Sequence[str]) -> None:
    """Print a row for each least number of idle ones, a column for each age."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(NAMES))
    parser.add_argument("--processors", type=int, default=64)
    parser.add_argument("--nodes", type=int, default=2_000_000)
    parser.add_argument("--node-ns", type=float, default=69_000.0)
    parser.add_argument("--idle-min", type=_numbers, default=[1, 2, 4, 8])
    parser.add_argument("--hot-nodes", type=_numbers, default=[1024, 4096, 16384])
    args = parser.parse_args(words)
    pairs = [(idle, hot) for idle in args.idle_min for hot in args.hot_nodes]
    count = len(args.names)
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        found = list(
            pool.map(times, args.names, [args.nodes] * count, [args.processors] * count,
                     [args.node_ns] * count, [pairs] * count)
        )  # fmt: skip
    alone = sum(nodes for nodes, _ in found)
    ratios = [alone / sum(each[place] for _, each in found) for place in range(len(pairs))]
    width = len(args.hot_nodes)
    rows = [
        [str(idle), *(f"{ratio:.1f}" for ratio in ratios[row * width : (row + 1) * width])]
        for row, idle in enumerate(args.idle_min)
    ]
    print_table(["idle, at least", *(f"hot after {hot}" for hot in args.hot_nodes)], rows)


if __name__ == "__main__":
    main(sys.argv[1:])
