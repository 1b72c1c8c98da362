"""What the laboratory charges for looks at captures, in nodes of a reproducible search.

Run as `python -m tests.benchmarks.chess_costs [NAME...] [--full-width]`.  For positions of the
Bratko-Kopec test, the even-numbered ones by default: microseconds a look, of all positions two
plies on, and a node of a search with a warm table, by turns, the least of five rounds each.  The
master's tree takes looks in calls of a few dozen.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Sequence
from statistics import fmean

from engine_ext.chess.bratko_kopec import bratko_kopec
from engine_ext.chess.exact.position import GameBefore, Position
from engine_ext.chess.exact.search import ExactSearch
from engine_ext.chess.parts.shared_table import TABLE_BYTES_MAX
from engine_ext.search.table import KeyedTable
from master.games.chess.tree import ChessTree, root_position
from tests.benchmarks.measure import print_table

ROUNDS = 5
DEPTH, FULL_WIDTH_DEPTH = 13, 7


def _seconds(work: Callable[[], object]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def costs(name: str, is_full_width: bool) -> tuple[int, float, float]:
    """Return the number of positions, and microseconds of a look and of a node."""
    root = root_position(bratko_kopec()[name].board, is_full_width=is_full_width)
    depth = FULL_WIDTH_DEPTH if is_full_width else DEPTH
    tree = ChessTree(GameBefore())
    below = [
        [each.position for each in tree.children(child.position, child.depth)]
        for child in tree.children(root.to_bytes(depth), depth)
    ]
    count = sum(map(len, below))
    table = KeyedTable(TABLE_BYTES_MAX)
    ExactSearch(root, depth, first_depth=1, table=table).run()
    probes, nodes = [], []
    for number in range(ROUNDS):
        probes.append(_seconds(lambda: list(map(Position.estimates, below))) / count)
        # Another game before it: nothing in the table answers.
        search = ExactSearch(
            root, depth, first_depth=1, before=GameBefore([number + 1]), table=table
        )
        nodes.append(_seconds(search.run) / search.nodes)
    return count, min(probes) * 1e6, min(nodes) * 1e6


def main(words: Sequence[str]) -> None:
    """Print a row for each position, and the mean of the quotients."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    even = [name for name in bratko_kopec() if int(name[2:]) % 2 == 0]
    parser.add_argument("names", nargs="*", default=even)
    parser.add_argument("--full-width", action="store_true")
    args = parser.parse_args(words)
    found = {name: costs(name, args.full_width) for name in args.names}
    rows = [
        [name, str(count), f"{probe:.2f}", f"{node:.2f}", f"{probe / node:.2f}"]
        for name, (count, probe, node) in found.items()
    ]
    print_table(["position", "looks", "us a look", "us a node", "nodes a look"], rows)
    print(f"mean: {fmean(probe / node for _, probe, node in found.values()):.2f} nodes a look")


if __name__ == "__main__":
    main(sys.argv[1:])
