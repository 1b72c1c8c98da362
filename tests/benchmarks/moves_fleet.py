"""What move decisions and analyses cost here, and over two analysers of this machine.

Run as `python -m tests.benchmarks.moves_fleet [--decisions 12] [--deep 3]`. The decisions are of
games that the static evaluation plays. Costs of evaluations and analyses are processor time of one
thread; decisions, and all that has to do with the fleet, are by the clock: this process alone, one
thread, and a master here with two analyser processes of one worker each that alone compute.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import combinations, islice
from statistics import mean, median

from engine_ext import services
from engine_ext.backgammon.board import START
from engine_ext.backgammon.match_state import GameState, MatchState
from engine_ext.backgammon.notation import ALL_ROLLS
from engine_ext.backgammon.play import Roll, rank_moves
from engine_ext.backgammon.questions import (
    AnalyseQuestion,
    AnalysisSettings,
    DecisionKind,
    MovesQuestion,
)
from engine_ext.backgammon.ranking import Candidate, Stage, drive, rank_in_stages
from engine_ext.backgammon.trials import engine_digest
from engine_ext.control import RunControl
from master.cli.master_access import open_master
from master.cli.place import Place
from master.config.fleet_list import FleetEntry, parse_fleet_address
from master.contract.job_words import Priority
from master.contract.master import Master
from master.games.backgammon.fleet_answers import rank_rolls_over
from tests.benchmarks.measure import machine_description, print_table

SEED = 5
LATENCIES = 60
PLIES = (2, 3)
ANALYSES_EACH = 60

Decision = tuple[GameState, tuple[int, int]]


def played_decisions(count: int) -> list[Decision]:
    """Return decisions with a choice, from games played statically."""
    rng, position, found = random.Random(SEED), START, list[Decision]()
    while len(found) < count:
        state = GameState(position, MatchState(match_length=7, score=(2, 3)))
        dice = rng.randint(1, 6), rng.randint(1, 6)
        roll = Roll(state, dice)
        if len(roll.legal) > 1:
            found.append((state, dice))
        position = roll.legal[roll.rank_statically()[0].number].after.swapped()
        position = START if position.result else position
    return found


def evaluation_ms(decisions: Sequence[Decision], ply: int) -> tuple[float, float]:
    """Return the processor time of a move's evaluation at exactly a ply, and moves a decision."""
    spent, count = 0.0, 0
    for state, dice in decisions:
        roll = Roll(state, dice)

        def evaluate(stage: Stage, roll: Roll = roll) -> list[Candidate]:
            nonlocal spent, count
            started = time.process_time()
            values = roll.evaluate(stage, RunControl())
            if stage.ply == ply:
                spent += time.process_time() - started
                count += len(stage.numbers)
            return values

        drive(rank_in_stages(roll.rank_statically(), ply, "normal"), evaluate)
    return 1e3 * spent / count, count / len(decisions)


def analysis_ms(decisions: Sequence[Decision], ply: int) -> float:
    """Return the processor time of an analysis with cube and luck, from text to text."""
    settings = AnalysisSettings(ply=ply, cube_ply=ply, luck_ply=0)
    questions = [
        AnalyseQuestion(engine_digest(), state, DecisionKind.MOVE, settings, dice, worst.steps)
        for state, dice in decisions
        for worst in [Roll(state, dice).legal[-1]]
    ]
    texts = [question.to_text() for question in questions]
    started = time.process_time()
    for text in texts:
        services.answer(text, RunControl())
    return 1e3 * (time.process_time() - started) / len(texts)


@contextmanager
def own_state() -> Iterator[None]:
    """Keep answers of this run to itself: one kept from before would cost nothing."""
    with tempfile.TemporaryDirectory() as directory:
        own = {"XDG_STATE_HOME": directory, "XDG_RUNTIME_DIR": directory}
        before = {name: os.environ.get(name) for name in own}
        os.environ.update(own)
        try:
            yield
        finally:
            for name, value in before.items():
                os.environ.pop(name) if value is None else os.environ.update({name: value})


