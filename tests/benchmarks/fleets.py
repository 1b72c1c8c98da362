"""What it costs that an engine places analysers, and how soon a killed one's parts are out again.

Run as `python -m tests.benchmarks.fleets [--only dask] [--work-s 4] [--rounds 3] [--json]`;
`--only` leaves out all but `local` and those it names. Two analysers of one worker each: of
`local:2`, over pipes; below two relays; of `slurm:2` on Debian's Slurm, two nodes on this machine;
of Dask, a scheduler and two workers with nannies, set up as deploy/dask.md tells those whose
workers only keep analysers; of Ray, a head node of two processors; by turns, each with nothing of
the others running. Where an engine is not installed its row is left out, by name.

* Efficiency: processor time of the work in units of 10 ms, one part each, sixteen outstanding, over
  the time by the clock that both workers had; the best of the rounds counts.
* Beside the engine: the same of `local:2` while the engine runs and has nothing to do, and the
  fleet's share of that.  An engine's own load is one thing, what placing by it costs another.
* Out again: an analyser is killed by SIGKILL in the middle of a job; the time until the last of the
  parts that it had is handed to another one, since the kill and since its link told.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import signal
import sys
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from engine_ext.noop.runner import noop_context
from master.cli.bench.bench_network import EFFICIENCY_WINDOW, calibrate
from master.config.fleet_list import ExecAddress, FleetEntry
from master.config.fleet_specs import FleetSpec, parse_fleet_spec
from master.contract.commands import Command, HandOut
from master.contract.events import AnalyserLost, Event, PartEnded
from master.contract.views import JobRequest
from master.fleets.inviting import invited_fleets
from master.scheduler import SchedulerOptions
from master.service.service import MasterService
from protocol.address import Address
from protocol.aio import new_runner
from tests.benchmarks.measure import machine_description, optional_import, print_table
from tests.daemons.analyser_programs import HERE
from tests.daemons.fleets import ray_cluster as ray
from tests.daemons.fleets import slurm_cluster as slurm
from tests.daemons.fleets.permanent import analysers_with

ANALYSERS = 2
UNIT_S = 0.010
WARM_UP_UNITS = 200
START_S_MAX = 60.0
KILL_AFTER_S = 0.7


@dataclass
class Watch:
    """When parts of a lost analyser are out again; times are seconds of a monotonic clock."""

    holders: dict[int, tuple[int, int]] = field(default_factory=dict)  # by part: analyser, trial
    missing: set[int] = field(default_factory=set)
    lost_count: int = 0
    announced_at: float = 0.0
    out_at: float = 0.0

    def turn(self, now: float, events: Sequence[Event], commands: Sequence[Command]) -> None:
        """Take a turn of the scheduler in."""
        del now
        for event in events:
            if isinstance(event, PartEnded):
                self.holders.pop(event.part, None)
            elif isinstance(event, AnalyserLost) and not event.is_orderly and not self.announced_at:
                self.announced_at = time.monotonic()
                held = self.holders.values()
                self.missing = {trial for analyser, trial in held if analyser == event.analyser}
                self.lost_count = len(self.missing)
        for command in commands:
            if isinstance(command, HandOut):
                self.holders[command.part] = command.analyser, command.first_seq
                if command.first_seq in self.missing:
                    self.missing.remove(command.first_seq)
                    self.out_at = time.monotonic()


@dataclass(frozen=True)
class Found:
    """What one round of one fleet gave.

    Args:
        efficiency: see above.
        beside: of `local:2` beside the engine.
        parts: that the killed analyser had.
        since_kill_s: until the last of them was out again.
        since_announced_s: the same, since its link told.
    """

    efficiency: float
    beside: float
    parts: int
    since_kill_s: float
    since_announced_s: float


Log = Callable[[float, Sequence[Event], Sequence[Command]], None]
"""Takes a turn of the scheduler in."""

Run = Callable[[str, int], Coroutine[Any, Any, None]]
"""Has so many units of a context computed."""

Fleet = FleetSpec | tuple[FleetEntry, ...]
"""What is asked of an engine, or programs that are started here."""

OpenFleet = Callable[[Path], AbstractAsyncContextManager[Fleet]]
"""Starts an engine in a folder; gives what to ask of it."""

LOCAL = parse_fleet_spec(f"local:{ANALYSERS}").entries()

RELAY = ("-P", "-m", "master.cli.relay", "--stdio", "--fleet", "local:1")


@asynccontextmanager
async def no_engine(folder: Path) -> AsyncIterator[Fleet]:
    """Yield a fleet that needs none."""
    del folder
    yield LOCAL


@asynccontextmanager
async def _relays(folder: Path) -> AsyncIterator[Fleet]:
    """Yield relays of one analyser each."""
    del folder
    names = (f"relay-{number}" for number in range(ANALYSERS))
    address = ExecAddress((sys.executable, *RELAY))
    yield tuple(FleetEntry(name, address) for name in names)


@asynccontextmanager
async def _slurm(folder: Path) -> AsyncIterator[Fleet]:
    async with slurm.slurm_cluster(folder / "slurm") as cluster:
        os.environ["SLURM_CONF"] = str(cluster.conf)
        yield parse_fleet_spec(f"slurm:{ANALYSERS}")


@asynccontextmanager
async def _dask(folder: Path) -> AsyncIterator[Fleet]:
    from tests.daemons.fleets.dask_cluster import LEAN, dask_cluster  # noqa: PLC0415  # an extra

    async with dask_cluster(folder / "dask", ANALYSERS, LEAN) as cluster:
        yield parse_fleet_spec(cluster.spec)


@asynccontextmanager
async def _ray(folder: Path) -> AsyncIterator[Fleet]:
    del folder
    with ray.short_folder() as short:
        async with ray.ray_cluster(short) as address:
            yield parse_fleet_spec(f"ray:{address}:{ANALYSERS}")


def engines() -> dict[str, OpenFleet]:
    """Return what can be measured here."""
    found: dict[str, OpenFleet] = {"local": no_engine, "relays": _relays}
    if slurm.IS_THERE and os.getuid() == 0:
        found["slurm"] = _slurm
    else:
        print("Slurm is not installed, or this is not root: its figures are left out")
    if optional_import("distributed") is not None:
        found["dask"] = _dask
    if ray.IS_THERE:
        found["ray"] = _ray
    else:
        print("Ray is not installed: its figures are left out")
    return found


@asynccontextmanager
async def _ready(fleet: Fleet, options: SchedulerOptions) -> AsyncIterator[tuple[Run, str]]:
    """Have a master with a fleet that has worked already; yield how to have units computed."""
    with TemporaryDirectory(prefix="manyply-bench-") as directory:
        state_dir = Path(directory) / "state"
        async with (
            MasterService(state_dir, "bench", options=options) as service,
            _analysers(service, fleet) as mark,
        ):
            await _until_ready(service)
            await _run(service, noop_context(), WARM_UP_UNITS)
            yield partial(_run, service), mark


async def efficiency_of(fleet: Fleet, context: str, units: int) -> float:
    """Return what share of two workers' time was work."""
    async with _ready(fleet, _options()) as (run, _):
        return await _efficiency(run, context, units)


