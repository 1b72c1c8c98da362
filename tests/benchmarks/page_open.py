"""What the page costs a master: no-op units with nobody looking, and with readers and a browser.

    python -m tests.benchmarks.page_open [--rounds N] [--units N]

The units are those of `manyply bench network`, through a master with a page.  Rounds with it closed
and open take turns, so that what else the machine does falls on both; three readers of events and a
headless browser are processes of their own.  The master's processor time suffers least from others;
units a second by the clock have in them that readers and browser take of the same cores.
"""

from __future__ import annotations

import asyncio
import contextlib
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from engine_ext.noop.runner import noop_context
from master.api.server import MasterServer
from master.cli.bench import bench_network as network
from master.scheduler import SchedulerOptions
from master.service.service import MasterService
from protocol.address import Address
from protocol.aio import new_runner
from tests.daemons.analyser_programs import started
from tests.master.api.browser import Browser, browsing
from tests.master.reports.browser import CHROMIUM

READERS = 3
BUSY_UNIT_S = 0.01
BUSY_UNITS = 600
"""Of a round: three seconds of two workers."""

BLANK = "about:blank"

_READER = """
import asyncio, sys
async def read(port):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET /api/events HTTP/1.1\\r\\nHost: 127.0.0.1:{port}\\r\\n\\r\\n".encode())
    await reader.readuntil(b"event: state")
    print("reads", flush=True)
    while await reader.read(65536):
        pass
async def main(port, count):
    await asyncio.gather(*(read(port) for _ in range(count)))
asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
"""


@dataclass(frozen=True)
class Cost:
    """Of one round: units a second, and the master's processor time a unit."""

    units_per_s: float
    cpu_us_per_unit: float

    @property
    def cpu_share(self) -> float:
        """Of a core, what the master takes."""
        return self.units_per_s * self.cpu_us_per_unit / 1e6


@dataclass(frozen=True)
class Compared:
    """The best of all rounds with the page closed and open."""

    closed: Cost
    open: Cost

    @property
    def by_processor_time(self) -> float:
        """Units that the master's processor time is enough for, as a share of those without."""
        return self.closed.cpu_us_per_unit / self.open.cpu_us_per_unit

    @property
    def by_the_clock(self) -> float:
        """Units a second as a share of those without."""
        return self.open.units_per_s / self.closed.units_per_s


async def compare(window: int, units: int, rounds: int, unit_rounds: int = 0) -> Compared:
    """Measure with some units outstanding at each of two analysers.

    Args:
        window: how many.
        units: of one round.
        rounds: with the page closed, and as many with it open.
        unit_rounds: of work in a unit.
    """
    context = noop_context(rounds=unit_rounds)
    costs: dict[bool, list[Cost]] = {False: [], True: []}
    options = SchedulerOptions(window=window, part_trials=1)
    with TemporaryDirectory(prefix="manyply-bench-") as text:
        folder = Path(text)
        async with (
            MasterService(folder, "bench", options=options) as service,
            serving(service, folder) as port,
            chromium() as browser,
        ):
            await network._add_analysers(service)
            await network._run(service, noop_context(), network.WARM_UP_UNITS)
            for number in range(rounds):
                for is_open in (False, True) if number % 2 else (True, False):
                    async with polling(port, browser) if is_open else contextlib.nullcontext():
                        took = await network._time_run(service, context, units)
                    costs[is_open].append(Cost(units / took.wall_s, took.cpu_s / units * 1e6))
    return Compared(best(costs[False]), best(costs[True]))


def best(costs: list[Cost]) -> Cost:
    """Return the best of each, since whatever else the machine does only slows."""
    return Cost(
        max(cost.units_per_s for cost in costs), min(cost.cpu_us_per_unit for cost in costs)
    )


@asynccontextmanager
async def serving(service: MasterService, folder: Path) -> AsyncIterator[int]:
    """Serve the page, whether anybody looks or not; yield its port."""
    server = MasterServer(service, service.keeper, "bench", folder)
    port = await server.open_page(Address("127.0.0.1", 0))
    try:
        yield port
    finally:
        await server.aclose()


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser | None]:
    """Yield a browser with an empty page; None where there is no Chromium."""
    if CHROMIUM is None:
        yield None
        return
    async with browsing() as browser:
        yield browser


@asynccontextmanager
async def polling(port: int, browser: Browser | None) -> AsyncIterator[None]:
    """Have readers of events, and the page in the browser."""
    argv = (sys.executable, "-c", _READER, str(port), str(READERS))
    async with started(*argv, stdout=asyncio.subprocess.PIPE) as process:
        assert process.stdout is not None
        for _ in range(READERS):
            await process.stdout.readline()
        if browser is not None:
            await browser.open(f"http://127.0.0.1:{port}/")
            await browser.until("document.querySelector('#connection')?.innerText === 'Live'")
        try:
            yield
        finally:
            if browser is not None:
                await browser.open(BLANK)


def line(window: int, found: Compared) -> str:
    """Return what was found, for people."""
    closed, opened = found.closed, found.open
    return (
        f"window {window:2}: {found.by_processor_time:6.1%} by the master's processor time"
        f" ({closed.cpu_us_per_unit:.1f} us a unit without, {opened.cpu_us_per_unit:.1f} with),"
        f" {found.by_the_clock:6.1%} by the clock"
        f" ({closed.units_per_s:,.0f} units/s, {opened.units_per_s:,.0f})"
    )


def busy_line(found: Compared) -> str:
    """Return what was found with units that take a while, for people."""
    return (
        f"units of {1_000 * BUSY_UNIT_S:g} ms: the master takes {found.closed.cpu_share:.1%} of a"
        f" core without, {found.open.cpu_share:.1%} with; {found.by_the_clock:.1%} by the clock"
    )


@click.command()
@click.option("--rounds", type=click.IntRange(1), default=12, show_default=True)
@click.option("--units", type=click.IntRange(1), default=5_000, show_default=True)
def main(rounds: int, units: int) -> None:
    """Print the share of units that is left with the page open."""
    who = f"{READERS} readers of events" + (" and Chromium" if CHROMIUM else "; no Chromium here")
    click.echo(f"The page open, {who}; the best of {rounds} rounds of {units:,} no-op units:")
    with new_runner() as runner:
        for window in (16, 1):
            click.echo(line(window, runner.run(compare(window, units, rounds))))
        work = round(BUSY_UNIT_S * network.calibrate())
        click.echo(busy_line(runner.run(compare(16, BUSY_UNITS, rounds, work))))


if __name__ == "__main__":
    main()
