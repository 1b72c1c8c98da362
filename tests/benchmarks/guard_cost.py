"""What guards of an endpoint cost a unit of work: units a second with and without, in one run.

Run as `python -m tests.benchmarks.guard_cost [--units 15000] [--rounds 3]`.  Two analysers listen
as processes; a master in this process dials them and runs jobs of units that do next to nothing,
sixteen outstanding at each, on plain TCP, with a secret, over TLS, and over TLS with a secret: by
turns, and the fastest of the rounds counts.  Also how long it takes from dialling an analyser to
its greeting.  Certificates are made by the code of `manyply cert`.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory

from engine_ext.noop.runner import noop_context
from master.config.certificates import certificate_pem, new_authority, new_certificate
from master.config.fleet_list import FleetEntry
from master.contract.views import JobRequest
from master.scheduler import SchedulerOptions
from master.service.service import MasterService
from protocol.access.rules import Access
from protocol.address import Address
from protocol.aio import connect_tcp, new_runner
from protocol.events import MessageReceived
from protocol.guards.secret_files import make_secret, read_secret
from protocol.guards.tls import TlsIdentity
from protocol.messages import AnalyserHello
from protocol.sides import MasterSide
from tests.benchmarks.measure import machine_description, print_table

HERE = "127.0.0.1"
ANALYSERS = 2
OPTIONS = SchedulerOptions(window=16, part_trials=1)
WARM_UP_UNITS = 200
DIALS = 30
START_S_MAX = 30.0


class Guards:
    """The files of a household of two machines, and what each way of guarding an endpoint is."""

    def __init__(self, folder: Path) -> None:
        self._secret = folder / "secret"
        make_secret(self._secret)
        now = datetime.now(UTC)
        authority = new_authority(now)
        for name in ("analyser", "master"):
            made = new_certificate(authority, [name, HERE], now)
            content = made.key_pem + certificate_pem(made.certificate)
            (folder / name).touch(mode=0o600)
            (folder / name).write_bytes(content + certificate_pem(authority.certificate))
        self._analyser, self._master = folder / "analyser", folder / "master"

    def options(self, guard: str) -> list[str]:
        """Return the options of an analyser."""
        secret = str(self._secret) if "secret" in guard else "none"
        return ["--secret", secret, *(["--tls", str(self._analyser)] if "TLS" in guard else [])]

    def access(self, guard: str) -> Access:
        """Return what the master asks of analysers."""
        secret = read_secret(self._secret) if "secret" in guard else None
        return Access(secret, TlsIdentity(self._master) if "TLS" in guard else None)


GUARDS = ("none", "secret", "TLS", "TLS, secret")


@asynccontextmanager
async def listening(options: Sequence[str]) -> AsyncIterator[Address]:
    """Run an analyser of one worker on a free port."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "analyser", "--listen", f"{HERE}:0", "--workers", "1", *options,
        stderr=asyncio.subprocess.PIPE, env=dict(os.environ),
    )  # fmt: skip
    assert process.stderr is not None
    try:
        async with asyncio.timeout(START_S_MAX):
            while (found := re.search(rb"port (\d+)", await process.stderr.readline())) is None:
                pass
        yield Address(HERE, int(found[1]))
    finally:
        process.kill()
        await process.communicate()


async def dial_ms(address: Address, access: Access) -> float:
    """Return how long it takes to be greeted by an analyser."""
    started = time.perf_counter()
    side = MasterSide(lock=access.lock())
    link = await connect_tcp(address.host, address.port, side, tls=access.tls)
    async for event in link:
        if isinstance(event, MessageReceived) and isinstance(event.message, AnalyserHello):
            break
    elapsed = 1e3 * (time.perf_counter() - started)
    link.abort()
    return elapsed


async def run_job(service: MasterService, units: int) -> float:
    """Return units a second of a job."""
    started = time.perf_counter()
    job = await service.submit(JobRequest(noop_context(), units))
    async for _ in service.subscribe(job, interval_s=1.0):
        pass
    return units / (time.perf_counter() - started)


async def measure(units: int, rounds: int) -> dict[str, tuple[float, float]]:
    """Return of each guard the units a second, and the milliseconds to a greeting."""
    rates = {guard: list[float]() for guard in GUARDS}
    dials = {guard: list[float]() for guard in GUARDS}
    async with AsyncExitStack() as stack:
        folder = Path(stack.enter_context(TemporaryDirectory()))
        guards, services = Guards(folder), {}
        for guard in GUARDS:
            addresses = [
                await stack.enter_async_context(listening(guards.options(guard)))
                for _ in range(ANALYSERS)
            ]
            access = guards.access(guard)
            dials[guard] = [await dial_ms(addresses[0], access) for _ in range(DIALS)]
            service = MasterService(folder / "state" / guard, options=OPTIONS, access=access)
            services[guard] = await stack.enter_async_context(service)
            for address in addresses:
                reason = await service.add_analyser(FleetEntry("", address))
                assert not reason, reason
            await run_job(service, WARM_UP_UNITS)
        for _ in range(rounds):
            for guard in GUARDS:
                rates[guard].append(await run_job(services[guard], units))
    return {guard: (max(rates[guard]), median(dials[guard])) for guard in GUARDS}


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--units", type=int, default=15_000)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args(arguments)
    print(machine_description())
    with new_runner() as runner:
        found = runner.run(measure(options.units, options.rounds))
    plain = found["none"][0]
    print_table(
        ("guard", "units/s", "of plain", "ms to a greeting"),
        [
            (guard, f"{rate:,.0f}", f"{rate / plain:.1%}", f"{dial:.2f}")
            for guard, (rate, dial) in found.items()
        ],
    )


if __name__ == "__main__":
    main()