async def measure(fleet: Fleet, rounds_per_s: float, work_s: float) -> Found:
    """Measure one fleet once."""
    watch = Watch()
    context = noop_context(rounds=round(UNIT_S * rounds_per_s))
    units = round(work_s * ANALYSERS / UNIT_S)
    async with _ready(fleet, _options(watch.turn)) as (run, mark):
        efficiency = await _efficiency(run, context, units)
        watch.holders.clear()
        job = asyncio.create_task(run(context, units))
        await asyncio.sleep(KILL_AFTER_S)
        await _until_all_work(watch)
        killed_at = time.monotonic()
        os.kill(_victim(mark), signal.SIGKILL)
        await job
    assert not watch.missing, "a job that has ended has handed out everything"
    assert watch.announced_at, "the link of a process that is killed tells"
    beside = await efficiency_of(LOCAL, context, units)
    since_kill_s, since_announced_s = watch.out_at - killed_at, watch.out_at - watch.announced_at
    return Found(efficiency, beside, watch.lost_count, since_kill_s, since_announced_s)


def _options(log: Log | None = None) -> SchedulerOptions:
    return SchedulerOptions(window=EFFICIENCY_WINDOW, part_trials=1, log=log)


async def _efficiency(run: Run, context: str, units: int) -> float:
    start = time.perf_counter()
    await run(context, units)
    return units * UNIT_S / ((time.perf_counter() - start) * ANALYSERS)


