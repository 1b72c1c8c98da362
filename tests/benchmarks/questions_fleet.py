"""Questions a second through a master of very many analysers, and how long its owner waits.

Run as `python -m tests.benchmarks.questions_fleet [--analysers 50,1000] [--questions 20000]
[--delay-ms 0] [--root DIR]`. A `manyply-master` is a process; the analysers are connections of
another, which answer a question as soon as they have read it (or so many milliseconds later), so
that the master's own time is what is measured. Through the control socket one client asks the
questions; meanwhile another asks for `status` every 10 ms. `--root` runs the master of another
source tree. The soft limit of descriptors is raised to the hard one.
"""

from __future__ import annotations

import argparse
import asyncio
import hashlib
import json
import os
import re
import resource
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from engine_ext.noop.question import noop_question
from engine_ext.services import engine_digest
from master.api.client import MasterClient
from tests.benchmarks.measure import print_table

HERE = "127.0.0.1"
STATUS_INTERVAL_S = 0.01
READY_S_MAX = 120.0
ANSWERS_S_MAX = 300.0
RUNS = 3


class FakeAnalyser(asyncio.Protocol):
    """One connection: greets, is ready, and answers each question with what is due."""

    def __init__(self, number: int, digest: bytes, delay_s: float) -> None:
        self._number = number
        self._digest = digest
        self._delay_s = delay_s
        self._rest = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        transport.write(b"analyser 2.1 name=fake%d cores=1 games=noop\n" % self._number)

    def data_received(self, data: bytes) -> None:
        lines = (self._rest + data).split(b"\n")
        self._rest = lines.pop()
        said = b"".join([self._reply(line) for line in lines])
        if not said:
            return
        if self._delay_s:
            asyncio.get_running_loop().call_later(self._delay_s, self._transport.write, said)
        else:
            self._transport.write(said)

    def _reply(self, line: bytes) -> bytes:
        verb, _, fields = line.partition(b" ")
        if verb == b"question":
            part, attempt, _, keyed = fields.split(b" ", 3)
            found = re.search(rb"context=(\S+)", keyed)
            assert found is not None
            digest = hashlib.sha256(
                found[1].replace(b"%20", b" ").replace(b"%3D", b"=")
            ).hexdigest()
            name = b"%s %s" % (part, attempt)
            return b"answer %s %s\ndone %s %s 1\n" % (
                name, digest[16:32].encode(), name, digest[:16].encode()
            )  # fmt: skip
        if verb == b"ping":
            return b"pong %s\n" % fields
        if verb == b"master":
            return b"engine noop digest=%s power=1000 services=trials,analyse\nready 1\n" % (
                self._digest
            )
        return b""


async def serve_fakes(port: int, count: int, delay_s: float) -> None:
    """Dial a master so many times and answer until the connections end."""
    loop = asyncio.get_running_loop()
    digest = engine_digest("noop").encode()
    for number in range(count):
        analyser = partial(FakeAnalyser, number, digest, delay_s)
        await loop.create_connection(analyser, HERE, port)
    await asyncio.sleep(float("inf"))


