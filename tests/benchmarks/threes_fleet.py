"""What decisions of Threes! take here, over one analyser and over two, each of one core.

Run as `python -m tests.benchmarks.threes_fleet [--plies 5,6] [--decisions 24]`.  The
boards are of a game that is played two moves deep.  All by the clock: this process alone, one
thread; a master here with one analyser process of one worker, and with two, which alone compute.
Decisions that one core finds in less than `--least-ms` are left out, and none is asked for twice:
whoever computes remembers boards.  Every answer of a fleet is
compared with that of one core, to the bit.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from statistics import mean

from engine_ext.threes.expectimax import Adviser
from engine_ext.threes.game import ThreesGame
from engine_ext.threes.net_file import shipped_net
from master.cli.master_access import open_master
from master.contract.master import Master
from master.games.threes.decisions import Decision, Values, value_moves
from tests.benchmarks.measure import machine_description, print_table
from tests.benchmarks.moves_fleet import clocked_ms, fleet_place, own_state, until_ready

SEED = 5
PART_DEPTHS = 5
PART_BOARDS = 12


def played_decisions(count: int, plies: int, seed: int = SEED) -> list[Decision]:
    """Return boards of a game, as many moves apart as it takes for so many."""
    game, adviser, found = ThreesGame(seed), Adviser(shipped_net()), list[Decision]()
    while values := adviser.values(game.cells, game.bag, game.next_ranks, 2):
        found.append(Decision(game.cells, game.bag, game.next_ranks, plies))
        game.play(max(values, key=lambda name: values[name]))
    step = max(1, len(found) // count)
    return found[step // 2 :: step][:count]


def value_here(adviser: Adviser, decision: Decision) -> Values:
    """Return what one thread finds."""
    return adviser.values(
        decision.cells, decision.bag, decision.next_ranks, decision.plies, decision.rarity
    )


def part_ms(depth: int) -> float:
    """Return the processor time to value a board at a cut so many moves above the leaves."""
    parts = [
        part
        for decision in played_decisions(PART_BOARDS, depth + 1)
        for part in decision.divided(depth).parts[:: 1 if depth < PART_DEPTHS else 4]
    ]
    adviser = Adviser(shipped_net())
    started = time.process_time()
    for cells, bag, plies, rarity in parts:
        adviser.value_behind(cells, bag, plies, rarity)
    return 1e3 * (time.process_time() - started) / len(parts)


async def fleet_ms(master: Master, decision: Decision, workers: int, expected: Values) -> float:
    """Return how long a fleet takes; what it finds has to be what one core found."""
    found: list[Values] = []

    async def ask() -> None:
        found.append(await value_moves(master.ask, decision, workers=workers, here_s_max=0.0))

    elapsed = await clocked_ms(ask)
    if found[0] != expected:
        sys.exit(f"{decision}: {found[0]} over the fleet, {expected} here")
    return elapsed


async def compare(
    decisions: Sequence[Decision], least_ms: float
) -> list[tuple[float, float, float]]:
    """Return milliseconds here, over one and over two analysers, decision by decision."""
    found, here = [], Adviser(shipped_net())
    async with open_master(fleet_place(1)) as one, open_master(fleet_place(2)) as two:
        await until_ready(one, 1)
        await until_ready(two, 2)
        for decision in decisions:
            started = time.perf_counter()
            expected = value_here(here, decision)
            here_ms = 1e3 * (time.perf_counter() - started)
            if here_ms >= least_ms:
                one_ms = await fleet_ms(one, decision, 1, expected)
                found.append((here_ms, one_ms, await fleet_ms(two, decision, 2, expected)))
    return found


def rows_of(
    plies: int, times: Sequence[tuple[float, float, float]]
) -> list[tuple[str, ...]]:
    """Return a row for a look-ahead: means, and how much faster two are."""
    if not times:
        return [(str(plies), "0", "", "", "", "", "")]
    here, one, two = (mean(column) for column in zip(*times, strict=True))
    row = (here, one, two)
    return [(
        str(plies), str(len(times)), *(f"{each:.1f}" for each in row),
        f"{here / two:.2f}", f"{one / two:.2f}",
    )]  # fmt: skip


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plies", default="5,6", help="look-aheads, with commas between")
    parser.add_argument("--decisions", type=int, default=24, help="of the least look-ahead")
    parser.add_argument("--least-ms", type=float, default=50.0, help="of one core")
    parser.add_argument("--costs", action="store_true", help="what boards at the cut take, only")
    options = parser.parse_args()
    print(machine_description())
    if options.costs:
        print_table(("moves below the cut", "ms a board"),
                    [(str(depth), f"{part_ms(depth):.4f}")
                     for depth in range(1, PART_DEPTHS + 1)])  # fmt: skip
        return
    rows = []
    for place, plies in enumerate(map(int, options.plies.split(","))):
        boards = played_decisions(max(2, options.decisions >> 2 * place), plies)
        with own_state():
            times = asyncio.run(compare(boards, options.least_ms))
        rows += rows_of(plies, times)
    print_table(
        ("plies", "decisions", "here ms", "one ms", "two ms", "two/here", "two/one"), rows
    )


if __name__ == "__main__":
    main()
