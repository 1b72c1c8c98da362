"""What questions cost through the whole stack: answers a second, and how long an urgent one takes.

Run as `python -m tests.benchmarks.questions`. Two analysers of one worker each are processes; the
master is in this one. Every question is a part with its own lease, request, answer and row.
"""

import asyncio
import time
from collections.abc import Sequence
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory

from engine_ext.noop.question import noop_question
from engine_ext.noop.runner import noop_context
from master.cli.bench.bench_network import analyser_argv, calibrate
from master.config.fleet_list import ExecAddress, FleetEntry
from master.contract.job_words import Priority
from master.contract.views import JobRequest
from master.service.service import MasterService

QUESTIONS = 20_000
RUNS = 3
URGENT = 200
BUSY_S = 0.2  # a background question lasts this long, and an urgent one finds it at work
BACKGROUND = 2_000
"""More than one analyser takes at a time that has just answered quick ones: both are to be busy."""

_numbers = count()  # no question is asked twice


def new_questions(number: int, rounds: int = 0) -> list[str]:
    """Return questions that nobody has answered."""
    return [noop_question(rounds, next(_numbers)) for _ in range(number)]


async def per_second(service: MasterService, number: int) -> float:
    """Return how many questions a second are answered, of the fastest run."""
    times = []
    for _ in range(RUNS):
        questions = new_questions(number)
        start = time.perf_counter()
        await service.ask(questions)
        times.append(time.perf_counter() - start)
    return number / min(times)


async def urgent_ms(service: MasterService, number: int) -> Sequence[float]:
    """Return how long each of some urgent questions took, one after another, sorted."""
    times = []
    for _ in range(number):
        (question,) = new_questions(1)
        start = time.perf_counter()
        await service.ask([question], priority=Priority.URGENT)
        times.append((time.perf_counter() - start) * 1e3)
    return sorted(times)


def shown(times: Sequence[float]) -> str:
    """Return median and ninety-ninth percentile."""
    return f"p50 {times[len(times) // 2]:6.2f} ms  p99 {times[len(times) * 99 // 100]:6.2f} ms"


async def busy_with_questions(service: MasterService, rounds: int, number: int) -> Sequence[float]:
    """Return the times while both analysers are at background questions."""
    questions = new_questions(BACKGROUND, rounds)
    background = asyncio.create_task(service.ask(questions, priority=Priority.BACKGROUND))
    await all_busy(service)
    times = await urgent_ms(service, number)
    background.cancel()
    await asyncio.gather(background, return_exceptions=True)
    return times


async def busy_with_a_rollout(service: MasterService, rounds: int, number: int) -> Sequence[float]:
    """Return the times while both analysers are at a rollout."""
    job = await service.submit(JobRequest(noop_context(rounds=rounds), 10**9))
    await all_busy(service)
    times = await urgent_ms(service, number)
    await service.halt(job)
    return times


async def all_busy(service: MasterService) -> None:
    """Wait until every analyser holds a part, and has begun it."""
    while not all(line.parts for line in service.analysers()):  # noqa: ASYNC110  # nobody tells
        await asyncio.sleep(0)
    await asyncio.sleep(BUSY_S)


async def measure(number: int = QUESTIONS, urgent: int = URGENT) -> dict[str, str]:
    """Return what was measured, as lines for people by what they are about."""
    rounds = round(calibrate() * BUSY_S)
    with TemporaryDirectory(prefix="manyply-bench-") as directory:
        async with MasterService(Path(directory), "bench") as service:
            entries = [FleetEntry(f"a{i}", ExecAddress(analyser_argv(i))) for i in range(2)]
            await asyncio.gather(*(service.add_analyser(entry) for entry in entries))
            return {
                f"{number} at once": f"{await per_second(service, number):.0f} questions/s",
                "urgent, idle": shown(await urgent_ms(service, urgent)),
                "urgent, background": shown(await busy_with_questions(service, rounds, urgent)),
                "urgent, rollout": shown(await busy_with_a_rollout(service, rounds, urgent)),
            }


def main() -> None:
    """Measure and print."""
    for what, line in asyncio.run(measure()).items():
        print(f"{what:<20} {line}")


if __name__ == "__main__":
    main()
