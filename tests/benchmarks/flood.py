"""What a peer that floods an endpoint and never reads does to the others, and to the memory.

Run as `python -m tests.benchmarks.flood [--lines 3000000] [--seconds 6] [--root DIR]`. A master and
an analyser run as processes. Through each of their endpoints another process sends so many `ping`
or `who` lines, or requests, as fast as they are taken and reads nothing; meanwhile an honest peer
of the same daemon pings every 5 ms. Printed are its round trips in milliseconds, once alone and
once beside the flood, how many lines were taken, and by how much the daemon's largest resident
memory grew.
`--root` runs the daemons of another source tree.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import socket
import sys
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from tests.benchmarks.measure import print_table

HERE = "127.0.0.1"
INTERVAL_S = 0.005
ANSWER_S_MAX = 60.0
HTTP = b" HTTP/1.1\r\nHost: localhost\r\n\r\n"
GREETING = b"analyser 2.1 name=honest cores=1\n"

# Connects to argv[1] (a path, or HOST:PORT), says argv[2], then sends argv[4] lines of argv[3], and
# reads nothing.  Prints the count taken when its input ends.
FLOODER = r"""
import select, socket, sys
where, count = sys.argv[1], int(sys.argv[4])
first, line = (a.encode().decode("unicode_escape").encode() for a in sys.argv[2:4])
if ":" in where:
    host, port = where.split(":"); sock = socket.create_connection((host, int(port)))
else:
    sock = socket.socket(socket.AF_UNIX); sock.connect(where)
sock.sendall(first); sock.setblocking(False)
block = line * 1000; waiting = memoryview(b""); sent = 0
print("begun", flush=True)
while True:
    ready, writable, _ = select.select([sys.stdin], [sock] if sent < count * len(line) else [], [])
    if ready:
        break
    if not waiting:
        waiting = memoryview(block)
    try:
        taken = sock.send(waiting)
    except BlockingIOError:
        continue
    except OSError:
        break
    sent += taken; waiting = waiting[taken:]
