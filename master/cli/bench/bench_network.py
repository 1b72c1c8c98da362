"""The network bench: the cost of the whole stack for each unit of work.

It starts analysers as processes and times jobs with almost no computation. A unit is a part of one
trial, so every unit pays for its own lease, request, result, fold and row in the store.

Only the results of the jobs are bit-exact; times depend on the machine. Every job is run several
times and the fastest run counts, since other load only makes a run slower. On a machine with steady
other load the rates and efficiencies by the clock are too low; the processor time of a unit suffers
least.
"""

import asyncio
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from engine_ext.control import RunControl
from engine_ext.noop.runner import noop_context
from engine_ext.services import trial_runner
from master.config.fleet_list import ExecAddress, FleetEntry
from master.contract.errors import MasterError
from master.contract.views import JobRequest
from master.scheduler import SchedulerOptions
from master.service.service import MasterService
from protocol.aio import open_command
from protocol.events import MessageReceived
from protocol.messages import Ack, AnalyserHello, Done, MasterHello, Message, Ready, Trials
from protocol.sides import MasterSide

ANALYSER_COUNT = 2
"""The machines this is measured on have two cores."""

EFFICIENCY_WINDOW = 16
"""One unit computing, the next ones waiting, at each analyser."""

RUNS = 3
WARM_UP_UNITS = 200
CALIBRATION_ROUNDS = 3_000_000
CALIBRATIONS = 30
"""Of 4 ms; the fastest counts."""


@dataclass(frozen=True)
class NetworkBench:
    """The measurements; the names are keys of `manyply bench network --json`.

    Args:
        units_per_s_window_1: no-op units a second with one outstanding at each analyser.
        units_per_s_window_16: the same with sixteen.
        master_cpu_us_per_unit_window_1: processor time of the master's process a unit.
        master_cpu_us_per_unit_window_16: the same with sixteen outstanding.
        round_trip_p50_us: from sending a no-op unit to having its final result, on an idle link.
        round_trip_p99_us: the same, ninety-ninth percentile.
        efficiency_1_ms: processor time of the work in units of 1 ms, over the time by the clock
            that all workers had. Time that other programs take of the cores lowers it as overhead
            does.
        efficiency_10_ms: the same for units of 10 ms.
        analysers: how many processes computed, of one worker thread each.
    """

    units_per_s_window_1: float
    units_per_s_window_16: float
    master_cpu_us_per_unit_window_1: float
    master_cpu_us_per_unit_window_16: float
    round_trip_p50_us: float
    round_trip_p99_us: float
    efficiency_1_ms: float
    efficiency_10_ms: float
    analysers: int


@dataclass(frozen=True)
class JobTime:
    """Time of one job: seconds by the wall clock, and of the master's processor time."""

    wall_s: float
    cpu_s: float


def analyser_argv(number: int) -> tuple[str, ...]:
    """Return the command that starts an analyser of one worker on its stdin and stdout.

    It is the installed one (`-P`), not a package in the current folder.
    """
    name = f"bench-{number}"
    return (sys.executable, "-P", "-m", "analyser", "--stdio", "--workers", "1", "--name", name)


