"""How long a person's question takes at an analyser that is idle, and at one that is busy.

Run as `python -m tests.benchmarks.urgent_latency [--workers 2] [--questions 400]`. One analyser
process is asked no-op questions one after the other; the time is from sending an urgent question
to having its final result. When it is busy, all its workers compute no-op trials that never end,
or rollouts of the start position.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import time

from engine_ext.backgammon.alternatives import rollout_context
from engine_ext.backgammon.context import NO_DOUBLE
from engine_ext.backgammon.ids import parse_id
from engine_ext.noop.question import noop_question
from engine_ext.noop.runner import ROUNDS_MAX, noop_context
from protocol.aio import open_command
from protocol.messages import COUNT_MAX, Done, Progress
from protocol.session import MasterSession
from protocol.sides import MasterSide
from tests.analyser.driven_master import DrivenMaster
from tests.benchmarks.measure import print_table

START_ID = "4HPwATDgc/ABMA"
WARM_UP = 20


def busy_contexts() -> dict[str, str | None]:
    """Return what the workers do meanwhile, by name."""
    rollout = rollout_context(parse_id(START_ID), (NO_DOUBLE,))
    return {
        "idle": None,
        "no-op trials": noop_context(rounds=ROUNDS_MAX),
        "rollout trials": rollout.to_text(),
    }


async def latencies_us(context: str | None, workers: int, questions: int) -> list[float]:
    """Return the sorted times of all questions, while every worker computes the context."""
    argv = (sys.executable, "-m", "analyser", "--stdio", "--workers", str(workers))
    session = MasterSession("bench")
    master = DrivenMaster(await open_command(argv, MasterSide(session)), session)
    try:
        await master.begin()
        if context is not None:
            await _occupy(master, context, workers)
        return sorted(
            [await _ask(master, workers + i) for i in range(questions + WARM_UP)][WARM_UP:]
        )
    finally:
        await master.link.aclose()


async def _occupy(master: DrivenMaster, context: str, workers: int) -> None:
    for part in range(workers):
        master.ask(part, COUNT_MAX, context)
    begun: set[int] = set()
    while len(begun) < workers:
        begun.add((await master.hear(Progress)).part)


async def _ask(master: DrivenMaster, part: int) -> float:
    sent = time.perf_counter()
    master.wonder(part, noop_question(number=part), urgent=True)
    while (await master.hear(Done)).part != part:
        pass
    took = time.perf_counter() - sent
    master.ack()
    return took * 1e6


async def measure(workers: int, questions: int) -> list[tuple[str, ...]]:
    """Return a row for each load: its name and the percentiles, in microseconds."""
    rows = []
    for name, context in busy_contexts().items():
        times = await latencies_us(context, workers, questions)
        places = (len(times) // 2, len(times) * 99 // 100, -1)
        rows.append((name, *(f"{times[place]:,.0f}" for place in places)))
    return rows


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--questions", type=int, default=400)
    options = parser.parse_args()
    rows = asyncio.run(measure(options.workers, options.questions))
    print_table((f"{options.workers} workers, us", "p50", "p99", "largest"), rows)


if __name__ == "__main__":
    main()
