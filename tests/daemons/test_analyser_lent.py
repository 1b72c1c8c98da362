"""`manyply-analyser` on a machine that is lent: hours, battery, memory, and when it leaves."""

import asyncio
import re
import resource
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from pathlib import Path

import pytest

from analyser.lending import parse_size, size_text
from analyser.limits import least_memory, usable_cores
from protocol.aio import from_socket
from protocol.messages import Done, Drain, Engine, Fail, Ready
from protocol.sides import MasterSide
from tests.analyser.driven_master import LeftError, expected
from tests.analyser.search_parts import new_search
from tests.daemons.analyser_programs import (
    ANALYSER,
    ENVIRON,
    HERE,
    ROOT,
    Process,
    ended,
    line_with,
    listening,
    master_of,
    started,
    works_with,
)

pytestmark = [pytest.mark.sockets, pytest.mark.slow]

NIGHT = ("--hours", "22:00-07:00")
SLOW = "noop/1 alternatives=1 rounds=1000000"

# The program, with a clock and a battery that a test sets, and looks at them all the time.
LENT = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from analyser import serving
folder = Path(sys.argv[1])
serving.CHECK_S = 0.01
serving.SUPPLIES = folder
serving.utc_now = lambda: datetime.fromisoformat((folder / "clock").read_text()).astimezone(UTC)
from analyser.command import main
main(sys.argv[2:])
"""


class Machine:
    """What a lent analyser sees of its machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "BAT0").mkdir()
        self._write("BAT0/type", "Battery")
        self.set_battery("Full")
        self.set_clock("23:00")

    def _write(self, name: str, text: str) -> None:
        (self.folder / "new").write_text(text)
        (self.folder / "new").rename(self.folder / name)  # nobody reads half of it

    def set_clock(self, time: str) -> None:
        self._write("clock", datetime.fromisoformat(f"2026-07-01 {time}").astimezone().isoformat())

    def set_battery(self, status: str) -> None:
        self._write("BAT0/status", status)

    def argv(self, *options: str) -> tuple[str, ...]:
        return (sys.executable, "-c", LENT, str(self.folder), *options)


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    return Machine(tmp_path)


@asynccontextmanager
async def lent(machine: Machine, *options: str) -> AsyncIterator[tuple[Process, int]]:
    """Run an analyser on a free port of a machine that is lent."""
    argv = machine.argv("--listen", f"{HERE}:0", "--workers", "1", *options)
    async with started(*argv) as process:
        found = re.search(r"port (\d+)", await line_with(process, "listening on port"))
        assert found is not None
        yield process, int(found[1])


async def refusal_at(port: int) -> str:
    with pytest.raises(LeftError) as left:
        await (await master_of(port)).begin()
    return str(left.value)


@pytest.mark.when_changed
async def test_end_of_the_hours_drains_and_their_begin_serves_again(machine: Machine) -> None:
    async with lent(machine, *NIGHT) as (process, port):
        master = await master_of(port)
        await master.begin()
        request = master.ask(1, 100, context=SLOW)
        await master.results(1)
        machine.set_clock("07:00")
        await master.hear(Drain)
        results = await master.results(1)
        while not isinstance(results[-1], Done):
            results += await master.results(1)
        assert results[-1] == expected(request)[-1]
        master.ack()
        with pytest.raises(LeftError, match="drained"):
            await master.results(1)
        line = await line_with(process, "no master")
        assert line == "manyply-analyser: no master is served until 22:00"
        assert "not lent until 22:00" in await refusal_at(port)
        machine.set_clock("22:00")
        assert "masters are served until 07:00" in await line_with(process, "masters are served")
        await works_with((await master_of(port)).link)


@pytest.mark.when_changed
async def test_battery_drains_and_mains_serve_again(machine: Machine) -> None:
    async with lent(machine, "--battery", "stop") as (process, port):
        await works_with((await master_of(port)).link)
        machine.set_battery("Discharging")
        await line_with(process, "on battery: no master is served")
        assert "not lent on battery" in await refusal_at(port)
        machine.set_battery("Charging")
        await line_with(process, "masters are served")
        await works_with((await master_of(port)).link)


@pytest.mark.when_changed
async def test_analyser_begun_outside_its_hours_dials_when_they_begin(machine: Machine) -> None:
    machine.set_clock("12:00")
    with socket.create_server((HERE, 0)) as server:
        server.settimeout(20)
        address = f"{HERE}:{server.getsockname()[1]}"
        async with started(*machine.argv("--connect", address, *NIGHT)) as process:
            await line_with(process, "no master is served until 22:00")
            server.setblocking(False)
            with pytest.raises(BlockingIOError):
                server.accept()
            server.settimeout(20)
            machine.set_clock("22:00")
            sock, _ = await asyncio.to_thread(server.accept)
            await works_with(await from_socket(sock, MasterSide()))
            process.terminate()
            assert await ended(process) == 0


