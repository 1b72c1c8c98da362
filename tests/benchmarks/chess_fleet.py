"""Chess positions searched by analysers together, against one thread, by the clock.

Run as `python -m tests.benchmarks.chess_fleet [NAME...] [--analysers N] [--nodes N]`. Each position
of the Bratko-Kopec test is searched as deep as one thread gets within so many nodes: by one thread,
iteration after iteration, with a table as large as an analyser's, and in the same run by a fleet of
processes of one worker each, just started, through a master here. Another value or move ends the
program. The ratio is of the times to that depth, without what starting the fleet takes.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from statistics import geometric_mean, mean

from engine_ext.chess.bratko_kopec import bratko_kopec
from engine_ext.chess.parts.answer import ExactAnswer, ExactQuestion, answer_at_once
from engine_ext.chess.parts.shared_table import TABLE_BYTES
from engine_ext.search.table import KeyedTable
from master.cli.chess.simulate_command import deepest
from master.cli.master_access import open_master
from master.games.chess.fleet_search import FleetSearcher
from master.service.service import MasterService
from protocol.aio import new_runner
from tests.benchmarks.measure import print_table
from tests.benchmarks.moves_fleet import fleet_place, own_state, until_ready

NODES = 3_000_000
HEADINGS = ["position", "depth", "one thread s", "fleet s", "ratio", "of nodes"]


def alone(question: ExactQuestion) -> tuple[ExactAnswer, float]:
    """Search by one thread; return what was found and the seconds."""
    started = time.perf_counter()
    found = answer_at_once(question, KeyedTable(TABLE_BYTES))
    return found, time.perf_counter() - started


async def together(question: ExactQuestion, count: int) -> tuple[ExactAnswer, float]:
    """Search by analysers that were just started; the same."""
    async with open_master(fleet_place(count)) as master:
        assert isinstance(master, MasterService)
        await until_ready(master, count)
        started = time.perf_counter()
        found = await FleetSearcher(master.search, is_trusting=True).answer(question)
        return found, time.perf_counter() - started


def measured(name: str, nodes: int, count: int) -> tuple[list[str], float]:
    """Return the row of a position, and the ratio; SystemExit if they differ."""
    searched, _ = deepest(bratko_kopec()[name].board, nodes)
    question = ExactQuestion(searched.board, searched.before, searched.depth)
    one, one_s = alone(question)
    with own_state(), new_runner() as runner:
        fleet, fleet_s = runner.run(together(question, count))
    if (one.value, one.line[0]) != (fleet.value, fleet.line[0]):
        sys.exit(f"{name}: {fleet}, not {one}")
    row = [name, str(searched.depth), f"{one_s:.2f}", f"{fleet_s:.2f}", f"{one_s / fleet_s:.2f}",
           f"{fleet.nodes / one.nodes:.2f}"]  # fmt: skip
    return row, one_s / fleet_s


def main(words: Sequence[str]) -> None:
    """Print a row for each position, and the means."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=list(bratko_kopec()))
    parser.add_argument("--analysers", type=int, default=2)
    parser.add_argument("--nodes", type=int, default=NODES)
    args = parser.parse_args(words)
    rows, ratios = [], []
    for name in args.names:
        row, ratio = measured(name, args.nodes, args.analysers)
        rows.append(row)
        ratios.append(ratio)
    means = f"{mean(ratios):.2f} ({geometric_mean(ratios):.2f} geometric)"
    print_table(HEADINGS, [*rows, ["mean", "", "", "", means, ""]])


if __name__ == "__main__":
    main(sys.argv[1:])
