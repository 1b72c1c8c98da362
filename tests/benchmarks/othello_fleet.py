"""Exact endgames by analysers together, against one thread: both in one run, by the clock.

Run as `python -m tests.benchmarks.othello_fleet [NAME...] [--analysers N] [--rounds N]`. One
thread solves each position and finds the first best move, with a table as large as an analyser's;
then a fleet of processes of one worker each, just started, does the same through a master here. A
wrong value or move ends the program. They take turns, the one thread on each core in turn, and
seconds are medians of all rounds.

On a machine that others use, unseen, a core's speed changes by half between the two, and one core's
without the other's: `core_speed.py` measures it meanwhile. Seconds at equal speed are those by the
clock times the speed of the one thread's core, or the mean one of all cores, in the mean one of
the run: what the clock would say of cores that are always alike.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import sys
import time
from collections.abc import Container, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from statistics import median

from engine_ext.othello.board import OthelloBoard, kernel_name
from engine_ext.othello.search import default_evaluation
from engine_ext.othello.shared_table import TABLE_BYTES
from engine_ext.othello.solver import Solver
from engine_ext.othello.table import HashTable
from engine_ext.services import engine_digest
from master.cli.bench.bench_figures import cpu_description
from master.cli.master_access import open_master
from master.games.othello.fleet_search import othello_wording
from master.games.othello.search_report import GAME
from master.games.othello.tree import GUESS_ERROR, ScoreGuess, to_position
from master.search.running.status import SearchStatus
from master.search.running.task import SearchTask
from master.search.state import SearchSpec
from master.search.strategies import OURS, STRATEGIES, Strategy
from master.service.service import MasterService
from protocol.aio import new_runner
from tests.benchmarks.core_speed import CoreSpeeds
from tests.benchmarks.measure import print_table
from tests.benchmarks.moves_fleet import fleet_place, own_state
from tests.engine_ext.othello.ffo import ROWS, Row

NAMES = ("FFO43", "FFO44", "FFO45", "FFO46")
START_S_MAX = 60.0
HEADINGS = [
    "medians", "one thread s", "fleet s", "ratio", "at equal speed s", "fleet s", "ratio",
    "million nodes", "of fleet", "CPU s", "analysers' CPU s", "master's CPU s", "parts", "split",
]  # fmt: skip


@dataclass(frozen=True)
class Alone:
    """What one thread needs: seconds by the clock and of the processor; and what it found.

    Args:
        work: nodes of a small endgame that its core would have searched meanwhile.
    """

    seconds: float
    cpu_s: float
    work: float
    nodes: int
    score: int
    move: str


@dataclass(frozen=True)
class Together:
    """What a fleet needs, the master's guess included; processor seconds of both.

    Args:
        work: nodes of a small endgame that the mean core would have searched meanwhile.
    """

    status: SearchStatus
    seconds: float
    work: float
    analysers_s: float
    master_s: float


def alone(board: OthelloBoard, core: int, speeds: CoreSpeeds) -> Alone:
    """Solve by one thread; the first of the best moves by square is looked for as well."""
    with speeds.pinned(core):
        table, evaluation = HashTable(TABLE_BYTES), default_evaluation(board.size)
        speeds.mark()
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
    return Alone(seconds, cpu_s, seconds * speeds.mean(core), nodes, score, move)


async def together(
    board: OthelloBoard, count: int, strategy: Strategy, speeds: CoreSpeeds
) -> Together:
    """Solve by analysers that were just started."""
    async with open_master(fleet_place(count)) as master:
        assert isinstance(master, MasterService)
        async with asyncio.timeout(START_S_MAX):
            while sum(line.state == "ready" for line in master.analysers()) < count:  # noqa: ASYNC110
                await asyncio.sleep(0.05)
        wording = othello_wording(engine_digest(GAME), board.size, default_evaluation(board.size))
        speeds.mark()
        before, own, started = children_cpu_s(speeds.pids), time.process_time(), time.perf_counter()
        guess = ScoreGuess(board)
        spec = SearchSpec(
            to_position(board), (board.empties,), guess.early(), guess_error=GUESS_ERROR
        )
        task = SearchTask(spec, wording, strategy, guess.whole)
        async with aclosing(master.search(task)) as statuses:
            last = [status async for status in statuses][-1]
        seconds, master_s = time.perf_counter() - started, time.process_time() - own
        analysers_s = children_cpu_s(speeds.pids) - before
        work = seconds * await asyncio.to_thread(speeds.mean)
        return Together(last, seconds, work, analysers_s, master_s)


def children_cpu_s(others: Container[int | None]) -> float:
    """Return the processor time that this process's children but these have used."""
    ticks = 0
    for task in Path("/proc/self/task").iterdir():
        for child in (task / "children").read_text().split():
            if int(child) in others:
                continue
            fields = Path(f"/proc/{child}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def check(row: Row, one: Alone, fleet: Together) -> None:
    """Compare what was found; SystemExit if it is not the published score and its first move."""
    answer = fleet.status.answer
    assert answer is not None
    assert answer.move is not None
    first = next(move for move in row.board.moves() if row.moves[move] == row.score)
    found = {(one.score, one.move), (answer.value, row.board.moves()[answer.move])}
    if found != {(row.score, first)}:
        raise SystemExit(f"{row.name}: {found} was found, {row.score} {first} is right")


@dataclass(frozen=True)
class Round:
    """One thread and the fleet, in turn."""

    one: Alone
    fleet: Together


def rounds_of(row: Row, options: argparse.Namespace, speeds: CoreSpeeds) -> list[Round]:
    """Measure a position, the one thread on each core in turn."""
    count, strategy, found = options.analysers, STRATEGIES[options.strategy], list[Round]()
    for number in range(options.rounds):
        one = alone(row.board, speeds.cores[number % len(speeds.cores)], speeds)
        with own_state(), new_runner() as runner:
            fleet = runner.run(together(row.board, count, strategy, speeds))
        check(row, one, fleet)
        found.append(Round(one, fleet))
    return found


def medians_s(rounds: Sequence[Round], speed: float) -> tuple[float, float, float, float]:
    """Return seconds of one thread and of the fleet, by the clock and by cores of this speed."""
    return (
        median(each.one.seconds for each in rounds),
        median(each.fleet.seconds for each in rounds),
        median(each.one.work for each in rounds) / speed,
        median(each.fleet.work for each in rounds) / speed,
    )


def columns(one_s: float, fleet_s: float, one_equal_s: float, fleet_equal_s: float) -> list[str]:
    """Return the seconds and what they say of the fleet."""
    by_clock, equal = one_s / fleet_s, one_equal_s / fleet_equal_s
    values = one_s, fleet_s, by_clock, one_equal_s, fleet_equal_s, equal
    return [f"{each:.2f}" for each in values]


def line(name: str, rounds: Sequence[Round], speed: float) -> list[str]:
    middle = sorted(rounds, key=lambda each: each.fleet.work)[len(rounds) // 2]
    one, fleet = middle.one, middle.fleet
    status = fleet.status
    return [
        name, *columns(*medians_s(rounds, speed)), f"{one.nodes / 1e6:.1f}",
        f"{status.nodes / 1e6:.1f}", f"{one.cpu_s:.2f}", f"{fleet.analysers_s:.2f}",
        f"{fleet.master_s:.2f}", f"{status.parts}", f"{status.shot}",
    ]  # fmt: skip


def mean_speed(rounds: Sequence[Round]) -> float:
    """Return the mean speed of the cores, nodes a second."""
    sides = [side for each in rounds for side in (each.one, each.fleet)]
    return sum(side.work for side in sides) / sum(side.seconds for side in sides)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", default=NAMES, metavar="NAME")
    parser.add_argument("--analysers", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=4)
    parser.add_argument("--strategy", choices=list(STRATEGIES), default=OURS.name)
    options = parser.parse_args(arguments)
    load = f"load {os.getloadavg()[0]:.1f}"
    print(f"{cpu_description()}, kernel {kernel_name()}, {options.analysers} analysers, {load}")
    with CoreSpeeds() as speeds:
        found = {name: rounds_of(ROWS[name], options, speeds) for name in options.names}
    speed = mean_speed(list(chain(*found.values())))
    lines = [line(name, rounds, speed) for name, rounds in found.items()]
    sums = map(sum, zip(*(medians_s(rounds, speed) for rounds in found.values()), strict=True))
    lines += [["together", *columns(*sums)]]
    print_table(HEADINGS, [each + [""] * (len(HEADINGS) - len(each)) for each in lines])
    print(f"load at the end {os.getloadavg()[0]:.1f}", file=sys.stderr)


if __name__ == "__main__":
    main()