async def bench_network(
    units: int = 15_000, round_trips: int = 3_000, efficiency_s: float = 1.5
) -> NetworkBench:
    """Measure everything, in about twenty seconds.

    Args:
        units: no-op units for each window.
        round_trips: how many round trips are timed.
        efficiency_s: seconds of work for each efficiency.

    Raises:
        MasterError: no analyser process can be started.
    """
    one = await _time_job(SchedulerOptions(window=1, part_trials=1), units, rounds=0)
    many = await _time_job(SchedulerOptions(window=16, part_trials=1), units, rounds=0)
    trips = sorted(await _round_trips(round_trips))
    rounds_per_s = calibrate()
    return NetworkBench(
        units_per_s_window_1=units / one.wall_s,
        units_per_s_window_16=units / many.wall_s,
        master_cpu_us_per_unit_window_1=one.cpu_s / units * 1e6,
        master_cpu_us_per_unit_window_16=many.cpu_s / units * 1e6,
        round_trip_p50_us=trips[len(trips) // 2] * 1e6,
        round_trip_p99_us=trips[len(trips) * 99 // 100] * 1e6,
        efficiency_1_ms=await _efficiency(0.001, rounds_per_s, efficiency_s),
        efficiency_10_ms=await _efficiency(0.010, rounds_per_s, efficiency_s),
        analysers=ANALYSER_COUNT,
    )


def calibrate() -> float:
    """Return how many rounds of busy work one worker does in a second of processor time.

    As many threads are busy as there will be analysers: cores that share a processor's units, or
    its heat, are slower together than each by itself.
    """
    with ThreadPoolExecutor(ANALYSER_COUNT) as threads:
        times = list(threads.map(_calibration_s, range(ANALYSER_COUNT)))
    return CALIBRATION_ROUNDS * ANALYSER_COUNT / sum(times)


def _calibration_s(_: int) -> float:
    runner = trial_runner(noop_context(rounds=CALIBRATION_ROUNDS))
    times = []
    for _ in range(CALIBRATIONS):
        start = time.thread_time()
        runner.run(0, 1, RunControl())
        times.append(time.thread_time() - start)
    return min(times)


async def _efficiency(unit_s: float, rounds_per_s: float, work_s: float) -> float:
    rounds = round(unit_s * rounds_per_s)
    units = max(1, round(work_s * ANALYSER_COUNT / unit_s))
    options = SchedulerOptions(window=EFFICIENCY_WINDOW, part_trials=1)
    took = await _time_job(options, units, rounds)
    return units * rounds / rounds_per_s / (took.wall_s * ANALYSER_COUNT)


async def _time_job(options: SchedulerOptions, units: int, rounds: int) -> JobTime:
    """Run jobs of so many units on new analysers; return the shortest times, each by itself."""
    with TemporaryDirectory(prefix="manyply-bench-") as directory:
        async with MasterService(Path(directory), "bench", options=options) as service:
            await _add_analysers(service)
            await _run(service, noop_context(), WARM_UP_UNITS)
            context = noop_context(rounds=rounds)
            times = [await _time_run(service, context, units) for _ in range(RUNS)]
            return JobTime(min(t.wall_s for t in times), min(t.cpu_s for t in times))


async def _time_run(service: MasterService, context: str, units: int) -> JobTime:
    start, cpu_start = time.perf_counter(), time.process_time()
    await _run(service, context, units)
    return JobTime(time.perf_counter() - start, time.process_time() - cpu_start)


async def _add_analysers(service: MasterService) -> None:
    entries = [
        FleetEntry(f"bench-{number}", ExecAddress(analyser_argv(number)))
        for number in range(ANALYSER_COUNT)
    ]
    reasons = await asyncio.gather(*(service.add_analyser(entry) for entry in entries))
    if any(reasons):
        raise MasterError(f"an analyser cannot be started: {next(filter(None, reasons))}")


async def _run(service: MasterService, context: str, units: int) -> None:
    job = await service.submit(JobRequest(context, units))
    async for _ in service.subscribe(job, interval_s=1.0):
        pass


async def _round_trips(count: int) -> Sequence[float]:
    """Return the seconds from each no-op unit's request to its final result."""
    link = await open_command(analyser_argv(0), MasterSide())
    times: list[float] = []
    sent = 0.0
    try:
        async for event in link:
            message: Message | None = event.message if isinstance(event, MessageReceived) else None
            if isinstance(message, AnalyserHello):
                link.send(MasterHello(name="bench"))
            elif isinstance(message, Done):
                times.append(time.perf_counter() - sent)
            if isinstance(message, Ready | Done):
                if len(times) >= count + WARM_UP_UNITS:
                    break
                part = len(times)
                link.send(Ack(count=2 * part))
                sent = time.perf_counter()
                link.send(_unit(part))
    finally:
        await link.aclose()
    return times[WARM_UP_UNITS:]


def _unit(part: int) -> Trials:
    return Trials(part=part, attempt=0, first_seq=part, count=1, context=noop_context())