@asynccontextmanager
async def _analysers(service: MasterService, fleet: Fleet) -> AsyncIterator[str]:
    """Have a fleet as a command has it; yield what its processes can be told by; empty: ours."""
    if isinstance(fleet, tuple):
        assert not any(await asyncio.gather(*map(service.add_analyser, fleet)))
        yield ""
        return
    fleets = invited_fleets((fleet,), Address(HERE, 0), service.serve_link, print)
    async with fleets as (invited,):
        yield invited.ticket


async def _until_ready(service: MasterService) -> None:
    async with asyncio.timeout(START_S_MAX):
        while [each.state for each in service.analysers()].count("ready") < ANALYSERS:  # noqa: ASYNC110
            await asyncio.sleep(0.05)  # the master tells nobody


async def _until_all_work(watch: Watch) -> None:
    """Wait until each analyser has parts: on a busy machine a job begins late."""
    async with asyncio.timeout(START_S_MAX):
        while len({analyser for analyser, _ in watch.holders.values()}) < ANALYSERS:  # noqa: ASYNC110
            await asyncio.sleep(0.01)  # the watch tells nobody


def _victim(mark: str) -> int:
    """Return the process of an analyser: with a mark, or one of this process's that has a pipe.

    This process may have other children: Python's own resource tracker is one.
    """
    if mark:
        return min(analysers_with(mark))
    tasks = Path("/proc/self/task").iterdir()
    children = [word for task in tasks for word in (task / "children").read_text().split()]
    return min(int(each) for each in children if b"--stdio" in _command_line(each))


def _command_line(process: str) -> list[bytes]:
    return Path("/proc", process, "cmdline").read_bytes().split(b"\0")


async def _run(service: MasterService, context: str, units: int) -> None:
    number = await service.submit(JobRequest(context, units))
    async for _ in service.subscribe(number, interval_s=1.0):
        pass


async def measure_all(
    measured: dict[str, OpenFleet], work_s: float, rounds: int
) -> dict[str, list[Found]]:
    """Measure fleets by turns."""
    found: dict[str, list[Found]] = {name: [] for name in measured}
    rounds_per_s = calibrate()
    for _ in range(rounds):
        for name, open_fleet in measured.items():
            with TemporaryDirectory(prefix="manyply-bench-") as folder:
                async with open_fleet(Path(folder)) as fleet:
                    found[name].append(await measure(fleet, rounds_per_s, work_s))
    return found


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--work-s", type=float, default=4.0)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--only", action="append", default=[], metavar="FLEET")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    measured = engines()
    if arguments.only:
        if missing := set(arguments.only) - set(measured):
            parser.error(f"--only {min(missing)}: not one of {', '.join(measured)}")
        measured = {name: measured[name] for name in measured if name in {"local", *arguments.only}}
    with new_runner() as runner:
        found = runner.run(measure_all(measured, arguments.work_s, arguments.rounds))
    best = {name: max(each.efficiency for each in rows) for name, rows in found.items()}
    beside = {name: max(each.beside for each in rows) for name, rows in found.items()}
    if arguments.json:
        table = {name: [vars(each) for each in rows] for name, rows in found.items()}
        shares = {name: best[name] / beside[name] for name in found}
        json.dump({"fleets": table, "best_efficiency": best, "of_beside": shares}, sys.stdout)
        return
    print(machine_description())
    print_table(
        ("fleet", "efficiency", "of local's", "beside the engine", "parts", "out again", "told"),
        [
            (
                name,
                f"{best[name]:.1%}",
                f"{best[name] / best['local']:.1%}",
                f"{best[name] / beside[name]:.1%}",
                str(max(each.parts for each in rows)),
                _times([each.since_kill_s for each in rows]),
                _times([each.since_announced_s for each in rows]),
            )
            for name, rows in found.items()
        ],
    )


def _times(seconds: Sequence[float]) -> str:
    return f"{median(seconds):.2f} s, at most {max(seconds):.2f} s"


if __name__ == "__main__":
    main()
