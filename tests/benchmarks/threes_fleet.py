"""What decisions of Threes! take here, over one analyser and over two, each of one core.

Run as `python -m tests.benchmarks.threes_fleet [--plies 5,6] [--decisions 60]`, or with `--games
3000 --plies 2` for a job of games.  The boards are of a game that is played two moves deep.  All by
the clock: this process alone, one thread; a master here with one analyser process of one worker,
and with two, which alone compute.  Decisions that one core finds in less than `--least-ms` are left
out, and none is asked for twice: whoever computes remembers boards.  Every answer of a fleet is
compared with that of one core, to the bit.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time
from collections.abc import Sequence
from statistics import mean
from typing import NamedTuple

from engine_ext.threes.context import Lookahead, ThreesContext
from engine_ext.threes.engine import engine_digest
from engine_ext.threes.expectimax import Adviser
from engine_ext.threes.game import ThreesGame
from engine_ext.threes.net_file import shipped_net
from master.cli.master_access import open_master
from master.contract.master import Master
from master.contract.views import JobRequest
from master.games.threes.decisions import Cuts, Decision, Values, value_moves
from tests.benchmarks.measure import machine_description, print_table
from tests.benchmarks.moves_fleet import clocked_ms, fleet_place, own_state, until_ready

SEED = 5


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


async def fleet_ms(master: Master, decision: Decision, workers: int, expected: Values) -> float:
    """Return how long a fleet takes; what it finds has to be what one core found."""
    found: list[Values] = []

    async def ask() -> None:
        found.append(await value_moves(master.ask, Cuts(decision), workers=workers))

    elapsed = await clocked_ms(ask)
    if found[0] != expected:
        sys.exit(f"{decision}: {found[0]} over the fleet, {expected} here")
    return elapsed


class Times(NamedTuple):
    """Milliseconds of one decision."""

    here: float
    expected: float
    one: float
    two: float


async def compare(decisions: Sequence[Decision], least_ms: float) -> list[Times]:
    """Return the times of those decisions that take long enough."""
    found, here = [], Adviser(shipped_net())
    async with open_master(fleet_place(1)) as one, open_master(fleet_place(2)) as two:
        await until_ready(one, 1)
        await until_ready(two, 2)
        for decision in decisions:
            started = time.perf_counter()
            expected = value_here(here, decision)
            here_ms = 1e3 * (time.perf_counter() - started)
            if here_ms >= least_ms:
                found.append(Times(
                    here_ms, 1e3 * Cuts(decision).expected_s(),
                    await fleet_ms(one, decision, 1, expected),
                    await fleet_ms(two, decision, 2, expected),
                ))  # fmt: skip
    return found


def row_of(name: str, times: Sequence[Times]) -> tuple[str, ...]:
    """Return a line of the table: means, and how many times as many moves a second two make."""
    if not times:
        return (name, "0", *[""] * 6)
    means = Times(*map(mean, zip(*times, strict=True)))
    ratios = means.here / means.two, means.one / means.two
    return (name, str(len(times)), *(f"{each:.1f}" for each in means),
            *(f"{each:.2f}" for each in ratios))  # fmt: skip


async def job_s(count: int, games: int, plies: int) -> float:
    """Return how long so many analysers take for a job of games, from its first to its last."""
    context = ThreesContext(engine_digest(), Lookahead(plies, plies), SEED)
    async with open_master(fleet_place(count)) as master:
        await until_ready(master, count)
        warm = await master.submit(JobRequest(context.to_text(), count))
        await _until_over(master, warm)
        started = time.perf_counter()
        await _until_over(master, await master.submit(JobRequest(context.to_text(), games)))
        return time.perf_counter() - started


async def _until_over(master: Master, job: int) -> None:
    async for update in master.subscribe(job):
        if update.is_final:
            return


def compare_jobs(games: int, plies: int) -> str:
    """Return how much sooner two analysers play a job of games than one; one, two, two, one."""
    seconds = []
    for count in (1, 2, 2, 1):
        with own_state():
            seconds.append(asyncio.run(job_s(count, games, plies)))
    one, two = seconds[0] + seconds[3], seconds[1] + seconds[2]
    return (
        f"a job of {games} games, {plies}-ply: one analyser {one / 2:.1f} s, two {two / 2:.1f} s,"
        f" {one / two:.2f}"
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plies", default="5,6", help="look-aheads, with commas between")
    parser.add_argument("--decisions", type=int, default=60, help="of the least look-ahead")
    parser.add_argument("--least-ms", type=float, default=50.0, help="of one core")
    parser.add_argument("--games", type=int, default=0, help="a job of so many instead, at --plies")
    options = parser.parse_args(arguments)
    print(machine_description())
    if options.games:
        for plies in map(int, options.plies.split(",")):
            print(compare_jobs(options.games, plies))
        return
    rows, whole = [], list[Times]()
    for place, plies in enumerate(map(int, options.plies.split(","))):
        boards = played_decisions(max(2, options.decisions >> 2 * place), plies)
        with own_state():
            times = asyncio.run(compare(boards, options.least_ms))
        rows.append(row_of(str(plies), times))
        whole += times
    rows.append(row_of("all", whole))
    print_table(
        ("plies", "decisions", "here ms", "expected", "one ms", "two ms", "two/here", "two/one"),
        rows,
    )


if __name__ == "__main__":
    main()
