"""Exact endgames by analysers together, against one thread: both in one run, by the clock.

Run as `python -m tests.benchmarks.othello_fleet [NAME...] [--analysers N] [--rounds N]`. One
thread solves each position and finds the first best move, with a table as large as an analyser's;
then as many processes as there are analysers do so at once, each all of it: what they take longer
is the machine's, whose cores share memory and more; then a fleet of processes of one worker each,
just started, does the same through a master here. A wrong value or move ends the program. Seconds
are medians of all rounds, which take turns; the last line has the best of each, which favours what
needs one core, where others use the machine too.
"""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import sys
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from engine_ext.othello.board import OthelloBoard, kernel_name
from engine_ext.othello.search import default_evaluation
from engine_ext.othello.shared_table import TABLE_BYTES
from engine_ext.othello.solver import Solver
from engine_ext.othello.table import HashTable
from engine_ext.services import engine_digest
from master.cli.bench_backgammon import cpu_description
from master.cli.session import open_master
from master.search.othello import guess_score, to_position
from master.search.othello_wording import GAME, OthelloWording
from master.search.standing import Standing
from master.search.state import SearchSpec
from master.search.strategies import OURS, STRATEGIES, Strategy
from master.searches import SearchTask
from master.service import MasterService
from protocol.aio import new_runner
from tests.benchmarks.measure import print_table
from tests.benchmarks.moves_fleet import fleet_place, own_state
from tests.engine_ext.othello.ffo import ROWS, Row

NAMES = ("FFO43", "FFO44", "FFO45", "FFO46")
START_S_MAX = 60.0
HEADINGS = [
    "medians", "one thread s", "at once s", "fleet s", "ratio", "to at once", "million nodes",
    "of fleet", "CPU s", "analysers' CPU s", "master's CPU s", "parts", "split",
]  # fmt: skip


@dataclass(frozen=True)
class Alone:
    """What one thread needs: seconds by the clock and of the processor; and what it found."""

    seconds: float
    cpu_s: float
    nodes: int
    score: int
    move: str


@dataclass(frozen=True)
class Together:
    """What a fleet needs, the master's guess included; processor seconds of both."""

    standing: Standing
    seconds: float
    analysers_s: float
    master_s: float


def alone(board: OthelloBoard) -> Alone:
    """Solve by one thread; the first of the best moves by square is looked for as well."""
    table, evaluation = HashTable(TABLE_BYTES), default_evaluation(board.size)
    started, cpu = time.perf_counter(), time.process_time()
    solver = Solver(board, table=table, evaluation=evaluation)
    solver.run()
    score, move, nodes = solver.score, solver.best_move, solver.nodes
    assert score is not None
    assert move is not None
    for other in board.moves()[: board.moves().index(move)]:
        if solver.move_bounds[other][1] >= score:
            window = -score, -score + 1
            one = Solver(board.play(other), *window, table=table, evaluation=evaluation)
            one.run()
            nodes += one.nodes
            if one.score is not None and -one.score >= score:
                move = other
                break
    seconds, cpu_s = time.perf_counter() - started, time.process_time() - cpu
    return Alone(seconds, cpu_s, nodes, score, move)


def at_once_s(processes: Executor, count: int, board: OthelloBoard) -> float:
    """Return the mean seconds of so many processes that solve the same by one thread each."""
    return sum(one.seconds for one in processes.map(alone, count * [board])) / count


async def together(board: OthelloBoard, count: int, strategy: Strategy) -> Together:
    """Solve by analysers that were just started."""
    async with open_master(fleet_place(count)) as master:
        assert isinstance(master, MasterService)
        async with asyncio.timeout(START_S_MAX):
            while sum(line.state == "ready" for line in master.analysers()) < count:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        wording = OthelloWording(engine_digest(GAME), board.size, default_evaluation(board.size))
        before, own, started = children_cpu_s(), time.process_time(), time.perf_counter()
        spec = SearchSpec(to_position(board), (board.empties,), guess_score(board)[0])
        async with aclosing(master.search(SearchTask(spec, wording, strategy))) as standings:
            last = [standing async for standing in standings][-1]
        seconds, master_s = time.perf_counter() - started, time.process_time() - own
        return Together(last, seconds, children_cpu_s() - before, master_s)