async def test_signal_outside_the_hours_ends_it(machine: Machine) -> None:
    machine.set_clock("12:00")
    async with lent(machine, *NIGHT) as (process, _):
        process.terminate()
        assert await ended(process) == 0


@pytest.mark.when_changed
async def test_drain_may_be_short() -> None:
    async with listening("--drain-s", "0") as (process, port):
        master = await master_of(port)
        await master.begin()
        master.ask(1, 1000, context=SLOW)
        await master.results(1)
        process.terminate()
        with pytest.raises(LeftError, match="drained"):
            await master.results(1000)
        assert await ended(process) == 0


async def test_analyser_that_nobody_calls_leaves() -> None:
    async with started(*ANALYSER, "--listen", f"{HERE}:0", "--idle-exit", "0.01") as process:
        assert await ended(process) == 0


@pytest.mark.when_changed
async def test_dialling_analyser_gives_up_in_one_line() -> None:
    with socket.create_server((HERE, 0)) as server:
        address = f"{HERE}:{server.getsockname()[1]}"
    options = ("--connect", address, "--give-up-after", "0.2")
    async with started(*ANALYSER, *options) as process:
        line = await line_with(process, "gave up")
        assert line.startswith(f"manyply-analyser: gave up: {address} was no master for 0.2 s: ")
        assert await ended(process) == 1


@pytest.mark.when_changed
async def test_analyser_leaves_with_the_program_that_started_it() -> None:
    argv = [*ANALYSER, "--listen", f"{HERE}:0", "--with-parent"]
    async with started(
        sys.executable, "-c", f"import subprocess; subprocess.run({argv})"
    ) as parent:
        await line_with(parent, "listening on port")
        parent.kill()
        assert parent.stderr is not None
        async with asyncio.timeout(20):
            while await parent.stderr.read(1000):
                pass  # the analyser has it too: its end is the end of both


@pytest.mark.when_changed
async def test_all_engines_load_with_the_least_memory() -> None:
    options = ("--workers", "2", "--memory", size_text(least_memory(2)))
    async with listening(*options) as (_, port):
        master = await master_of(port)
        greeting = await master.send_hello()
        games = [(await master.hear(Engine)).game for _ in greeting.games]
        await master.hear(Ready)
        assert tuple(games) == greeting.games


async def test_part_that_does_not_fit_fails_and_the_next_is_computed() -> None:
    size = size_text(least_memory(1))
    async with listening("--workers", "1", "--memory", size) as (process, port):
        master = await master_of(port)
        await master.begin()
        limits = Path(f"/proc/{process.pid}/limits")
        (limit,) = re.findall(r"Max data size +(\d+)", limits.read_text())  # noqa: ASYNC240
        assert int(limit) == parse_size(size)
        # What other parts have taken is taken by a lower limit here: the table does not fit.
        status = Path(f"/proc/{process.pid}/status").read_text()  # noqa: ASYNC240
        (taken_kib,) = map(int, re.findall(r"VmData:\s+(\d+)", status))
        room = (taken_kib << 10) + (8 << 20)
        resource.prlimit(process.pid, resource.RLIMIT_DATA, (room, resource.RLIM_INFINITY))
        master.search(new_search(1))
        (fail,) = await master.results(1)
        assert isinstance(fail, Fail)
        assert (fail.code, fail.text.partition(":")[0]) == ("engine-error", "MemoryError")
        request = master.ask(2, 50)
        assert await master.results(51) == expected(request)
        await master.link.aclose()


async def test_cores_are_as_many_workers() -> None:
    async with listening("--cores", "1", "--nice", "19") as (process, port):
        master = await master_of(port)
        assert (await master.send_hello()).cores == 1
        status = Path(f"/proc/{process.pid}/status").read_text()  # noqa: ASYNC240
        assert re.findall(r"Cpus_allowed_list:\s+(\S+)", status) == [str(usable_cores()[-1])]
        stat = Path(f"/proc/{process.pid}/stat").read_text()  # noqa: ASYNC240
        assert stat.rpartition(")")[2].split()[16] == "19"
        await master.link.aclose()


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (("--cores", "4096"), "4096 is more than the"),
        (("--memory", "100M", "--workers", "4"), "is too little: 4 workers need"),
        (("--give-up-after", "5"), "--give-up-after belongs to --connect"),
    ],
)
def test_what_cannot_be_is_one_clear_line(options: tuple[str, ...], text: str) -> None:
    argv = [*ANALYSER, "--listen", f"{HERE}:0", *options]
    done = subprocess.run(
        argv, cwd=ROOT, env=ENVIRON, capture_output=True, text=True, timeout=20, check=False
    )
    assert done.returncode == 2
    assert text in done.stderr.splitlines()[-1]