print(sent // len(line), flush=True)
"""


@dataclass(frozen=True)
class Endpoint:
    """A way in.

    Args:
        name: of it.
        where: its path, or HOST:PORT.
        first: what a peer says first there.
        line: what the flood repeats.
        pid: of the daemon.
        ping: what the honest peer asks, with its token.
        pong: what is in a line of the answer.
    """

    name: str
    where: str
    first: bytes
    line: bytes
    pid: int
    ping: str = "ping {token}\n"
    pong: str = "{token}"


@dataclass(frozen=True)
class Flooded:
    """What was measured at one endpoint: round trips in seconds, sorted; lines; bytes."""

    endpoint: str
    alone: list[float]
    beside: list[float]
    lines: int
    grown_bytes: int


@asynccontextmanager
async def daemons(root: Path) -> AsyncIterator[list[Endpoint]]:
    """Run a master and an analyser of a source tree; yield their endpoints."""
    environ = os.environ | {"PYTHONPATH": str(root)}
    with TemporaryDirectory(prefix="manyply-flood-") as directory:
        control = f"{directory}/c.sock"
        master_argv = ("master", "--state-dir", directory, "--control", control)
        pipes: dict[str, Any] = {"stderr": asyncio.subprocess.PIPE, "cwd": root, "env": environ}
        master = await asyncio.create_subprocess_exec(
            sys.executable, "-m", *master_argv, "--listen", f"{HERE}:0", **pipes
        )
        analyser = await asyncio.create_subprocess_exec(
            sys.executable, "-m", "analyser", "--listen", f"{HERE}:0", "--workers", "1", **pipes
        )
        try:
            inbound, listening = await _port(master), await _port(analyser)
            await _line_with(master, "ready")
            yield [
                Endpoint("master, --listen", inbound, GREETING, b"ping abcdefgh\n", master.pid),
                *(
                    Endpoint(
                        f"master, socket, {path}",
                        control,
                        b"",
                        b"GET %s" % path.encode() + HTTP,
                        master.pid,
                        f"GET /healthz{HTTP.decode()}",
                        "ok",
                    )
                    for path in ("/healthz", "/api/analysers")
                ),
                Endpoint(
                    "analyser, --listen, ping", listening, b"", b"ping abcdefgh\n", analyser.pid
                ),
                Endpoint("analyser, --listen, who", listening, b"", b"who\n", analyser.pid),
            ]
        finally:
            for process in (master, analyser):
                process.kill()
                await process.communicate()


async def _line_with(process: asyncio.subprocess.Process, word: str) -> str:
    assert process.stderr is not None
    while line := (await process.stderr.readline()).decode():
        if word in line:
            return line
    raise RuntimeError(f"a daemon ended without saying {word!r}")


async def _port(process: asyncio.subprocess.Process) -> str:
    found = re.search(r"on port (\d+)", await _line_with(process, "on port"))
    assert found is not None
    return f"{HERE}:{found[1]}"


def peak_bytes(pid: int) -> int:
    """Return the largest resident memory of a process so far."""
    found = re.search(r"VmHWM:\s+(\d+) kB", Path(f"/proc/{pid}/status").read_text())
    assert found is not None
    return int(found[1]) << 10


async def round_trips(endpoint: Endpoint, seconds: float) -> list[float]:
    """Return the sorted times of pings of an honest peer, one every INTERVAL_S."""
    if ":" in endpoint.where:
        host, _, port = endpoint.where.partition(":")
        reader, writer = await asyncio.open_connection(host, int(port))
        sock = writer.get_extra_info("socket")
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    else:
        reader, writer = await asyncio.open_unix_connection(endpoint.where)
    writer.write(endpoint.first)
    times: list[float] = []
    end = time.perf_counter() + seconds
    while (sent := time.perf_counter()) < end:
        token = f"t{len(times)}"
        writer.write(endpoint.ping.format(token=token).encode())
        pong = endpoint.pong.format(token=token)
        async with asyncio.timeout(ANSWER_S_MAX):
            while pong not in (line := (await reader.readline()).decode()):
                if not line:
                    raise ConnectionError(f"{endpoint.name}: the daemon hung up")
        times.append(time.perf_counter() - sent)
        await asyncio.sleep(INTERVAL_S)
    writer.close()
    return sorted(times)


async def flooded(endpoint: Endpoint, lines: int, seconds: float) -> Flooded:
    """Measure one endpoint, alone and beside a flood of it."""
    alone = await round_trips(endpoint, seconds / 3)
    before = peak_bytes(endpoint.pid)
    texts = (endpoint.first, endpoint.line)
    flooder = await asyncio.create_subprocess_exec(
        sys.executable, "-c", FLOODER, endpoint.where,
        *(text.decode().encode("unicode_escape").decode() for text in texts), str(lines),
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert flooder.stdout is not None
    await flooder.stdout.readline()
    beside = await round_trips(endpoint, seconds)
    grown = peak_bytes(endpoint.pid) - before
    taken, _ = await flooder.communicate(b"")
    return Flooded(endpoint.name, alone, beside, int(taken), grown)


async def measure(
    lines: int, seconds: float, root: Path, names: Sequence[str] = ()
) -> list[Flooded]:
    """Measure all endpoints, or those named."""
    async with daemons(root) as endpoints:
        chosen = [endpoint for endpoint in endpoints if not names or endpoint.name in names]
        return [await flooded(endpoint, lines, seconds) for endpoint in chosen]


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lines", type=int, default=3_000_000)
    parser.add_argument("--seconds", type=float, default=6.0)
    parser.add_argument("--root", type=Path, default=Path(__file__).parents[2])
    options = parser.parse_args()
    rows = []
    for found in asyncio.run(measure(options.lines, options.seconds, options.root)):
        shown = [
            f"{1e3 * times[place]:,.1f}"
            for times in (found.alone, found.beside)
            for place in (len(times) // 2, len(times) * 99 // 100, -1)
        ]
        rows.append((found.endpoint, *shown, f"{found.lines:,}", f"{found.grown_bytes / 1e6:,.1f}"))
    headings = ("ms", "p50", "p99", "max", "beside p50", "p99", "max", "lines taken", "MB more")
    print_table(headings, rows)


if __name__ == "__main__":
    main()