def children_cpu_s() -> float:
    """Return the processor time that this process's children have used."""
    ticks = 0
    for task in Path("/proc/self/task").iterdir():
        for child in (task / "children").read_text().split():
            fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def check(row: Row, one: Alone, fleet: Together) -> None:
    """Compare what was found; SystemExit if it is not the published score and its first move."""
    answer = fleet.standing.answer
    assert answer is not None
    assert answer.move is not None
    first = next(move for move in row.board.moves() if row.moves[move] == row.score)
    found = {(one.score, one.move), (answer.value, row.board.moves()[answer.move])}
    if found != {(row.score, first)}:
        raise SystemExit(f"{row.name}: {found} was found, {row.score} {first} is right")


@dataclass(frozen=True)
class Rounds:
    """All rounds of one position: one thread, many at once, the fleet."""

    ones: list[Alone]
    onces_s: list[float]
    fleets: list[Together]

    def seconds(self, chosen: Callable[[list[float]], float]) -> tuple[float, float, float]:
        """Return the seconds of the three, chosen among rounds, such as their median."""
        ones, fleets = [[each.seconds for each in side] for side in (self.ones, self.fleets)]
        return chosen(ones), chosen(self.onces_s), chosen(fleets)


def rounds_of(row: Row, count: int, strategy: Strategy, rounds: int, processes: Executor) -> Rounds:
    """Measure a position, each in its turn."""
    found = Rounds([], [], [])
    for _ in range(rounds):
        found.ones.append(alone(row.board))
        found.onces_s.append(at_once_s(processes, count, row.board))
        with own_state(), new_runner() as runner:
            found.fleets.append(runner.run(together(row.board, count, strategy)))
        check(row, found.ones[-1], found.fleets[-1])
    return found


def columns(one_s: float, once_s: float, fleet_s: float) -> list[str]:
    """Return the seconds of the three and what they say of the fleet."""
    ratios = one_s / fleet_s, once_s / fleet_s
    return [f"{each:.2f}" for each in (one_s, once_s, fleet_s, *ratios)]


def line(name: str, found: Rounds) -> list[str]:
    one = min(found.ones, key=lambda each: each.seconds)
    fleet = min(found.fleets, key=lambda each: each.seconds)
    standing = fleet.standing
    return [
        name, *columns(*found.seconds(median)), f"{one.nodes / 1e6:.1f}",
        f"{standing.nodes / 1e6:.1f}", f"{one.cpu_s:.2f}", f"{fleet.analysers_s:.2f}",
        f"{fleet.master_s:.2f}", f"{standing.parts}", f"{standing.shot}",
    ]  # fmt: skip


def sums(all_found: Sequence[Rounds], chosen: Callable[[list[float]], float]) -> list[str]:
    """Return the columns of all positions together."""
    return columns(*map(sum, zip(*(each.seconds(chosen) for each in all_found), strict=True)))


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=NAMES, metavar="NAME")
    parser.add_argument("--analysers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--strategy", choices=list(STRATEGIES), default=OURS.name)
    options = parser.parse_args(arguments)
    load = f"load {os.getloadavg()[0]:.1f}"
    print(f"{cpu_description()}, kernel {kernel_name()}, {options.analysers} analysers, {load}")
    strategy, all_found = STRATEGIES[options.strategy], list[Rounds]()
    spawning = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(options.analysers, spawning) as processes:
        for name in options.names:
            row, count = ROWS[name], options.analysers
            all_found.append(rounds_of(row, count, strategy, options.rounds, processes))
    lines = [line(*each) for each in zip(options.names, all_found, strict=True)]
    lines += [["together", *sums(all_found, median)], ["the best", *sums(all_found, min)]]
    print_table(HEADINGS, [each + [""] * (len(HEADINGS) - len(each)) for each in lines])
    print(f"load at the end {os.getloadavg()[0]:.1f}", file=sys.stderr)


if __name__ == "__main__":
    main()