def fleet_place(count: int) -> Place:
    """Return a place of so many analyser processes, and nobody else."""
    command = f"exec:{sys.executable} -m analyser --stdio --workers 1"
    entries = [FleetEntry(f"m{i}", parse_fleet_address(command)) for i in range(count)]
    return Place(analysers=tuple(entries), local=0)


async def until_ready(master: Master, count: int) -> None:
    """Wait until all analysers are."""
    while sum(line.state == "ready" for line in await master.who()) < count:  # noqa: ASYNC110
        await asyncio.sleep(0.01)  # a master tells of jobs alone


async def clocked_ms(work: Callable[[], Awaitable[object]]) -> float:
    """Return how long something takes."""
    started = time.perf_counter()
    await work()
    return 1e3 * (time.perf_counter() - started)


async def latencies_ms(master: Master, count: int) -> list[float]:
    """Return the sorted times of questions that take no work, asked one after the other."""
    start, found = GameState(START, MatchState()), []
    for pair in islice(combinations(range(len(Roll(start, (2, 1)).legal)), 2), count):
        text = MovesQuestion(engine_digest(), start, (2, 1), 0, pair).to_text()

        async def ask(text: str = text) -> None:
            await master.ask([text], priority=Priority.URGENT)

        found.append(await clocked_ms(ask))
    return sorted(found)


async def local_ms(state: GameState, rolls: Sequence[tuple[int, int]], ply: int) -> float:
    """Return how long one thread of this process takes to rank the moves of rolls."""

    async def rank() -> None:
        for dice in rolls:
            rank_moves(state, dice, ply)

    return await clocked_ms(rank)


async def fleet_ms(
    master: Master, state: GameState, rolls: Sequence[tuple[int, int]], ply: int
) -> float:
    """Return how long the fleet takes to rank them."""
    return await clocked_ms(lambda: rank_rolls_over(master.ask, state, rolls, ply, here_s_max=0.0))


async def fleet_rows(decisions: Sequence[Decision], deep: int) -> list[tuple[str, str, str]]:
    """Return what the fleet costs and what it wins, in rows of a table."""
    rows = []
    started = time.perf_counter()
    async with open_master(fleet_place(2)) as master:
        await until_ready(master, 2)
        rows.append(("fleet loaded and ready", "", f"{1e3 * (time.perf_counter() - started):.0f}"))
        times = await latencies_ms(master, LATENCIES)
        worst = times[-2] if len(times) > 1 else times[0]
        rows.append(("question without work, median", "", f"{median(times):.2f}"))
        rows.append(("question without work, worst but one", "", f"{worst:.2f}"))
        for ply in PLIES:
            some = decisions[:deep] if ply > 2 else decisions
            here = mean([await local_ms(state, [dice], ply) for state, dice in some])
            there = mean([await fleet_ms(master, state, [dice], ply) for state, dice in some])
            rows.append((f"{ply}-ply decision", f"{here:.1f}", f"{there:.1f}"))
        for ply in PLIES:
            state = decisions[1][0]
            here = await local_ms(state, ALL_ROLLS, ply)
            there = await fleet_ms(master, state, ALL_ROLLS, ply)
            rows.append((f"all 21 rolls at {ply}-ply", f"{here:.0f}", f"{there:.0f}"))
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--decisions", type=int, default=12, help="at 2-ply")
    parser.add_argument("--deep", type=int, default=6, help="of them at 3-ply")
    options = parser.parse_args()
    decisions = played_decisions(max(2, options.decisions))
    print(machine_description())
    for ply, some in ((1, decisions), (2, decisions), (3, decisions[: options.deep])):
        cost, moves = evaluation_ms(some, ply)
        print(f"a move at {ply}-ply {cost:.3f} ms, {moves:.1f} of them a decision")
    for ply, count in ((0, ANALYSES_EACH), (2, options.decisions)):
        print(f"an analysis at {ply}-ply {analysis_ms(played_decisions(count), ply):.2f} ms")
    with own_state():
        rows = asyncio.run(fleet_rows(decisions, options.deep))
    print_table(("milliseconds by the clock", "here", "two analysers"), rows)


if __name__ == "__main__":
    main()