def raise_descriptors() -> None:
    """Allow as many descriptors as may be: a thousand connections and more."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


@asynccontextmanager
async def fleet(root: Path, count: int, delay_s: float) -> AsyncIterator[Path]:
    """Run a master of so many analysers; yield its control socket when all are ready."""
    environ = os.environ | {"PYTHONPATH": str(root)}
    with TemporaryDirectory(prefix="manyply-fleet-") as directory:
        control = Path(directory, "c.sock")
        argv = ("-m", "master", "--state-dir", directory, "--control", str(control))
        master = await asyncio.create_subprocess_exec(
            sys.executable, *argv, "--listen", f"{HERE}:0",
            stderr=asyncio.subprocess.PIPE, cwd=root, env=environ,
        )  # fmt: skip
        fakes: asyncio.subprocess.Process | None = None
        try:
            port = await _port(master)
            fakes = await asyncio.create_subprocess_exec(
                sys.executable, "-m", "tests.benchmarks.questions_fleet",
                "--serve", str(port), "--analysers", str(count), "--delay-ms", str(delay_s * 1e3),
            )  # fmt: skip
            async with asyncio.timeout(READY_S_MAX):
                await _all_ready(control, count)
            reading = asyncio.create_task(_read_on(master))  # a full pipe would stop it
            yield control
            reading.cancel()
        finally:
            for process in (master, fakes):
                if process is not None and process.returncode is None:
                    process.kill()
                    await process.wait()


async def _port(master: asyncio.subprocess.Process) -> int:
    assert master.stderr is not None
    while line := (await master.stderr.readline()).decode():
        found = re.search(r"on port (\d+)", line)
        if found is not None:
            return int(found[1])
    raise RuntimeError("the master ended before it listened")


async def _read_on(master: asyncio.subprocess.Process) -> None:
    assert master.stderr is not None
    while await master.stderr.readline():
        pass


async def _all_ready(control: Path, count: int) -> None:
    while not control.exists():  # noqa: ASYNC110, ASYNC240  # a socket's file tells nobody
        await asyncio.sleep(0.05)
    async with MasterClient(control) as client:
        while sum(line.state == "ready" for line in await client.who()) < count:  # noqa: ASYNC110
            await asyncio.sleep(0.2)


async def per_second(client: MasterClient, count: int, first: int) -> float:
    """Return how many questions a second are answered, asked by one client."""
    questions = [noop_question(0, first + number) for number in range(count)]
    start = time.perf_counter()
    await asyncio.wait_for(client.ask(questions), ANSWERS_S_MAX)
    return count / (time.perf_counter() - start)


async def watch(control: Path) -> list[float]:
    """Ask for the status again and again until the input ends; return the sorted times taken.

    A line is printed when it begins.
    """
    times: list[float] = []
    ended = asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)
    async with MasterClient(control) as client:
        print("begun", flush=True)
        while not (times and ended.done()):
            start = time.perf_counter()
            await client.status()
            times.append(time.perf_counter() - start)
            await asyncio.sleep(STATUS_INTERVAL_S)
    return sorted(times)


async def measure(
    analysers: int, questions: int, delay_s: float = 0.0, root: Path | None = None
) -> tuple[float, list[float]]:
    """Return questions a second, of the fastest run, and the sorted times of `status`.

    Those are taken in a process of their own, since this one is busy with the answers.
    """
    async with (
        fleet(root or Path.cwd(), analysers, delay_s) as control,
        MasterClient(control) as client,
    ):
        watching = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "tests.benchmarks.questions_fleet", "--watch", control,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
        )  # fmt: skip
        assert watching.stdout is not None
        await asyncio.wait_for(watching.stdout.readline(), READY_S_MAX)
        runs = range(RUNS)
        rates = [await per_second(client, questions, run * questions) for run in runs]
        said, _ = await asyncio.wait_for(watching.communicate(b""), ANSWERS_S_MAX)
    return max(rates), json.loads(said)


def main() -> None:
    """Measure and print, or be the analysers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--analysers", default="50,1000")
    parser.add_argument("--questions", type=int, default=20_000)
    parser.add_argument("--delay-ms", type=float, default=0.0)
    parser.add_argument("--root", type=Path, default=Path.cwd())
    parser.add_argument("--serve", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--watch", type=Path, help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    raise_descriptors()
    counts = [int(text) for text in arguments.analysers.split(",")]
    delay_s = arguments.delay_ms / 1e3
    if arguments.watch is not None:
        print(json.dumps(asyncio.run(watch(arguments.watch))))
        return
    if arguments.serve is not None:
        asyncio.run(serve_fakes(arguments.serve, counts[0], delay_s))
        return
    rows = []
    for count in counts:
        rate, times = asyncio.run(measure(count, arguments.questions, delay_s, arguments.root))
        p50, p99 = (times[len(times) * share // 100] * 1e3 for share in (50, 99))
        shown = (f"{p50:.1f}", f"{p99:.1f}", f"{times[-1] * 1e3:.1f}")
        rows.append((str(count), f"{rate:.0f}", *shown))
    print_table(("analysers", "questions/s", "status p50 ms", "p99", "longest"), rows)


if __name__ == "__main__":
    main()
